import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { IDENTITY, assertCurve, probabilityAt } from '../../../src/core/catchall/calibration.ts';
import type { Calibration, Curve } from '../../../src/core/catchall/calibration.ts';
import { CALIBRATION } from '../../../src/core/catchall/data/calibration.ts';
import { SCORECARD } from '../../../src/core/catchall/scorecard.ts';
import { pointsOf } from '../../../src/core/outcomes/outcome.ts';
import { Unusable, poolOf, readExported, totalOf } from '../../../tools/calibration/counts.ts';
import type { Exported } from '../../../tools/calibration/counts.ts';
import { qualityOf } from '../../../tools/calibration/measure.ts';
import { findCalibration } from '../../../tools/calibration/propose.ts';
import { Random } from '../../../tools/calibration/random.ts';

// Synthetic outcomes of which the truth is known: they test the arithmetic, and say nothing about real mail.

const IN_USE: Calibration = { scorecard: SCORECARD, version: null, curve: IDENTITY };
type Truth = (points: number) => number;

const calibrated: Truth = (points) => probabilityAt(points, IDENTITY);
/** Too sure of itself: the odds are flatter and worse than it says. */
const OVERCONFIDENT: Curve = { kind: 'platt', slope: 0.5, shift: -6 };
const overconfident: Truth = (points) => probabilityAt(points, OVERCONFIDENT);
/** Good above a line and bad below it, which no stretching tells. */
const stepped: Truth = (points) => (points < 10 ? 0.3 : points < 26 ? 0.6 : 0.93);

/** So many outcomes, spread over the bands as scores of lists are, told by some accounts. */
function outcomesOf(truth: Truth, count: number, seed: number, accounts = 4): Exported {
	const random = new Random(seed);
	const sources = Array.from(
		{ length: accounts },
		() => new Map<number, [delivered: number, bounced: number]>(),
	);
	for (let n = 0; n < count; n += 1) {
		const band = Math.round(-8 + 21 * ((random.next() + random.next()) / 2));
		const source = sources[n % accounts];
		const counts = source?.get(band) ?? [0, 0];
		counts[random.next() < truth(pointsOf(band)) ? 0 : 1] += 1;
		source?.set(band, counts);
	}
	return {
		exportedAt: '2026-11-22T00:00:00.000Z',
		sources: sources.map((bands) =>
			[...bands].map(([band, [delivered, bounced]]) => ({
				scorecard: SCORECARD,
				band,
				delivered,
				hard_bounce: bounced,
			})),
		),
	};
}

/** `count` outcomes of which so many bounced, of three accounts. */
function counted(count: number, bounces: number): Exported {
	const shareOf = (all: number, account: number): number => Math.floor((all + account) / 3);
	const row = (account: number) => ({
		scorecard: SCORECARD,
		band: account * 3,
		delivered: shareOf(count - bounces, account),
		hard_bounce: shareOf(bounces, account),
	});
	return { exportedAt: '2026-11-22T00:00:00.000Z', sources: [[row(0)], [row(1)], [row(2)]] };
}

describe('a known distortion is found', () => {
	test.each([
		[2_000, 0.1, 0.06],
		[20_000, 0.04, 0.02],
	])('of %i outcomes: slope and chances are right within %f and %f', (count, slopeError, chanceError) => {
		const { proposal } = findCalibration(outcomesOf(overconfident, count, 7), IN_USE, 1);
		expect(proposal).toMatchObject({ scorecard: SCORECARD, version: 1 });
		const curve = proposal?.curve ?? IDENTITY;
		if (curve.kind === 'platt') expect(Math.abs(curve.slope - 0.5)).toBeLessThan(slopeError);
		for (const points of [-10, 0, 10, 20, 30])
			expect(Math.abs(probabilityAt(points, curve) - overconfident(points))).toBeLessThan(chanceError);
	});

	test('with 300 outcomes too, whichever they happen to be', () => {
		for (let n = 0; n < 20; n += 1)
			expect(findCalibration(outcomesOf(overconfident, 300, n), IN_USE, n).proposal?.curve.kind).toBe(
				'platt',
			);
	});

	test('by isotonic regression where no stretching tells it, from 1,000 outcomes on', () => {
		const exported = outcomesOf(stepped, 10_000, 5);
		const { proposal, candidates } = findCalibration(exported, IN_USE, 1);
		expect(candidates.map(({ curve }) => curve.kind)).toEqual(['platt', 'isotonic']);
		expect(proposal?.curve.kind).toBe('isotonic');
		for (const points of [0, 16, 20, 32])
			expect(Math.abs(probabilityAt(points, proposal?.curve ?? IDENTITY) - stepped(points))).toBeLessThan(
				0.06,
			);
		expect(findCalibration(outcomesOf(stepped, 999, 5), IN_USE, 1).candidates).toHaveLength(1);
		expect(findCalibration(outcomesOf(stepped, 1_000, 5), IN_USE, 1).candidates).toHaveLength(2);
	});

	test('and the proposed curve is better on outcomes that it has never seen', () => {
		const { proposal, current } = findCalibration(outcomesOf(overconfident, 3_000, 9), IN_USE, 1);
		const unseen = poolOf(outcomesOf(overconfident, 20_000, 10), SCORECARD, new Random(1));
		const [before, after] = [
			qualityOf([{ curve: IDENTITY, bands: unseen }]),
			qualityOf([{ curve: proposal?.curve ?? IDENTITY, bands: unseen }]),
		];
		expect(after.logLoss).toBeLessThan(before.logLoss * 0.95);
		expect(after.ece).toBeLessThan(before.ece / 3);
		expect(current.ece).toBeGreaterThan(0.1);
	});
});

describe('nothing is proposed', () => {
	test.each([300, 1_000, 10_000])('for scores that are right already: %i outcomes, ten times', (count) => {
		const proposals = Array.from(
			{ length: 10 },
			(_, n) => findCalibration(outcomesOf(calibrated, count, 100 + n), IN_USE, n).proposal,
		);
		expect(proposals.filter((proposal) => proposal !== null)).toEqual([]);
	});

	test('once the proposal is in use', () => {
		const exported = outcomesOf(overconfident, 5_000, 7);
		const adopted = findCalibration(exported, IN_USE, 1).proposal;
		if (adopted === null) throw new Error('a distortion is found');
		expect(findCalibration(outcomesOf(overconfident, 5_000, 8), adopted, 1).proposal).toBeNull();
	});

	test('from 299 outcomes, nor from 300 with 49 bounces', () => {
		const find = (count: number, bounces: number) => () =>
			findCalibration(counted(count, bounces), IN_USE, 1);
		expect(find(299, 100)).toThrow(/Too few outcomes .* 299 with 100 bounces; it takes 300 with 50/);
		expect(find(300, 49)).toThrow(/Too few outcomes .* 300 with 49 bounces/);
		expect(find(300, 50)).not.toThrow();
	});

	test('from outcomes of another scorecard', () => {
		const other = { ...IN_USE, scorecard: 'catchall-scorecard/9.9.9' };
		expect(() => findCalibration(outcomesOf(overconfident, 2_000, 1), other, 1)).toThrow(Unusable);
	});

	test('by one account alone, and of two none has more than half of a say', () => {
		expect(() => findCalibration(outcomesOf(overconfident, 2_000, 1, 1), IN_USE, 1)).toThrow(/one account/);
		const [big, small] = [counted(1_000, 500).sources[0] ?? [], counted(400, 200).sources[0] ?? []];
		const pool = poolOf({ exportedAt: '', sources: [small, big] }, SCORECARD, new Random(1));
		expect(totalOf(pool).outcomes).toBe(
			2 * small.reduce((sum, row) => sum + row.delivered + row.hard_bounce, 0),
		);
	});
});

test('the same seed gives the same findings, whatever the machine', () => {
	const exported = outcomesOf(overconfident, 1_500, 2);
	expect(findCalibration(exported, IN_USE, 4)).toEqual(findCalibration(exported, IN_USE, 4));
	const [one, other] = [4, 5].map((seed) => findCalibration(exported, IN_USE, seed).candidates[0]?.quality);
	expect(one).not.toEqual(other);
});

test('the calibration in use is for the scorecard in use, and rises', () => {
	expect(CALIBRATION.scorecard).toBe(SCORECARD);
	expect(() => assertCurve(CALIBRATION.curve)).not.toThrow();
});

test.each<[string, Curve]>([
	['falls', { kind: 'platt', slope: -0.1, shift: 0 }],
	[
		'falls between two knots',
		{
			kind: 'isotonic',
			knots: [
				[0, 0.5],
				[4, 0.4],
			],
		},
	],
	[
		'goes back',
		{
			kind: 'isotonic',
			knots: [
				[4, 0.5],
				[0, 0.6],
			],
		},
	],
	[
		'is certain',
		{
			kind: 'isotonic',
			knots: [
				[0, 0.5],
				[4, 1],
			],
		},
	],
])('a curve that %s is refused', (_, curve) => {
	expect(() => assertCurve(curve)).toThrow();
});

describe('npm run calibrate', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'calibrate-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	function run(exported: unknown, name: string): { code: number; text: string; out: string } {
		const [file, out] = [path.join(folder, `${name}.json`), path.join(folder, `${name}.ts`)];
		writeFileSync(file, JSON.stringify(exported));
		try {
			const text = execFileSync(process.execPath, ['tools/calibrate.ts', file, '--out', out], {
				encoding: 'utf8',
				stdio: 'pipe',
			});
			return { code: 0, text, out };
		} catch (error) {
			const { status, stderr } = error as { status: number; stderr: string };
			return { code: status, text: stderr, out };
		}
	}

	test('reports by band and writes a version that the service can load', async () => {
		const { code, text, out } = run(outcomesOf(overconfident, 2_000, 7), 'distorted');
		expect(code).toBe(0);
		expect(text).toMatch(/2000 outcomes/);
		expect(text).toMatch(/log-loss +ECE/);
		expect(text).toMatch(/Proposed: catchall-scorecard\/1\.2\.0\+1/);
		const written = readFileSync(out, 'utf8');
		const value = /CALIBRATION: Calibration = (\{.*\});\n$/s.exec(written)?.[1] ?? '';
		const calibration = JSON.parse(value) as Calibration;
		expect(calibration).toMatchObject({ scorecard: SCORECARD, version: 1 });
		expect(() => assertCurve(calibration.curve)).not.toThrow();
	});

	test('says why it proposes nothing', () => {
		expect(run(outcomesOf(calibrated, 2_000, 7), 'right')).toMatchObject({
			code: 0,
			text: expect.stringMatching(/No version is proposed/),
		});
		expect(run(counted(299, 100), 'few')).toMatchObject({ code: 1, text: expect.stringMatching(/Too few/) });
		expect(run({ sources: 'none' }, 'broken')).toMatchObject({
			code: 1,
			text: expect.stringMatching(/no export/),
		});
	});

	test('reads nothing but counts', () => {
		expect(() =>
			readExported('{"exportedAt":"2026-11-22T00:00:00.000Z","sources":[[{"email":"a@x.test"}]]}'),
		).toThrow(Unusable);
	});
});
