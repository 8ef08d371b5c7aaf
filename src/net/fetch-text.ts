import { readResponse } from './read-response.ts';

const OCTETS_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Fetches a text from a configured https URL, bounded in size and time. Throws when that fails. */
export async function fetchText(url: string): Promise<string> {
	const response = await fetch(url, { redirect: 'follow', signal: AbortSignal.timeout(TIMEOUT_MS) });
	if (!response.ok) throw new Error(`HTTP ${response.status}`);
	const { octets, isWhole } = await readResponse(response, OCTETS_MAX);
	if (!isWhole) throw new Error('the text is longer than 16 MiB');
	return new TextDecoder().decode(octets);
}
