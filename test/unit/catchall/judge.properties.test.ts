import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgement, sumOf, verdictOf } from '../../../src/core/catchall/breakdown.ts';
import type { CoverageItem } from '../../../src/core/catchall/breakdown.ts';
import type { CatchAllEvidence } from '../../../src/core/catchall/evidence.ts';
import type { MailRoute } from '../../../src/core/dns/find-mail-exchangers.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { finding, FINDING_NAMES, SECTIONS } from '../../../src/core/catchall/table.ts';
import type { FindingName } from '../../../src/core/catchall/table.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import {
	GOOGLE,
	MIMECAST,
	NO_SUCH_USER,
	OK,
	PROOFPOINT,
	YAHOO,
} from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import {
	BLOCKED,
	BUSY,
	DISABLED,
	FULL,
	FULL_FOR_NOW,
	GREYLISTED,
	LIMITED,
	POLICY,
	TEMPORARY,
	THREE,
	judge,
	ruleOf,
} from '../../support/unit/catch-all-judgement.ts';

const MANY = { numRuns: 1_000 };

const replies = fc.constantFrom<string | null>(
	OK,
	'250 2.1.5 local recipient ok',
	NO_SUCH_USER,
	DISABLED,
	BLOCKED,
	GREYLISTED,
	TEMPORARY,
	LIMITED,
	POLICY,
	FULL,
	FULL_FOR_NOW,
	BUSY,
	'252 cannot verify',
	null,
);
const strangers = fc.oneof(
	fc.constantFrom(THREE(OK), THREE(OK), [OK, OK], THREE(NO_SUCH_USER)),
	fc.array(replies, { maxLength: 3 }),
);
// Of the domain, the name, its list and its website. The judge makes those of the route itself.
const OF_THE_ROUTE = /^(?:route|randoms|reply|disposable|typo)/;
const OTHERS = FINDING_NAMES.filter((name) => !OF_THE_ROUTE.test(name));
const findings = fc.subarray(OTHERS, { maxLength: 8 }).map((names) => names.map((name) => finding(name)));
const rests = fc.record<Partial<CatchAllEvidence>>(
	{
		findings,
		measured: fc
			.subarray(['auth', 'web', 'parking', 'age', 'mailbox'] as const)
			.map((items) => new Set<CoverageItem>(items)),
		lists: fc.record({
			disposable: fc.constantFrom(false, false, false, true),
			suggestedDomain: fc.constantFrom(null, null, null, 'gmail.com'),
		}),
		registrationEnded: fc.constantFrom(false, false, false, true),
		ageNotTold: fc.boolean(),
		ownOutcome: fc.constantFrom(null, 'hard_bounce', 'delivered'),
		route: fc.constantFrom<MailRoute>(
			{ kind: 'null_mx' },
			{ kind: 'no_such_domain' },
			{ kind: 'no_mail_host' },
			{ kind: 'undetermined', cause: 'server_failure' },
		),
	},
	{ requiredKeys: ['findings', 'measured', 'lists'] },
);
const HOSTS = [GOOGLE, PROOFPOINT, MIMECAST, YAHOO, 'mail.x.test'] as const;
const told = fc
	.record<Told>(
		{
			host: fc.constantFrom(...HOSTS),
			target: replies,
			invented: strangers,
			control: fc.constantFrom(OK, NO_SUCH_USER),
			viaBackup: fc.constantFrom(false, false, false, true),
			rest: rests,
			probe: fc.constantFrom<NonNullable<Told['probe']>>(
				{ kind: 'no_connect', tried: 1 },
				{ kind: 'dns_error' },
				{ kind: 'unroutable' },
				{ kind: 'paused', why: 'rate_limited' },
			),
		},
		{ requiredKeys: ['host', 'target', 'invented', 'rest'] },
	)
	.map((drawn) => (fc.hash(JSON.stringify(drawn)) % 4 === 0 ? drawn : withoutDetours(drawn)));

/** Most conversations do take place. */
function withoutDetours({ probe: _probe, ...drawn }: Told): Told {
	const { route: _route, ...rest } = drawn.rest ?? {};
	return { ...drawn, rest };
}

/** Accepted like every invented recipient, with everything looked at. */
const plainly = (
	host: string,
	names: readonly FindingName[],
	rest: Partial<CatchAllEvidence> = {},
): Told => ({
	host,
	rest: { findings: names.map((name) => finding(name)), measured: EVERYTHING, ...rest },
});
const EVERYTHING = new Set<CoverageItem>(['auth', 'web', 'parking', 'age', 'mailbox']);

test('on every row the findings and one line at most add up to the score, the score is the verdict, the verdict the status', () => {
	const seen = new Set<string>();
	fc.assert(
		fc.property(told, (evidence) => {
			const judged = judge(evidence);
			const { score, verdict, subStatus, breakdown } = judged;
			expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
			const sections = SECTIONS.map((name) => breakdown[name].score);
			expect(sections.reduce((sum, one) => sum + one, breakdown.base)).toBe(score);
			expect(breakdown.explanations.reduce((sum, { effect }) => sum + effect, breakdown.base)).toBe(score);
			expect(ruleOf(judged)).toEqual(judged.rule === null ? [] : [judged.rule]);
			expect(verdictOf(score)).toBe(verdict);
			const status = { valid: 'deliverable', invalid: 'undeliverable', unknown: 'unknown' } as const;
			expect(statusOf(subStatus)).toBe(status[verdict]);
			seen.add(judged.rule ?? 'sum').add(verdict);
		}),
		MANY,
	);
	// The property has been through every kind of outcome, and not past them.
	for (const [kind, least] of [
		['gate:', 9],
		['unknown:', 10],
		['held:', 1],
		['sum', 1],
	] as const)
		expect([...seen].filter((rule) => rule.startsWith(kind)).length, kind).toBeGreaterThanOrEqual(least);
});

const KNOWN = {
	score: 50,
	subStatus: 'catch_all_unresolved',
	coverage: 1,
	isCatchAll: true,
	rule: null,
} as const;

test('a finding moves the score by the same points in every score', () => {
	fc.assert(
		fc.property(findings, fc.constantFrom(...OTHERS), (known, name) => {
			const more = finding(name);
			expect(sumOf([...known, more]) - sumOf(known)).toBe(more.points);
			const { explanations } = judgement([...known, more], KNOWN).breakdown;
			if (more.points !== 0)
				expect(explanations).toContainEqual({ signal: name, effect: more.points, text: more.text });
		}),
	);
});

const mailbox = fc.oneof(
	fc.stringMatching(/^[a-z]{1,14}$/),
	fc.stringMatching(/^[bcdfghjklmnpqrstvwxz]{4,12}$/),
	fc.stringMatching(/^\d{1,12}$/),
	fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,30}[a-z0-9]$/),
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
	fc.constantFrom(
		'dmtrvkrsv',
		'hvanderschueren',
		'20210345',
		'x',
		'xu',
		'ng',
		'test',
		'noreply',
		'deadbeefdeadbeef',
	),
);
// Everything about a domain that moves the number alone, at its worst.
const WORST: readonly FindingName[] = ['spf:missing', 'dmarc:missing', 'website:unreachable', 'age:months'];

test('no name makes an address invalid by its look, alone or unlike the others of its list', () => {
	fc.assert(
		fc.property(
			mailbox,
			fc.constantFrom(...HOSTS),
			fc.subarray([...WORST]),
			fc.boolean(),
			(name, host, worst, differs) => {
				const { rest, ...about } = plainly(host, [
					...worst,
					...(differs ? ['domain_pattern:differs' as const] : []),
				]);
				const looked = [...(rest?.findings ?? []), mailboxFinding(name, 'acme.example')];
				const { score, verdict } = judge({ ...about, rest: { ...rest, findings: looked } });
				expect(verdict, name).not.toBe('invalid');
				expect(score).toBeGreaterThan(20);
			},
		),
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
			fc.constantFrom(GOOGLE, 'smtpin.rzone.de', PROOFPOINT, 'mail.x.test'),
			fc.subarray(DECISIVE, { maxLength: 3 }),
			small,
			small,
			(host, decisive, one, other) => {
				const [first, second] = [one, other].map((names) => judge(plainly(host, [...decisive, ...names])));
				expect(second?.verdict).toBe(first?.verdict);
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
			const notTold = judge({ ...evidence, rest: { ...rest, ageNotTold: true } });
			if (notTold.rule === null || notTold.rule.startsWith('held:'))
				expect(notTold.verdict).not.toBe('valid');
		}),
		MANY,
	);
});
