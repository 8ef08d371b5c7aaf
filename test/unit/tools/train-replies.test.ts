import { readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NOT_LABELLED, readLabelled, readWordings } from '../../../tools/replies/corpus.ts';
import { moduleOf, prepare, train } from '../../../tools/replies/model.ts';
import { METHODS, judge, leaveOneGroupOut, scoreOf } from '../../../tools/replies/validate.ts';
import type { Method } from '../../../tools/replies/validate.ts';

const wordings = readWordings().map(prepare);
const weights = train(wordings);

test('the stored weights are what the tool makes of the training file', () => {
	const stored = readFileSync(
		new URL('../../../src/core/smtp/reply-words/data/weights.ts', import.meta.url),
		'utf8',
	);
	expect(moduleOf(weights)).toBe(stored);
});

describe('each group judged by what the others taught', () => {
	const judged = leaveOneGroupOut(wordings);

	test.each(Object.keys(METHODS) as Method[])(
		'%s: no reply about anything else is taken for a missing mailbox',
		(method) => {
			expect(scoreOf(judged, method)).toMatchObject({ wrong: 0 });
		},
	);

	test('the words find most that the rules miss, and a second witness finds more', () => {
		const found = (method: Parameters<typeof scoreOf>[1]) => scoreOf(judged, method).recognised;
		const { missing } = scoreOf(judged, 'rules alone');
		const missed = missing - found('rules alone');
		expect(missed).toBeGreaterThan(50);
		expect((found('rules, then words') - found('rules alone')) / missed).toBeGreaterThan(0.75);
		expect(found('rules, then words, seconded')).toBeGreaterThan(found('rules, then words'));
	});
});

const labelled = readLabelled();

test('of the labelled replies, from which nothing is learnt, the words alone accuse none and find three quarters', ({
	skip,
}) => {
	skip(labelled === null, NOT_LABELLED);
	const checked = (labelled ?? []).map((example) => judge(prepare(example), weights));
	const { wrong, recognised, missing } = scoreOf(checked, 'words alone');
	expect(wrong).toBe(0);
	expect(scoreOf(checked, 'words alone, seconded').wrong).toBe(0);
	expect(missing).toBeGreaterThan(0);
	expect(recognised / missing).toBeGreaterThan(0.75);
});
