import { isInBlock, parseAddressBlock } from '../lib/ip-address.ts';

/** SPF's result for a sender (RFC 7208 §2.6), as far as a prober's operator has to know it. */
export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror';

/** The records of a name; none where it has none, null where the name servers do not say. */
export type Look = (
	name: string,
	type: 'A' | 'AAAA' | 'MX' | 'PTR' | 'TXT',
) => Promise<readonly string[] | null>;

// RFC 7208 §4.6.4
const LOOKUPS_MAX = 10;
const RESULTS = { '': 'pass', '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;
const TERM = /^([+?~-]?)(all|include|a|mx|ip4|ip6|redirect)(?:[:=](.+?))?(\/\d+)?(?:\/\/\d+)?$/i;

/**
 * Whether mail of a domain may come from an address: `all`, `ip4`, `ip6`, `a`, `mx`, `include` and `redirect`. Macros,
 * `ptr` and `exists` are not followed: where one would decide, the result is `neutral`.
 */
export async function checkSpf(
	look: Look,
	domain: string,
	address: string,
	left = { lookups: LOOKUPS_MAX },
): Promise<SpfResult> {
	const records = (await look(domain, 'TXT'))?.filter((text) => /^v=spf1(?: |$)/i.test(text));
	if (records === undefined) return 'temperror';
	const [record] = records;
	if (record === undefined) return 'none';
	if (records.length > 1) return 'permerror'; // RFC 7208 §4.5
	const terms = record
		.split(/\s+/)
		.slice(1)
		.map((term) => TERM.exec(term) ?? []);
	for (const term of [...terms.filter((one) => !isRedirect(one)), ...terms.filter(isRedirect)]) {
		const [, qualifier = '', word = '', value = domain, prefix = ''] = term;
		const name = word.toLowerCase();
		if (['a', 'mx', 'include', 'redirect'].includes(name) && (left.lookups -= 1) < 0) return 'permerror';
		if (name === 'include' || name === 'redirect') {
			const result = await checkSpf(look, value, address, left);
			if (result === 'none' || result === 'permerror') return 'permerror'; // RFC 7208 §5.2, §6.1
			if (name === 'redirect' || result === 'temperror') return result;
			if (result !== 'pass') continue;
		} else if (name !== 'all') {
			const networks = await networksOf(look, name, value, address.includes(':') ? 'AAAA' : 'A');
			if (networks === null) return 'temperror';
			if (!networks.some((network) => isWithin(address, network, prefix))) continue;
		}
		return RESULTS[qualifier as keyof typeof RESULTS];
	}
	return 'neutral';
}

function isRedirect([, , name]: readonly string[]): boolean {
	return name?.toLowerCase() === 'redirect';
}

async function networksOf(look: Look, name: string, value: string, type: 'A' | 'AAAA') {
	if (name === 'a') return await look(value, type);
	if (name !== 'mx') return [value];
	const hosts = await look(value, 'MX');
	const found = await Promise.all((hosts ?? []).slice(0, LOOKUPS_MAX).map((host) => look(host, type)));
	return hosts === null || found.includes(null) ? null : found.flatMap((addresses) => addresses ?? []);
}

function isWithin(address: string, network: string, prefix: string): boolean {
	const bits = prefix === '' ? (network.includes(':') ? '/128' : '/32') : prefix;
	const block = parseAddressBlock(`${network}${bits}`);
	return block !== null && isInBlock(address, block);
}
