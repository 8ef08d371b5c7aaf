export type ProberAddress = ReturnType<typeof parseProber>;

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;

/**
 * Reads a list such as `https://TOKEN@prober-1.example https://TOKEN@prober-2.example:8443`. Throws an `Error` whose
 * message names the mistake and no secret.
 */
export function parseProbers(text: string): readonly ProberAddress[] {
	const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
	return entries.map((entry, index) => parseProber(entry, `entry ${index + 1}`));
}

function parseProber(entry: string, name: string) {
	const url = URL.canParse(entry) ? new URL(entry) : null;
	if (url === null || !/^https?:$/.test(url.protocol) || url.username === '' || url.password !== '')
		throw new Error(`${name} is not https://TOKEN@host`);
	if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
		throw new Error(`${name} would send its token over http: only a prober on this machine may be asked so`);
	if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
		throw new Error(`${name} has more than a token, a host and a port`);
	const token = decodeURIComponent(url.username);
	if (token.length < 32) throw new Error(`${name} has a token of fewer than 32 characters`);
	// The label is for logs, health and their order (`ways.ts`).
	return { label: url.host, url: url.origin, token };
}
