import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DOMAIN_WEIGHTS } from '../../../src/core/catchall/domain-weights.ts';
import { LIST_WEIGHTS, PATTERN_PRIORS } from '../../../src/core/catchall/list/weights.ts';
import { MAILBOX_WEIGHTS } from '../../../src/core/catchall/mailbox/mailbox-signals.ts';
import { scoreSignals } from '../../../src/core/catchall/scorecard.ts';
import { unnoticedMutations } from '../../support/unit/mutate-weights.ts';
import { DOMAIN_VECTORS, LIST_VECTORS, MAILBOX_VECTORS } from './evidence-vectors.ts';
import type { EvidenceVector } from './evidence-vectors.ts';

// From a local part, a list or a domain to points and score, with nothing else known. No weight can be moved without
// one of these coming out otherwise. What the server says: weights.test.ts.

// evidence | findings and their points | score
const MAILBOX = `
peter.schmidt | shape:first.last 4 | 75
pschmidt | shape:flast 3 | 74
peter | shape:first 2 | 73
info | role:info 5 | 76
billing | role:billing 2 | 73
noreply | role:noreply -8 | 57
xkqzvwpt | gibberish:strong -30 | 22
xkqzvw | gibberish:weak -12 | 50
test | placeholder -35 | 17
deadbeefdeadbeef | hash_like -35 | 17
oberhuemer1234 | digits:4+ -10 | 53
12345 | digits:all -16 | 43
j | length:1 -10 | 53
oberhuemer.oberhuemeroberhuemer | length:30+ -8 | 57
oberhuemer+news | plus_tag -4 | 64
`;

const LIST = `
as twenty others | domain_pattern:fits 10 | 82
as three others | domain_pattern:fits 6.08 | 78
as two others | | 70
unlike three others | domain_pattern:differs -8.07 | 57
unlike twenty others | domain_pattern:differs -15 | 45
anna.schmidt of a usual company | domain_pattern:differs -0.09 | 70
pbecker of a usual company | domain_pattern:differs -0.38 | 69
maria of a usual company | domain_pattern:differs -0.44 | 69
t.wagner of a usual company | domain_pattern:differs -1.42 | 68
laurahoffmann of a usual company | domain_pattern:differs -1.42 | 68
martin_novak of a usual company | domain_pattern:differs -2.5 | 66
rossi of a usual company | domain_pattern:differs -3.99 | 64
julia.k of a usual company | domain_pattern:differs -3.99 | 64
kowalski.stefan of a usual company | domain_pattern:differs -3.99 | 64
nilssonq of a usual company | domain_pattern:differs -9.65 | 54
oberhuemer of a usual company | domain_pattern:differs -1.42 | 68
one name in 12 ways, of which this is that of twenty others | domain_pattern:fits 4.69, permutation_set:12 -30 | 28
one name in 2 ways | | 70
one name in 3 ways | permutation_set:3 -15.85 | 43
one name in 4 ways | domain_pattern:differs -8.07, permutation_set:4 -20 | 25
one name in 5 ways | domain_pattern:differs -10, permutation_set:5 -23.22 | 22
one name in 8 ways | domain_pattern:differs -14.59, permutation_set:8 -30 | 22
45 exist, 0 do not | | 70
49 exist, 0 do not | | 70
50 exist, 0 do not | list_quality:good 8 | 80
36 exist, 14 do not | list_quality:usual 0 | 70
40 exist, 12 do not | list_quality:good 2.47 | 73
26 exist, 24 do not | list_quality:poor -8.57 | 56
0 exist, 50 do not | list_quality:poor -12 | 50
`;

const DOMAIN = `
SPF ok | spf:ok 1 | 71
SPF missing | spf:missing -2 | 67
SPF several | spf:several 0 | 70
SPF sends_no_mail | spf:sends_no_mail -10 | 53
DMARC reject | dmarc:reject 2 | 73
DMARC quarantine | dmarc:quarantine 2 | 73
DMARC none | dmarc:none 1 | 71
DMARC missing | dmarc:missing -2 | 67
DKIM selectors | dkim:selectors 1 | 71
DKIM none | dkim:none 0 | 70
MTA-STS enforce | mta_sts:enforce 1 | 71
MTA-STS testing | mta_sts:testing 1 | 71
MTA-STS record | mta_sts:record 1 | 71
MTA-STS none | mta_sts:none 0 | 70
MTA-STS missing | mta_sts:missing 0 | 70
TLS-RPT present | tls_rpt:present 1 | 71
BIMI present | bimi:present 1 | 71
DANE present | dane:present 1 | 71
TLS-RPT missing | tls_rpt:missing 0 | 70
BIMI missing | bimi:missing 0 | 70
DANE missing | dane:missing 0 | 70
DNSSEC signed | dnssec:signed 1 | 71
DNSSEC unsigned | dnssec:unsigned 0 | 70
website own | website:own 2 | 73
website unreachable | website:unreachable -4 | 64
website default_page | website:default_page -5 | 62
website redirects_elsewhere | website:redirects_elsewhere -3 | 65
website redirects_sibling | website:redirects_sibling 0 | 70
website for_sale | website:for_sale 0, parking:for_sale -30 | 22
not parked | parking:none 0 | 70
parked by name_server | parking:name_server -35 | 17
parked by address | parking:address -30 | 22
parked by alias | parking:alias -30 | 22
client hold | rdap_status:client_hold -40 | 13
server hold | rdap_status:server_hold -40 | 13
redemption period | rdap_status:redemption_period -40 | 13
pending delete | rdap_status:pending_delete -40 | 13
acme.top | tld_risk:high_abuse -4 | 64
acme.gov | tld_risk:restricted 1 | 71
no wildcard | wildcard:none 0 | 70
wildcard MX | wildcard:mx -4 | 64
wildcard address | wildcard:address -2 | 67
7 days old | rdap_status:ok 0, age:7d -25 | 29
8 days old | rdap_status:ok 0, age:8d -18 | 40
30 days old | rdap_status:ok 0, age:30d -18 | 40
31 days old | rdap_status:ok 0, age:31d -12 | 50
90 days old | rdap_status:ok 0, age:90d -12 | 50
91 days old | rdap_status:ok 0, age:91d -6 | 60
180 days old | rdap_status:ok 0, age:180d -6 | 60
181 days old | rdap_status:ok 0, age:181d -3 | 65
365 days old | rdap_status:ok 0, age:365d -3 | 65
366 days old | rdap_status:ok 0, age:1y 0 | 70
1095 days old | rdap_status:ok 0, age:2y 0 | 70
1096 days old | rdap_status:ok 0, age:3y 2 | 73
3652 days old | rdap_status:ok 0, age:9y 2 | 73
3653 days old | rdap_status:ok 0, age:10y 3 | 74
moved | rdap_status:ok 0, age:5y 2, age_event:transfer -4 | 67
registered anew | rdap_status:ok 0, age:5y 2, age_event:reregistration -4 | 67
ends soon | rdap_status:ok 0, age:5y 2, age_event:expires_soon -2 | 70
published: site | published:onsite 30 | 95
published: soa | published:dns 30 | 95
WKD key | wkd:key 25 | 93
WKD none | wkd:none 0 | 70
`;

type Outcome = readonly [findings: string, score: number];

/** The table of a text, by evidence. */
function readTable(text: string): ReadonlyMap<string, Outcome> {
	const rows = text.trim().split('\n');
	return new Map(
		rows.map((row) => {
			const [name = '', findings = '', score = ''] = row.split('|').map((cell) => cell.trim());
			return [name, [findings, Number(score)]];
		}),
	);
}

function outcomeOf(signals: ReturnType<EvidenceVector[1]>): Outcome {
	// The ending of a domain is always known, and says something only where it is named.
	const told = signals.filter(({ label }) => label !== 'tld_risk:ordinary' || signals.length === 1);
	return [told.map(({ label, points }) => `${label} ${points}`).join(', '), scoreSignals(signals).score];
}

const WORLDS = [
	['local parts', MAILBOX_VECTORS, readTable(MAILBOX)],
	['lists', LIST_VECTORS, readTable(LIST)],
	['domains', DOMAIN_VECTORS, readTable(DOMAIN)],
] as const;

describe.each(WORLDS)('%s', (_, vectors, table) => {
	test.each(vectors)('%s', (name, signals) => {
		expect(outcomeOf(signals())).toEqual(table.get(name));
	});

	test('are as many as the table has', () => {
		expect(vectors.map(([name]) => name)).toEqual([...table.keys()]);
	});
});

/** Whether some vector comes out otherwise than its table says: findings and score, or the score alone. */
const someFails = (index: number, part: 'both' | 'score') => (): boolean => {
	const [, vectors, table] = WORLDS[index] ?? ['', [], new Map<string, Outcome>()];
	return vectors.some(([name, signals]) => {
		const [actual, expected] = [outcomeOf(signals()), table.get(name)];
		return part === 'both' ? !isDeepStrictEqual(actual, expected) : actual[1] !== expected?.[1];
	});
};

describe('every weight matters', () => {
	test('of a local part: moved by five points, the score changes', () => {
		expect(unnoticedMutations({ MAILBOX_WEIGHTS }, 5, someFails(0, 'both'))).toEqual([]);
		expect(unnoticedMutations({ MAILBOX_WEIGHTS }, 5, someFails(0, 'score'))).toEqual([]);
	});

	test('of a list: moved by five, a finding changes', () => {
		expect(unnoticedMutations({ LIST_WEIGHTS }, 5, someFails(1, 'both'))).toEqual([]);
	});

	test('and the score itself does, but where the cap of the group has the last word', () => {
		expect(unnoticedMutations({ LIST_WEIGHTS }, 5, someFails(1, 'score'))).toEqual([
			'LIST_WEIGHTS.patternMost +5',
			'LIST_WEIGHTS.qualityLeast -5',
			'LIST_WEIGHTS.qualityMost +5',
		]);
	});

	test('shares of patterns and of good addresses, moved by five in a hundred', () => {
		const shares = { PATTERN_PRIORS };
		expect(unnoticedMutations(shares, 0.05, someFails(1, 'score'))).toEqual([]);
		const { qualityUsual } = LIST_WEIGHTS;
		for (const by of [0.05, -0.05]) {
			LIST_WEIGHTS.qualityUsual = qualityUsual + by;
			expect(someFails(1, 'score')(), String(by)).toBe(true);
		}
		LIST_WEIGHTS.qualityUsual = qualityUsual;
		expect(someFails(1, 'both')()).toBe(false);
	});

	test('of a domain: moved by five points, a finding changes', () => {
		expect(unnoticedMutations({ DOMAIN_WEIGHTS }, 5, someFails(2, 'both'))).toEqual([]);
	});

	test('and the score itself does, but where the cap of the group has the last word', () => {
		expect(unnoticedMutations({ DOMAIN_WEIGHTS }, 5, someFails(2, 'score'))).toEqual([
			'DOMAIN_WEIGHTS.spf:sends_no_mail -5',
			'DOMAIN_WEIGHTS.website:own +5',
			'DOMAIN_WEIGHTS.website:default_page -5',
			'DOMAIN_WEIGHTS.parking:none +5',
			'DOMAIN_WEIGHTS.rdap_status:ok +5',
			'DOMAIN_WEIGHTS.rdap_status:client_hold -5',
			'DOMAIN_WEIGHTS.rdap_status:server_hold -5',
			'DOMAIN_WEIGHTS.rdap_status:redemption_period -5',
			'DOMAIN_WEIGHTS.rdap_status:pending_delete -5',
			'DOMAIN_WEIGHTS.tld_risk:restricted +5',
			'DOMAIN_WEIGHTS.age:older +5',
			'DOMAIN_WEIGHTS.wkd:none -5',
		]);
	});
});
