import { z } from 'zod';
import { pointsOf } from '../../src/core/outcomes/outcome.ts';
import type { Random } from './random.ts';

/** Outcomes of addresses with about the same points. */
export interface Band {
	readonly points: number;
	readonly delivered: number;
	readonly bounced: number;
}

/** One outcome; `account` is the place of its account in the file. */
interface Drawn {
	readonly account: number;
	readonly points: number;
	readonly isDelivered: boolean;
}

/** The outcomes can't be used, and why. */
export class Unusable extends Error {
	override readonly name = 'Unusable';
}

const count = z.int().min(0);
const exported = z.object({
	exportedAt: z.iso.datetime(),
	sources: z.array(
		z.array(z.object({ scorecard: z.string(), band: z.int(), delivered: count, hard_bounce: count })),
	),
});
export type Exported = z.infer<typeof exported>;

export function readExported(text: string): Exported {
	const parsed = exported.safeParse(JSON.parse(text));
	if (!parsed.success) throw new Unusable(`This is no export of outcomes: ${z.prettifyError(parsed.error)}`);
	return parsed.data;
}

/**
 * The outcomes of one scorecard, by band. No account gives more than half of them, or it could move everybody's scores by
 * what it tells us: from one with more, some are drawn at random.
 */
export function poolOf({ sources }: Exported, scorecard: string, random: Random): readonly Band[] {
	const byAccount = sources
		.map((counts, account) =>
			counts
				.filter((row) => row.scorecard === scorecard)
				.flatMap(({ band, delivered, hard_bounce: bounced }) => [
					...repeated({ account, points: pointsOf(band), isDelivered: true }, delivered),
					...repeated({ account, points: pointsOf(band), isDelivered: false }, bounced),
				]),
		)
		.filter((outcomes) => outcomes.length > 0)
		.toSorted((a, b) => b.length - a.length);
	const [largest = [], ...others] = byAccount;
	if (largest.length > 0 && others.length === 0)
		throw new Unusable('All outcomes are of one account, which alone must not move the scores of all');
	const rest = others.flat();
	return bandsOf([...random.shuffled(largest).slice(0, rest.length), ...rest]);
}

/** Deals the outcomes out at random into so many parts of about the same size. */
export function dealt(bands: readonly Band[], parts: number, random: Random): readonly (readonly Band[])[] {
	const empty = (): Band[] => bands.map(({ points }) => ({ points, delivered: 0, bounced: 0 }));
	const hands = Array.from({ length: parts }, empty);
	for (const [at, { points, delivered, bounced }] of bands.entries()) {
		const [good, bad] = [random.dealt(delivered, parts), random.dealt(bounced, parts)];
		for (const [part, hand] of hands.entries())
			hand[at] = { points, delivered: good[part] ?? 0, bounced: bad[part] ?? 0 };
	}
	return hands;
}

/** The counts in `bands` without those in `part` of them. */
export function without(bands: readonly Band[], part: readonly Band[]): readonly Band[] {
	return bands.map(({ points, delivered, bounced }, at) => ({
		points,
		delivered: delivered - (part[at]?.delivered ?? 0),
		bounced: bounced - (part[at]?.bounced ?? 0),
	}));
}

export function totalOf(bands: readonly Band[]): { readonly outcomes: number; readonly bounced: number } {
	const bounced = bands.reduce((sum, band) => sum + band.bounced, 0);
	return { outcomes: bands.reduce((sum, band) => sum + band.delivered, bounced), bounced };
}

function bandsOf(outcomes: readonly Drawn[]): readonly Band[] {
	return [...Map.groupBy(outcomes, ({ points }) => points)]
		.map(([points, members]) => {
			const delivered = members.filter(({ isDelivered }) => isDelivered).length;
			return { points, delivered, bounced: members.length - delivered };
		})
		.toSorted((a, b) => a.points - b.points);
}

function repeated<T>(value: T, times: number): readonly T[] {
	return Array.from({ length: times }, () => value);
}
