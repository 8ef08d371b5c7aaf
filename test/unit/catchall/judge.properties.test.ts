import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECTIONS } from '../../../src/core/catchall/scorecard.ts';
import type { CoverageItem } from '../../../src/core/catchall/breakdown.ts';
import type { CatchAllEvidence, MailEvidence } from '../../../src/core/catchall/evidence.ts';
import { verdictOn } from '../../../src/core/catchall/judge.ts';
import { SIGNAL_GROUPS } from '../../../src/core/catchall/scorecard.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import {
	GOOGLE,
	makeSignal,
	MIMECAST,
	NO_SUCH_USER,
	OK,
	PROOFPOINT,
	YAHOO,
} from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import {
	DISABLED,
	BLOCKED,
	GREYLISTED,
	TEMPORARY,
	LIMITED,
	POLICY,
	FULL,
	FULL_FOR_NOW,
	BUSY,
	THREE,
	THRESHOLDS,
	judge,
	ruleOf,
} from '../../support/unit/catch-all-judgement.ts';

// A busy machine may take its time over ten thousand cases.
const MANY = { numRuns: 1_000 };
// A rule decides most cases that are drawn: this many that the score decides take thousands of cases.
const FEW_BY_SCORE = { numRuns: 150 };

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
const otherSignals = fc
	.array(fc.tuple(fc.constantFrom(...SIGNAL_GROUPS), fc.integer({ min: -50, max: 50 })), { maxLength: 8 })
	.map((drawn) => drawn.map(([group, points], at) => makeSignal(group, points, `${group}:${at}`)));
const rests = fc.record<Partial<CatchAllEvidence>>(
	{
		signals: otherSignals,
		measured: fc
			.subarray(['auth', 'web', 'parking', 'age', 'mailbox'] as const)
			.map((items) => new Set<CoverageItem>(items)),
		lists: fc.record({
			disposable: fc.constantFrom(false, false, false, true),
			suggestedDomain: fc.constantFrom(null, null, null, 'gmail.com'),
		}),
		registrationEnded: fc.constantFrom(false, false, false, true),
		ageNotTold: fc.boolean(),
		ownOutcome: fc.oneof(
			fc.constant(null),
			fc.record({ kind: fc.constantFrom('hard_bounce', 'delivered'), ageDays: fc.nat({ max: 400 }) }),
		),
		mail: fc.constantFrom<MailEvidence>(
			{ kind: 'null_mx' },
			{ kind: 'no_such_domain' },
			{ kind: 'no_mail_host' },
			{ kind: 'undetermined', cause: 'server_failure' },
		),
	},
	{ requiredKeys: ['signals', 'measured', 'lists'] },
);
const told = fc
	.record<Told>(
		{
			host: fc.constantFrom(GOOGLE, PROOFPOINT, MIMECAST, YAHOO, 'mail.x.test'),
			target: replies,
			invented: strangers,
			control: fc.constantFrom(OK, NO_SUCH_USER),
			hosts: fc.integer({ min: 1, max: 3 }),
			viaBackup: fc.constantFrom(false, false, false, true),
			greeting: fc.constantFrom('220 mail.x.test ESMTP', '220 ****'),
			keywords: fc.constantFrom(['STARTTLS'], []),
			rest: rests,
			probe: fc.constantFrom<NonNullable<Told['probe']>>(
				{ kind: 'no_connect' },
				{ kind: 'dns_error' },
				{ kind: 'unroutable' },
				{ kind: 'paused', why: 'rate_limited' },
			),
		},
		{ requiredKeys: ['host', 'target', 'invented', 'rest'] },
	)
	.map((drawn) => (fc.hash(JSON.stringify(drawn)) % 4 === 0 ? drawn : withoutDetours(drawn)));
const lines = fc
	.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 100 }))
	.filter(([below, from]) => below < from)
	.map(([invalidBelow, validFrom]) => ({ invalidBelow, validFrom }));
const thresholds = fc.oneof(fc.constant(THRESHOLDS), lines);

/** Most conversations do take place. */
function withoutDetours({ probe: _probe, ...drawn }: Told): Told {
	const { mail: _mail, ...rest } = drawn.rest ?? {};
	return { ...drawn, rest };
}

test('on every row, base and sections add up to the score, the score to the verdict, the verdict to the status', () => {
	const seen = new Set<string>();
	fc.assert(
		fc.property(told, thresholds, (evidence, drawnLines) => {
			const judgement = judge(evidence, drawnLines);
			const { score, verdict, subStatus, breakdown } = judgement;
			expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
			const sections = SECTIONS.map((name) => breakdown[name].score);
			expect(sections.every(Number.isInteger)).toBe(true);
			expect(sections.reduce((sum, one) => sum + one, breakdown.base)).toBe(score);
			expect(breakdown.explanations.reduce((sum, { effect }) => sum + effect, breakdown.base)).toBe(score);
			// With the line at 0 no score is low enough for `invalid`.
			if (verdict !== 'invalid' || drawnLines.invalidBelow > 0)
				expect(verdictOn(score, drawnLines)).toBe(verdict);
			const status = { valid: 'deliverable', invalid: 'undeliverable', unknown: 'unknown' } as const;
			expect(statusOf(subStatus)).toBe(status[verdict]);
			expect(judge(evidence, drawnLines)).toEqual(judgement);
			for (const rule of ruleOf(judgement)) seen.add(rule);
			seen.add(verdict);
		}),
		MANY,
	);
	// The property has been through every kind of outcome, and not past them.
	expect([...seen].filter((rule) => rule.startsWith('gate:')).length).toBeGreaterThanOrEqual(9);
	expect([...seen].filter((rule) => rule.startsWith('unknown:')).length).toBeGreaterThanOrEqual(10);
});

test('the order in which signals were measured does not matter', () => {
	const shuffled = told.chain((evidence) => {
		const signals = evidence.rest?.signals ?? [];
		return fc.tuple(fc.constant(evidence), fc.shuffledSubarray([...signals], { minLength: signals.length }));
	});
	fc.assert(
		fc.property(shuffled, ([evidence, signals]) => {
			expect(judge({ ...evidence, rest: { ...evidence.rest, signals } })).toEqual(judge(evidence));
		}),
		MANY,
	);
});

test('a better signal never makes a worse score, unless it takes away the reason for doubt', () => {
	fc.assert(
		fc.property(told, fc.nat(), fc.integer({ min: 0, max: 60 }), (evidence, position, gain) => {
			const signals = evidence.rest?.signals ?? [];
			const better = signals.map((one, at) =>
				at === position % signals.length ? { ...one, points: one.points + gain } : one,
			);
			const [before, after] = [signals, better].map((known) =>
				judge({ ...evidence, rest: { ...evidence.rest, signals: known } }),
			);
			// A published address at a provider that accepts everybody lets the signals speak, whatever they say.
			fc.pre(!ruleOf(before!).includes('unknown:accepts_everything'));
			expect(after!.score).toBeGreaterThanOrEqual(before!.score);
		}),
		MANY,
	);
});

test('an address has one verdict with and without its list, and the list’s quality moves the score by its shown points at most', () => {
	fc.assert(
		fc.property(told, fc.integer({ min: -50, max: 50 }), thresholds, (evidence, points, drawnLines) => {
			const signals = (evidence.rest?.signals ?? []).filter(({ group }) => group !== 'list_quality');
			const quality = makeSignal('list_quality', points, 'list_quality:drawn');
			const [alone, listed] = [signals, [...signals, quality]].map((known) =>
				judge({ ...evidence, rest: { ...evidence.rest, signals: known } }, drawnLines),
			);
			expect([listed!.verdict, listed!.subStatus]).toEqual([alone!.verdict, alone!.subStatus]);
			expect(listed!.rule).toBe(alone!.rule);
			fc.pre(listed!.rule === null);
			const move = listed!.score - alone!.score;
			expect(move).toBeGreaterThanOrEqual(Math.max(-12, Math.min(0, points)));
			expect(move).toBeLessThanOrEqual(Math.min(8, Math.max(0, points)));
			expect(listed!.breakdown.list.score - alone!.breakdown.list.score).toBe(move);
		}),
		FEW_BY_SCORE,
	);
});

test('no address is valid by its score while the registry has not told how old the domain is', () => {
	let gated = 0;
	fc.assert(
		fc.property(told, thresholds, (drawn, drawnLines) => {
			const [known, notTold] = [false, true].map((ageNotTold) =>
				judge({ ...drawn, rest: { ...drawn.rest, ageNotTold } }, drawnLines),
			);
			const isByScore = notTold!.rule === null;
			expect(isByScore && notTold!.verdict === 'valid').toBe(false);
			// It takes nothing but that away, and turns nothing into `invalid`.
			if (known!.verdict !== 'valid' || known!.rule !== null) expect(notTold).toEqual(known);
			else {
				gated += 1;
				expect(notTold).toMatchObject({ verdict: 'unknown', rule: 'unknown:age_not_told' });
			}
		}),
		MANY,
	);
	expect(gated).toBeGreaterThan(0);
});
