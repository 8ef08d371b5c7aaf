import { readOctets } from '../lib/read-body.ts';

const TEXT_OCTETS_MAX = 16 * 1024 * 1024;
const TEXT_TIMEOUT_MS = 30_000;

/** The first `octetsMax` octets of a response, and whether that is all of it. The rest is cancelled. */
export async function readResponse(response: Response, octetsMax: number): ReturnType<typeof readOctets> {
	const read = await readOctets(response.body, octetsMax);
	if (!read.isWhole) await response.body?.cancel();
	return read;
}

/** Fetches a text from a configured https URL, bounded in size and time. Throws when that fails. */
export async function fetchText(url: string): Promise<string> {
	const response = await fetch(url, { redirect: 'follow', signal: AbortSignal.timeout(TEXT_TIMEOUT_MS) });
	if (!response.ok) throw new Error(`HTTP ${response.status}`);
	const { octets, isWhole } = await readResponse(response, TEXT_OCTETS_MAX);
	if (!isWhole) throw new Error('the text is longer than 16 MiB');
	return new TextDecoder().decode(octets);
}
