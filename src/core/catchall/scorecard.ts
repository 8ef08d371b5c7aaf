import { assert } from '../../lib/assert.ts';
import { assertCurve, probabilityAt } from './calibration.ts';
import type { Curve } from './calibration.ts';
import { CALIBRATION } from './data/calibration.ts';

/** The groups of evidence. The scorecard's `CAPS` say how much each may move the total. */
export const SIGNAL_GROUPS = [
	'route',
	'auth',
	'mx',
	'web',
	'parking',
	'lists',
	'smtp_stack',
	'age',
	'mailbox',
	'pattern',
	'list_quality',
	'smtp',
	'footprint',
	'history',
] as const;
export type SignalGroup = (typeof SIGNAL_GROUPS)[number];

/** One measured fact. A fact that could not be measured gives no signal: it costs coverage, never points. */
export interface Signal {
	readonly group: SignalGroup;
	/** Unique among the signals of an address: what was measured and its result, `dmarc:reject`. */
	readonly label: string;
	/** +10 doubles the odds that a message reaches a mailbox, -10 halves them; 0: measured, but neutral. */
	readonly points: number;
	/** One sentence for people, without the address. */
	readonly text: string;
}

/** The version of the weights and limits that turn signals into points. */
export const SCORECARD = 'catchall-scorecard/1.2.0';

/**
 * The version of everything that turns evidence into a score and a verdict. Any change of a weight or a rule needs a new
 * one; a calibrated one ends in `+` and its number. 1.1.0: the domain alone makes no mailbox `valid`. 1.2.0: the quality of a
 * list changes no verdict. The weights are those of 1.0.0.
 */
export const MODEL = CALIBRATION.version === null ? SCORECARD : `${SCORECARD}+${CALIBRATION.version}`;

// A curve is valid for the scorecard whose outcomes it was fitted to: a change of weights needs a new curve.
assert(CALIBRATION.scorecard === SCORECARD, 'the calibration is for this scorecard');
assertCurve(CALIBRATION.curve);

/**
 * `base`: points before any evidence. A healthy B2B list address on a catch-all domain reaches a mailbox about seven
 * times in ten. `limit`: the largest total, positive or negative, so that an estimate (2 to 98) never looks like a
 * proof.
 */
export const SCALE = { base: 12, limit: 56 };

/**
 * How much one kind of evidence may move the total, in points: [least, most]. All domain hygiene together is worth
 * little, because a healthy domain says little about one mailbox; one strong negative outweighs it.
 */
export const CAPS: Readonly<Record<SignalGroup, readonly [least: number, most: number]>> = {
	route: [0, 20],
	auth: [-10, 5],
	mx: [-10, 1],
	web: [-5, 2],
	parking: [-40, 0],
	lists: [-45, 1],
	smtp_stack: [-6, 1],
	age: [-29, 3],
	mailbox: [-40, 6],
	pattern: [-30, 10],
	list_quality: [-12, 8],
	smtp: [-20, 35],
	footprint: [0, 35],
	history: [-25, 20],
};

interface WeighedSignal extends Signal {
	/** By how much the signal moves the score, whole. Its sign never contradicts that of the points. */
	readonly effect: number;
}

export interface Scored {
	/** 2-98, whole. */
	readonly score: number;
	/** Base and signals about the address after all limits; ten double the odds. */
	readonly points: number;
	/** The score without any evidence. `base` and all effects add up to `score`. */
	readonly base: number;
	/** Sorted, independently of the order of the input. */
	readonly signals: readonly WeighedSignal[];
}

/**
 * The score of an address on a domain that accepts every recipient: 100 times the chance that a mailbox is there.
 *
 * @param curve The only place where points become probabilities; by default the calibration in use.
 */
export function scoreSignals(signals: readonly Signal[], curve: Curve = CALIBRATION.curve): Scored {
	const sorted = signals.toSorted(inOrder);
	const groups = SIGNAL_GROUPS.map((group) => weighGroup(sorted, group));
	const raw = groups.reduce((sum, { points }) => sum + points, 0);
	const wanted = SCALE.base + raw;
	const total = within(wanted, -SCALE.limit, SCALE.limit);
	// A total beyond the limit scales all signals by the same share, as a group beyond its cap does.
	const share = total === wanted ? 1 : (total - SCALE.base) / raw;
	const slope = share * pointsToScore(total, curve);
	const exact = groups.flatMap(({ members }) => members).map((points) => points * slope);
	const [score, base] = [Math.round(scoreAt(total, curve)), Math.round(scoreAt(SCALE.base, curve))];
	const effects = wholeParts(exact, score - base);
	return {
		score,
		points: total,
		base,
		signals: sorted.map((signal, at) => ({ ...signal, effect: effects[at] ?? 0 })),
	};
}

/**
 * The score of an address of a list. The list's quality says nothing about this mailbox, so it moves the score by no more
 * than its own points, and never to another verdict: an address has one answer, in a list and alone.
 *
 * @param rangeOf the lowest and the highest score with the same verdict
 */
export function scoreInList(
	signals: readonly Signal[],
	rangeOf: (score: number) => readonly [least: number, most: number],
): Scored {
	const ofMailbox = signals.filter(({ group }) => group !== 'list_quality');
	const alone = scoreSignals(ofMailbox);
	const quality = signals.filter(({ group }) => group === 'list_quality').toSorted(inOrder);
	if (quality.length === 0) return alone;
	const { points, members } = weighGroup(quality, 'list_quality');
	const moved = within(
		scoreSignals(signals).score,
		alone.score + Math.ceil(Math.min(0, points)),
		alone.score + Math.floor(Math.max(0, points)),
	);
	const score = within(moved, ...rangeOf(alone.score));
	const share = points === 0 ? 0 : (score - alone.score) / points;
	const effects = wholeParts(
		members.map((one) => one * share),
		score - alone.score,
	);
	const weighed = quality.map((signal, at) => ({ ...signal, effect: effects[at] ?? 0 }));
	return { ...alone, score, signals: [...alone.signals, ...weighed].toSorted(inOrder) };
}

/** By group (in the order of `SIGNAL_GROUPS`), then by label, then by points where a label occurs twice. */
function inOrder(a: Signal, b: Signal): number {
	if (a.group !== b.group) return SIGNAL_GROUPS.indexOf(a.group) - SIGNAL_GROUPS.indexOf(b.group);
	if (a.label !== b.label) return a.label < b.label ? -1 : 1;
	return a.points - b.points;
}

/** The group's points within its cap, and each member's part of them, scaled in proportion. */
function weighGroup(
	sorted: readonly Signal[],
	group: SignalGroup,
): { points: number; members: readonly number[] } {
	const members = sorted.filter((signal) => signal.group === group).map(({ points }) => points);
	const sum = members.reduce((all, points) => all + points, 0);
	const points = within(sum, ...CAPS[group]);
	const share = points === sum ? 1 : points / sum;
	return { points, members: members.map((one) => one * share) };
}

function within(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}

function scoreAt(points: number, curve: Curve): number {
	return 100 * probabilityAt(points, curve);
}

// Half the distance over which the slope of the curve is measured.
const NEAR_POINTS = 1e-4;

/** The mean score per point between the base and `total`; where they are equal, the slope of the curve there. */
function pointsToScore(total: number, curve: Curve): number {
	const way = total - SCALE.base;
	if (Math.abs(way) > 1e-9) return (scoreAt(total, curve) - scoreAt(SCALE.base, curve)) / way;
	return (scoreAt(total + NEAR_POINTS, curve) - scoreAt(total - NEAR_POINTS, curve)) / (2 * NEAR_POINTS);
}

/** Whole numbers that add up to `sum`, by largest remainder; among equals the first comes first. */
function wholeParts(exact: readonly number[], sum: number): readonly number[] {
	const floors = exact.map(Math.floor);
	const missing = sum - floors.reduce((all, one) => all + one, 0);
	const unserved = exact
		.map((value, at) => ({ at, fraction: value - Math.floor(value) }))
		.filter(({ fraction }) => fraction > 0)
		.toSorted((a, b) => b.fraction - a.fraction || a.at - b.at);
	// Score and base are each rounded by at most a half, so the missing rest is no larger than the number of
	// fractions.
	assert(missing >= 0 && missing <= unserved.length, 'what is missing can be shared out among the fractions');
	const served = new Set(unserved.slice(0, missing).map(({ at }) => at));
	return floors.map((floor, at) => (served.has(at) ? floor + 1 : floor) + 0);
}
