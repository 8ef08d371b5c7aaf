import { describe, expect, test } from 'vitest';
import { parseEgressList } from '../../src/core/egress/egress.ts';
import { checkClock, checkEgress, reversed } from '../../src/prober/check/check-egress.ts';
import type { CheckPorts, Finding } from '../../src/prober/check/check-egress.ts';
import { checkSpf } from '../../src/prober/check/spf.ts';

const SOURCE = '93.184.216.34';
type Zone = Readonly<
	Record<string, { txt?: string[]; a?: string[]; mx?: string[]; ptr?: string[] } | 'fails'>
>;

function dnsOf(zone: Zone): CheckPorts['dns'] {
	const ask = (kind: 'txt' | 'a' | 'mx' | 'ptr') => (name: string) => {
		const entry = zone[name] ?? {};
		return entry === 'fails' ? Promise.reject(new Error('SERVFAIL')) : Promise.resolve(entry[kind] ?? []);
	};
	return { txt: ask('txt'), addresses: ask('a'), exchangers: ask('mx'), names: ask('ptr') };
}

describe('SPF of the envelope sender (RFC 7208)', () => {
	const spf = (zone: Zone): Promise<string> => checkSpf(dnsOf(zone), 'us.test', SOURCE);
	const record = (text: string, more: Zone = {}): Zone => ({ 'us.test': { txt: ['other', text] }, ...more });

	test.each<[string, Zone, string]>([
		['no record', {}, 'none'],
		['another TXT record alone', { 'us.test': { txt: ['v=spf10 all'] } }, 'none'],
		['its address', record(`v=spf1 ip4:${SOURCE} -all`), 'pass'],
		['its network', record('v=spf1 ip4:93.184.216.0/24 -all'), 'pass'],
		['another network', record('v=spf1 ip4:93.184.217.0/24 -all'), 'fail'],
		['a soft end', record('v=spf1 ip6:2001:db8::/32 ~all'), 'softfail'],
		['no end', record('v=spf1 ip4:192.0.2.1'), 'neutral'],
		['everybody', record('v=spf1 +all'), 'pass'],
		[
			'its own addresses',
			record('v=spf1 a -all', { 'us.test': { txt: ['v=spf1 a -all'], a: [SOURCE] } }),
			'pass',
		],
		[
			'the addresses of a name',
			record('v=spf1 a:out.us.test -all', { 'out.us.test': { a: [SOURCE] } }),
			'pass',
		],
		[
			'its mail hosts',
			{ 'us.test': { txt: ['v=spf1 mx -all'], mx: ['mx.us.test'] }, 'mx.us.test': { a: [SOURCE] } },
			'pass',
		],
		[
			'an included record that passes',
			record('v=spf1 include:other.test -all', { 'other.test': { txt: [`v=spf1 ip4:${SOURCE} -all`] } }),
			'pass',
		],
		[
			'an included record that fails, which is not its own end',
			record('v=spf1 include:other.test ~all', { 'other.test': { txt: ['v=spf1 -all'] } }),
			'softfail',
		],
		['an included record that is not there', record('v=spf1 include:other.test -all'), 'permerror'],
		[
			'a redirection',
			record('v=spf1 redirect=other.test', { 'other.test': { txt: [`v=spf1 ip4:${SOURCE} -all`] } }),
			'pass',
		],
		['two records', { 'us.test': { txt: ['v=spf1 +all', 'v=spf1 -all'] } }, 'permerror'],
		['itself, for ever', record('v=spf1 include:us.test -all'), 'permerror'],
		['name servers that fail', { 'us.test': 'fails' }, 'temperror'],
	])('%s: %#', async (_, zone, expected) => {
		expect(await spf(zone)).toBe(expected);
	});
});

describe('a source address', () => {
	const LISTS = ['zen.spamhaus.org', 'b.barracudacentral.org', 'bl.spamcop.net', 'psbl.surriel.com'];
	const GOOD: Zone = {
		...Object.fromEntries(LISTS.map((list) => [`2.0.0.127.${list}`, { a: ['127.0.0.2'] }])),
		[SOURCE]: { ptr: ['probe.us.test.'] },
		'probe.us.test': { a: [SOURCE], txt: [`v=spf1 ip4:${SOURCE} -all`] },
		'us.test': { txt: [`v=spf1 ip4:${SOURCE} -all`] },
	};
	const identity = { heloName: 'Probe.us.test', mailFrom: 'verify@us.test' };

	async function look(
		zone: Zone,
		changes: Partial<CheckPorts> = {},
		wayOut = 'direct',
	): Promise<Readonly<Record<string, string>>> {
		const ports: CheckPorts = {
			dns: dnsOf(zone),
			greeting: () => Promise.resolve({ text: '220 mx.example ESMTP' }),
			page: () => Promise.resolve({ html: '<a href="/imprint">Imprint</a> <a href="/contact">Contact</a>' }),
			sourceOf: () => Promise.resolve(SOURCE),
			clockOffsetMs: () => Promise.resolve(0),
			...changes,
		};
		const [egress] = parseEgressList(wayOut);
		if (egress === undefined) throw new Error('there is a way out');
		const findings: readonly Finding[] = await checkEgress(ports, egress, identity);
		for (const { state, todo } of findings) if (state === 'wrong') expect(todo).not.toBeNull();
		return Object.fromEntries(findings.map(({ what, state }) => [what, state]));
	}

	test('that mail operators will listen to has nothing wrong', async () => {
		expect(new Set(Object.values(await look(GOOD)))).toEqual(new Set(['ok']));
	});

	test.each<[string, Zone, string, string]>([
		['has no name', { ...GOOD, [SOURCE]: {} }, 'PTR = HELO', 'wrong'],
		['has the hoster’s name', { ...GOOD, [SOURCE]: { ptr: ['static.hoster.test'] } }, 'PTR = HELO', 'wrong'],
		[
			'has a name that leads elsewhere',
			{ ...GOOD, 'probe.us.test': { a: ['192.0.2.1'] } },
			'PTR = HELO',
			'wrong',
		],
		['has name servers that do not say', { ...GOOD, [SOURCE]: 'fails' }, 'PTR = HELO', 'unknown'],
		['is not in the SPF record', { ...GOOD, 'us.test': { txt: ['v=spf1 -all'] } }, 'SPF of us.test', 'wrong'],
		['has no SPF record', { ...GOOD, 'us.test': {} }, 'SPF of us.test', 'warning'],
		[
			'has a HELO name without an SPF record',
			{ ...GOOD, 'probe.us.test': { a: [SOURCE] } },
			'SPF of probe.us.test',
			'warning',
		],
		[
			'is on a block list',
			{ ...GOOD, '34.216.184.93.zen.spamhaus.org': { a: ['127.0.0.2'] } },
			'zen.spamhaus.org',
			'wrong',
		],
		[
			'asks by a resolver that the list does not answer',
			{ ...GOOD, '34.216.184.93.zen.spamhaus.org': { a: ['127.255.255.254'] } },
			'zen.spamhaus.org',
			'unknown',
		],
		// RFC 5782 §5
		[
			'asks a list that has closed and knows nobody',
			{ ...GOOD, '2.0.0.127.bl.spamcop.net': {} },
			'bl.spamcop.net',
			'unknown',
		],
		[
			'asks a list that has everybody on it',
			{
				...GOOD,
				'1.0.0.127.bl.spamcop.net': { a: ['127.0.0.2'] },
				'34.216.184.93.bl.spamcop.net': { a: ['127.0.0.2'] },
			},
			'bl.spamcop.net',
			'unknown',
		],
		[
			'asks a list whose test entry fails',
			{ ...GOOD, '2.0.0.127.bl.spamcop.net': 'fails' },
			'bl.spamcop.net',
			'unknown',
		],
	])('that %s', async (_, zone, what, state) => {
		expect((await look(zone))[what]).toBe(state);
	});

	const IPV6_LISTED = `2.0.0.0.0.0.f.7.f.f.f.f${'.0'.repeat(20)}`;
	test.each<[string, Zone, string]>([
		['has IPv6 says so', { [`${IPV6_LISTED}.zen.spamhaus.org`]: { a: ['127.0.0.2'] } }, 'ok'],
		['has IPv4 alone can not be asked', {}, 'unknown'],
	])('of IPv6: a list that %s', async (_, zone, state) => {
		const sourceOf = () => Promise.resolve('2001:db8::25');
		expect((await look({ ...GOOD, ...zone }, { sourceOf }))['zen.spamhaus.org']).toBe(state);
	});

	test('that is private is behind somebody else’s', async () => {
		expect((await look(GOOD, { sourceOf: () => Promise.resolve('10.0.0.5') }))['source address']).toBe(
			'warning',
		);
	});

	test('whose port 25 is closed will never get an answer', async () => {
		expect((await look(GOOD, { greeting: () => Promise.resolve({ failed: 'timeout' }) }))['port 25']).toBe(
			'wrong',
		);
	});

	test('of a proxy can only be asked about at the proxy', async () => {
		const sourceOf = () => Promise.resolve(null);
		expect(await look(GOOD, { sourceOf }, 'socks5://proxy.test')).toEqual({
			'source address': 'unknown',
			'port 25': 'ok',
			imprint: 'ok',
		});
		// Where there is no proxy, there is no way out.
		expect((await look(GOOD, { sourceOf }))['source address']).toBe('wrong');
	});
});

test.each([
	['192.0.2.99', '99.2.0.192'],
	['2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2'],
])('%s is looked up as %s', (address, name) => {
	expect(reversed(address)).toBe(name);
});

test.each<[number | null, Finding['state']]>([
	[0, 'ok'],
	[60_000, 'ok'],
	[-60_001, 'wrong'],
	[null, 'unknown'],
])('a clock that is %s ms off is %s', async (offset, state) => {
	expect((await checkClock({ clockOffsetMs: () => Promise.resolve(offset) })).state).toBe(state);
});
