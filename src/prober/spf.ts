import { isInBlock, parseAddressBlock } from '../lib/ip-address.ts';

/** SPF's result for a sender (RFC 7208 §2.6), as far as a prober's operator has to know it. */
export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror';

/** The look-ups that an SPF record needs. They throw when the name servers do not say. */
export interface SpfDns {
	txt(name: string): Promise<readonly string[]>;
	addresses(name: string): Promise<readonly string[]>;
	exchangers(name: string): Promise<readonly string[]>;
}

// RFC 7208 §4.6.4
const LOOKUPS_MAX = 10;
const RESULTS: Readonly<Record<string, SpfResult>> = {
	'+': 'pass',
	'-': 'fail',
	'~': 'softfail',
	'?': 'neutral',
};

class Permanent extends Error {}

/**
 * Whether mail of a domain may come from an address: `all`, `ip4`, `ip6`, `a`, `mx`, `include` and `redirect`. Macros,
 * `ptr` and `exists` are not followed: where one would decide, the result is `neutral`.
 */
export async function checkSpf(dns: SpfDns, domain: string, address: string): Promise<SpfResult> {
	try {
		return await evaluate({ dns, address, left: { lookups: LOOKUPS_MAX } }, domain);
	} catch (error) {
		return error instanceof Permanent ? 'permerror' : 'temperror';
	}
}

interface Evaluation {
	readonly dns: SpfDns;
	readonly address: string;
	readonly left: { lookups: number };
}

async function evaluate(evaluation: Evaluation, domain: string): Promise<SpfResult> {
	const records = (await evaluation.dns.txt(domain)).filter((text) => /^v=spf1(?: |$)/i.test(text));
	const [record] = records;
	if (record === undefined) return 'none';
	// RFC 7208 §4.5
	if (records.length > 1) throw new Permanent();
	let redirect: string | null = null;
	for (const term of record.split(/\s+/).slice(1)) {
		const modifier = /^redirect=(.+)$/i.exec(term);
		if (modifier !== null) redirect = modifier[1] ?? null;
		const mechanism = /^([+?~-]?)(all|include|a|mx|ip4|ip6)(?:[:](.+?))?(\/\d+)?(?:\/\/\d+)?$/i.exec(term);
		if (mechanism === null) continue;
		const [, qualifier = '', name = '', value = domain, prefix = ''] = mechanism;
		if (await matches(evaluation, name.toLowerCase(), value, prefix))
			return RESULTS[qualifier === '' ? '+' : qualifier] ?? 'neutral';
	}
	if (redirect === null) return 'neutral';
	countLookup(evaluation);
	const result = await evaluate(evaluation, redirect);
	if (result === 'none') throw new Permanent();
	return result;
}

async function matches(
	evaluation: Evaluation,
	mechanism: string,
	value: string,
	prefix: string,
): Promise<boolean> {
	const { dns, address } = evaluation;
	const among = (list: readonly string[]): boolean => list.some((one) => isWithin(address, one, prefix));
	switch (mechanism) {
		case 'all':
			return true;
		case 'ip4':
		case 'ip6':
			return isWithin(address, value, prefix);
		case 'a':
			countLookup(evaluation);
			return among(await dns.addresses(value));
		case 'mx': {
			countLookup(evaluation);
			const hosts = await dns.exchangers(value);
			return among((await Promise.all(hosts.slice(0, 10).map((host) => dns.addresses(host)))).flat());
		}
		default: {
			countLookup(evaluation);
			const result = await evaluate(evaluation, value);
			// RFC 7208 §5.2
			if (result === 'none' || result === 'permerror') throw new Permanent();
			return result === 'pass';
		}
	}
}

function isWithin(address: string, network: string, prefix: string): boolean {
	const bits = prefix === '' ? (network.includes(':') ? '/128' : '/32') : prefix;
	const block = parseAddressBlock(`${network}${bits}`);
	return block !== null && isInBlock(address, block);
}

function countLookup({ left }: Evaluation): void {
	left.lookups -= 1;
	if (left.lookups < 0) throw new Permanent();
}
