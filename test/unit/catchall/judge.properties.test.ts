import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CatchAllEvidence } from '../../../src/core/catchall/judge.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { finding, FINDING_NAMES } from '../../../src/core/catchall/table.ts';
import type { FindingName } from '../../../src/core/catchall/table.ts';
import { statusOf, verdictOf } from '../../../src/core/verification/sub-status.ts';
import { expectSums } from '../../support/sums.ts';
import { HOSTS, judge, NEUTRAL, REPLIES } from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import { makeFacts, registration } from '../../support/unit/domain-facts.ts';

const MANY = { numRuns: 1_000 };
const { ok, gone } = REPLIES;
const replies = fc.constantFrom<string | null>(...Object.values(REPLIES));
const strangers = fc.oneof(
	fc.constantFrom([ok, ok, ok], [ok, ok, ok], [ok, ok], [gone, gone, gone]),
	fc.array(replies, { maxLength: 3 }),
);
// Of the domain, the name, its list and its website. The judge makes those of the route itself.
const OF_THE_ROUTE = /^(?:route|randoms|reply|disposable|typo)/;
const OTHERS = FINDING_NAMES.filter((name) => !OF_THE_ROUTE.test(name));
const findings = fc.subarray(OTHERS, { maxLength: 8 }).map((names) => names.map((name) => finding(name)));
const EVERYTHING = { ...NEUTRAL, website: 'redirects' } as const;
const rests = fc.record<Partial<CatchAllEvidence>>(
	{
		findings,
		facts: fc.constantFrom(
			EVERYTHING,
			EVERYTHING,
			NEUTRAL,
			makeFacts({ spf: 'ok', dmarc: 'reject', registration: 'not_told' }),
			{ ...NEUTRAL, registration: registration({ age: 9, holds: ['pending delete'] }) },
			null,
		),
		lists: fc.record({
			disposable: fc.constantFrom(false, false, false, true),
			suggestedDomain: fc.constantFrom(null, null, null, 'gmail.com'),
		}),
		ownOutcome: fc.constantFrom(null, 'hard_bounce', 'delivered'),
	},
	{ requiredKeys: ['findings', 'facts', 'lists'] },
);
const hosts = fc.constantFrom(...Object.values(HOSTS));
const told = fc
	.record<Told>(
		{
			host: hosts,
			target: replies,
			invented: strangers,
			control: fc.constantFrom(ok, gone),
			viaBackup: fc.constantFrom(false, false, false, true),
			rest: rests,
			answer: fc.constantFrom<NonNullable<Told['answer']>>(
				'does_not_accept_mail',
				'invalid_domain',
				'no_mx_records',
				'unroutable_mx',
				'dns_error',
				'no_connect',
				'rate_limited',
			),
		},
		{ requiredKeys: ['host', 'target', 'invented', 'rest'] },
	)
	.map((drawn) => (fc.hash(JSON.stringify(drawn)) % 4 === 0 ? drawn : withoutDetours(drawn)));

/** Most conversations do take place. */
function withoutDetours({ answer: _answer, ...drawn }: Told): Told {
	return drawn;
}

/** Accepted like every invented recipient, with everything looked at. */
const plainly = (host: string, names: readonly FindingName[]): Told => ({
	host,
	rest: { findings: names.map((name) => finding(name)), facts: EVERYTHING },
});

test('on every row the findings and one line at most add up to the score, the score is the status', () => {
	fc.assert(
		fc.property(told, (evidence) => {
			const judged = judge(evidence);
			const { score, subStatus, breakdown } = judged;
			expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
			expectSums({ email: '', score, breakdown });
			const rules = breakdown.explanations.filter(({ signal }) => /^(?:gate|unknown|held):/.test(signal));
			expect(rules.map(({ signal }) => signal)).toEqual(judged.rule === null ? [] : [judged.rule]);
			const status = { valid: 'deliverable', invalid: 'undeliverable', unknown: 'unknown' } as const;
			expect(statusOf(subStatus)).toBe(status[verdictOf(score)]);
		}),
		MANY,
	);
	// Such evidence leads to every kind of outcome: by one seed, since a thousand draws miss a rare one now and then.
	const drawn = fc.sample(told, { ...MANY, seed: 1 });
	const seen = new Set(drawn.map((evidence) => judge(evidence).rule ?? 'sum'));
	for (const [kind, least] of [
		['gate:', 9],
		['unknown:', 10],
		['held:', 1],
		['sum', 1],
	] as const)
		expect([...seen].filter((rule) => rule.startsWith(kind)).length, kind).toBeGreaterThanOrEqual(least);
});

const mailbox = fc.oneof(
	fc.stringMatching(/^[a-z]{1,14}$/),
	fc.stringMatching(/^[bcdfghjklmnpqrstvwxz]{4,12}$/),
	fc.stringMatching(/^\d{1,12}$/),
	fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,30}[a-z0-9]$/),
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
	fc.constantFrom(...'dmtrvkrsv hvanderschueren 20210345 x xu ng test noreply deadbeefdeadbeef'.split(' ')),
);
// Everything about a domain that moves the number alone, at its worst.
const WORST: readonly FindingName[] = ['spf:missing', 'dmarc:missing', 'website:unreachable', 'age:months'];

test('no name makes an address invalid by its look, alone or unlike the others of its list', () => {
	fc.assert(
		fc.property(mailbox, hosts, fc.subarray([...WORST]), fc.boolean(), (name, host, worst, differs) => {
			const { rest, ...about } = plainly(host, [
				...worst,
				...(differs ? ['domain_pattern:differs' as const] : []),
			]);
			const looked = [...(rest?.findings ?? []), mailboxFinding(name)];
			const { score } = judge({ ...about, rest: { ...rest, findings: looked } });
			expect(score, name).toBeGreaterThan(20);
		}),
		MANY,
	);
});

// The policies, the website and the age of a grown-up domain.
const SMALL = [
	['spf:ok', 'spf:missing', 'spf:several', 'spf:sends_no_mail'],
	['dmarc:reject', 'dmarc:quarantine', 'dmarc:none', 'dmarc:missing'],
	['website:own', 'website:unreachable', 'website:default_page', 'website:redirects'],
	['age:months', 'age:years', 'age:long'],
] as const;
const DECISIVE = OTHERS.filter((name) => !SMALL.flat().some((small) => small === name));
const small = fc.tuple(...SMALL.map((names) => fc.constantFrom<FindingName>(...names)));

test('no small finding decides: the same evidence has the same verdict at a domain that is kept well or badly', () => {
	fc.assert(
		fc.property(
			hosts,
			fc.subarray(DECISIVE, { maxLength: 3 }),
			small,
			small,
			(host, decisive, one, other) => {
				const [first, second] = [one, other].map((names) =>
					verdictOf(judge(plainly(host, [...decisive, ...names])).score),
				);
				expect(second).toBe(first);
			},
		),
		MANY,
	);
});

// Confirmed, it has 97, and 90 as a role or where nobody knows whether the domain is a catch-all.
test('a guess never outranks a mailbox that its server confirmed', () => {
	fc.assert(
		fc.property(told, (evidence) => {
			const { score, rule } = judge(evidence);
			if (rule === null || rule.startsWith('held:')) expect(score).toBeLessThan(90);
		}),
		MANY,
	);
});

test('the order in which findings were made does not matter, and none is valid while the age was not told', () => {
	fc.assert(
		fc.property(told, fc.nat(), (evidence, at) => {
			const known = evidence.rest?.findings ?? [];
			const cut = at % (known.length + 1);
			const rest = { ...evidence.rest, findings: [...known.slice(cut), ...known.slice(0, cut)] };
			const [one, other] = [judge(evidence), judge({ ...evidence, rest })];
			expect([other.score, other.rule, other.subStatus]).toEqual([one.score, one.rule, one.subStatus]);
			const facts = { ...EVERYTHING, registration: 'not_told' } as const;
			const notTold = judge({ ...evidence, rest: { ...rest, facts } });
			if (notTold.rule === null || notTold.rule.startsWith('held:'))
				expect(verdictOf(notTold.score)).not.toBe('valid');
		}),
		MANY,
	);
});
