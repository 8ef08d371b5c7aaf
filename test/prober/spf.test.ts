import { expect, test } from 'vitest';
import { checkSpf } from '../../src/prober/spf.ts';
import type { Look } from '../../src/prober/spf.ts';

// SPF of the envelope sender (RFC 7208), as `check` evaluates it.

const SOURCE = '93.184.216.34';
type Zone = Readonly<Record<string, { txt?: string[]; a?: string[]; mx?: string[] } | 'fails'>>;

function lookIn(zone: Zone): Look {
	const kinds = { TXT: 'txt', A: 'a', MX: 'mx', AAAA: null, PTR: null } as const;
	return (name, type) => {
		const entry = zone[name] ?? {};
		const kind = kinds[type];
		return Promise.resolve(entry === 'fails' ? null : kind === null ? [] : (entry[kind] ?? []));
	};
}

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
	expect(await checkSpf(lookIn(zone), 'us.test', SOURCE)).toBe(expected);
});
