import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SECTIONS } from '../../../src/core/catchall/scorecard.ts';
import { domainSignals, publishedSignals } from '../../../src/core/catchall/domain-signals.ts';
import { addressDigest } from '../../../src/core/catchall/domain/published.ts';
import { mailboxSignals } from '../../../src/core/catchall/mailbox/mailbox-signals.ts';
import type { Judgement } from '../../../src/core/catchall/judge.ts';
import { SIGNAL_GROUPS } from '../../../src/core/catchall/scorecard.ts';
import type { Signal } from '../../../src/core/catchall/scorecard.ts';
import { GOOGLE, makeSignal, OK } from '../../support/unit/catch-all-evidence.ts';
import { BUSY, judge, ruleOf, words } from '../../support/unit/catch-all-judgement.ts';
import { makeFacts, registration } from '../../support/unit/domain-facts.ts';
import { readGoldenVectors } from './golden-vectors.ts';

const MEASURED = new Set(['auth', 'web', 'parking', 'age', 'mailbox'] as const);

const POLISHED = domainSignals(
	makeFacts({
		dns: { spf: 'ok', dmarc: 'reject', dkim: 'selectors', parking: { kind: 'none' }, dnssec: 'signed' },
		mtaSts: 'enforce',
		website: 'own',
		registration: registration({ age: 5000 }),
	}),
);

/** The judgement of a mailbox at a well-kept domain whose host only accepts strangers where a catch-all was set up. */
function atHealthyGoogle(localPart: string, more: readonly Signal[] = [], target = OK): Judgement {
	const signals = [...POLISHED, ...mailboxSignals(localPart, { domain: 'x.test' }), ...more];
	return judge({ host: GOOGLE, hosts: 2, target, rest: { signals, measured: MEASURED } });
}

const adds = ({ score, breakdown }: Judgement): boolean =>
	SECTIONS.reduce((sum, name) => sum + breakdown[name].score, breakdown.base) === score;

describe('a well-kept domain alone makes none of its mailboxes valid', () => {
	test.each(['xq7zr9kk', 'zqxjkvbw', 'wlqtz', 'unheardofname', 'x'])('%s', (localPart) => {
		const judgement = atHealthyGoogle(localPart);
		expect(judgement.verdict).not.toBe('valid');
		expect(judgement.score).toBeLessThan(88);
		expect(adds(judgement)).toBe(true);
	});

	test('the breakdown says so in plain words, and shows the difference in smtp', () => {
		const judgement = atHealthyGoogle('xq7zr9kk');
		expect(words(judgement)).toBe('unknown 87 catch_all_unresolved');
		expect(ruleOf(judgement)).toEqual(['unknown:domain_alone']);
		const { breakdown } = judgement;
		const rule = breakdown.explanations.find(({ signal }) => signal === 'unknown:domain_alone');
		expect(rule?.text).toMatch(/nothing that was found speaks for this very mailbox/);
		expect(rule?.effect).toBeLessThan(0);
		expect(breakdown.smtp.score).toBe(rule?.effect);
		expect(breakdown.model).toBe('catchall-scorecard/1.2.0');
	});

	test('one point for the mailbox is enough, and none is not', () => {
		const at = (points: number): string =>
			judge({
				host: GOOGLE,
				rest: { signals: [makeSignal('auth', 5), makeSignal('mailbox', points)], measured: MEASURED },
			}).verdict;
		expect([at(0), at(1)]).toEqual(['unknown', 'valid']);
	});
});

describe('a reason for this very mailbox lets the score speak', () => {
	const fits = makeSignal('pattern', 10, 'domain_pattern:fits');
	const published = publishedSignals(
		makeFacts({ publishedInDns: [{ digest: addressDigest('unheardofname', 'acme.com'), where: 'site' }] }),
		'unheardofname',
	);

	test.each<[string, () => Judgement]>([
		['a name that is known', () => atHealthyGoogle('peter.schmidt')],
		['a function that companies have', () => atHealthyGoogle('info')],
		['neighbours written alike', () => atHealthyGoogle('oberhuemer', [fits])],
		['a publication', () => atHealthyGoogle('unheardofname', published)],
		['words of the server for it alone', () => atHealthyGoogle('unheardofname', [], BUSY)],
	])('%s', (_, found) => {
		const judgement = found();
		expect(judgement.verdict).toBe('valid');
		expect(ruleOf(judgement)).toEqual([]);
		expect(adds(judgement)).toBe(true);
	});

	test('a known name that its neighbours contradict is no reason', () => {
		const differs = makeSignal('pattern', -15, 'domain_pattern:differs');
		expect(ruleOf(atHealthyGoogle('pschmidt', [differs]))).toEqual(['unknown:domain_alone']);
	});
});

test('whatever speaks for the domain, its route and its list, no mailbox becomes valid by it', () => {
	const others = SIGNAL_GROUPS.filter(
		(group) => !['mailbox', 'pattern', 'smtp', 'footprint'].includes(group),
	);
	const about = fc.array(fc.tuple(fc.constantFrom(...others), fc.integer({ min: -10, max: 60 })), {
		maxLength: 12,
	});
	const against = fc.array(
		fc.tuple(fc.constantFrom('mailbox', 'pattern', 'smtp', 'footprint'), fc.integer({ min: -40, max: 0 })),
		{ maxLength: 4 },
	);
	fc.assert(
		fc.property(about, against, (good, bad) => {
			const signals = [...good, ...bad].map(([group, points], at) =>
				makeSignal(group, points, `${group}:${at}`),
			);
			const judgement = judge({ host: GOOGLE, rest: { signals, measured: MEASURED } });
			expect(judgement.verdict).not.toBe('valid');
			expect(adds(judgement)).toBe(true);
		}),
		{ numRuns: 5_000 },
	);
});

describe('the golden vectors that are valid', () => {
	const valid = readGoldenVectors().filter(({ verdict }) => verdict === 'valid');

	test.each(valid)('$name has a reason for its mailbox, so it stays valid', ({ signals, score }) => {
		const others = signals.filter(({ group }) => group !== 'route' && group !== 'smtp_stack');
		// The route and the encryption come from the conversation.
		const rest = { signals: others, measured: MEASURED };
		expect(ruleOf(judge({ rest }))).toEqual([]);
		expect(score).toBeGreaterThanOrEqual(88);
	});
});
