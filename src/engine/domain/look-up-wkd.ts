import { wkdDirectories, wkdKeyUrl } from '../../core/catchall/domain/published.ts';
import type { WkdDirectory, WkdFinding } from '../../core/catchall/domain/published.ts';
import type { DomainPorts, WebAnswer } from './port.ts';
import { withinTime } from './within-time.ts';

const KEY_OCTETS_MAX = 65_536;
const KEPT_SECONDS = 7 * 86_400;
const CONTROL_LENGTH = 16;

/**
 * Whether the domain's own Web Key Directory has a key for an address. An invented address is looked up too: a server
 * that has a key for that as well proves nothing (null). Only the domain itself sees the address. `deadline`: epoch ms.
 */
export async function lookUpWkd(
	ports: DomainPorts,
	{ localPart, domain }: { readonly localPart: string; readonly domain: string },
	deadline: number,
): Promise<WkdFinding | null> {
	const { clock, randomness } = ports;
	return withinTime(clock, deadline - clock.now(), async () => {
		const directory = await findDirectory(ports, domain, deadline);
		if (directory === null) return null;
		const [key, control] = await Promise.all([
			fetchKey(ports, directory, localPart, deadline),
			fetchKey(ports, directory, randomness.word(CONTROL_LENGTH), deadline),
		]);
		if (key === null || control !== 'none') return null;
		return key;
	});
}

/** The domain's directory, recognised by its policy file (which every directory has), or null. */
async function findDirectory(
	{ cache, clock, web }: DomainPorts,
	domain: string,
	deadline: number,
): Promise<WkdDirectory | null> {
	const directories = wkdDirectories(domain);
	const key = `wkd/1/${domain}`;
	const remembered = await cache.get(key);
	if (remembered !== undefined) return directories.find(({ host }) => host === remembered) ?? null;
	for (const directory of directories) {
		const policy = await web.get(`${directory.base}/policy`, limits(directory, deadline - clock.now()));
		// The direct method counts only where the host of the advanced one does not exist (draft §3.1).
		if (policy.kind === 'no_address') continue;
		const exists = policy.kind === 'page' && policy.status === 200 && policy.mediaType !== 'text/html';
		const isSaid = exists || (policy.kind === 'page' && (policy.status === 404 || policy.status === 200));
		if (isSaid) await cache.put(key, exists ? directory.host : '', KEPT_SECONDS);
		return exists ? directory : null;
	}
	return null;
}

async function fetchKey(
	{ clock, web }: DomainPorts,
	directory: WkdDirectory,
	localPart: string,
	deadline: number,
): Promise<WkdFinding | null> {
	const answer = await web.get(wkdKeyUrl(directory, localPart), limits(directory, deadline - clock.now()));
	return readKey(answer);
}

function readKey(answer: WebAnswer): WkdFinding | null {
	if (answer.kind !== 'page') return null;
	if (answer.status === 404) return 'none';
	const isKey = answer.status === 200 && answer.text.length > 0 && answer.mediaType !== 'text/html';
	return isKey ? 'key' : null;
}

function limits({ host }: WkdDirectory, limitMs: number): Parameters<DomainPorts['web']['get']>[1] {
	return { limitMs, octetsMax: KEY_OCTETS_MAX, redirectsMax: 0, within: (visited) => visited === host };
}
