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

/** The sections of a breakdown, in the order in which they move the score. */
export const SECTIONS = [
	'domain_triage',
	'domain_age',
	'mailbox',
	'smtp',
	'public_evidence',
	'list',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** The section that a group of evidence belongs to. */
export const SECTION_OF: Readonly<Record<SignalGroup, SectionName>> = {
	route: 'domain_triage',
	auth: 'domain_triage',
	mx: 'domain_triage',
	web: 'domain_triage',
	parking: 'domain_triage',
	lists: 'domain_triage',
	smtp_stack: 'domain_triage',
	age: 'domain_age',
	mailbox: 'mailbox',
	pattern: 'mailbox',
	smtp: 'smtp',
	footprint: 'public_evidence',
	list_quality: 'list',
	history: 'list',
};

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
	/** By how much the signal alone would move the base, whole: the same number in every score. */
	readonly effect: number;
}

export interface Scored {
	/** 2-98, whole. */
	readonly score: number;
	/** Base and signals about the address after all limits; ten double the odds. */
	readonly points: number;
	/** The score without any evidence. `base` and all moves add up to `score`. */
	readonly base: number;
	/** By how much each section moves the score, whole: the effects of its signals, limited by caps and by the scale. */
	readonly moves: Readonly<Record<SectionName, number>>;
	/** Sorted, independently of the order of the input. */
	readonly signals: readonly WeighedSignal[];
}

/**
 * The score of an address on a domain that accepts every recipient: 100 times the chance that a mailbox is there.
 *
 * @param curve The only place where points become probabilities; by default the calibration in use.
 */
export function scoreSignals(signals: readonly Signal[], curve: Curve = CALIBRATION.curve): Scored {
	const base = scoreAt(SCALE.base, curve);
	const [moves, total] = [noMoves(), SCALE.base + pointsOf(signals)];
	let [seen, score] = [SCALE.base, base];
	for (const section of SECTIONS) {
		seen += pointsOf(signals.filter(({ group }) => SECTION_OF[group] === section));
		// The last section ends at the total, which sums in the order of the groups: two orders may differ by a rounding.
		const after = scoreAt(section === SECTIONS.at(-1) ? total : seen, curve);
		moves[section] = after - score;
		score = after;
	}
	return {
		score,
		points: within(total, -SCALE.limit, SCALE.limit),
		base,
		moves,
		signals: signals
			.toSorted(inOrder)
			.map((signal) => ({ ...signal, effect: scoreAt(SCALE.base + signal.points, curve) - base })),
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
	const alone = scoreSignals(signals.filter(({ group }) => group !== 'list_quality'));
	const quality = signals.filter(({ group }) => group === 'list_quality');
	if (quality.length === 0) return alone;
	const points = pointsOf(quality);
	const moved = within(
		scoreSignals(signals).score,
		alone.score + Math.ceil(Math.min(0, points)),
		alone.score + Math.floor(Math.max(0, points)),
	);
	const score = within(moved, ...rangeOf(alone.score));
	const weighed = quality.map((signal) => ({ ...signal, effect: Math.trunc(signal.points) + 0 }));
	return {
		...alone,
		score,
		moves: { ...alone.moves, list: alone.moves.list + score - alone.score },
		signals: [...alone.signals, ...weighed].toSorted(inOrder),
	};
}

function noMoves(): Record<SectionName, number> {
	return { domain_triage: 0, domain_age: 0, mailbox: 0, smtp: 0, public_evidence: 0, list: 0 };
}

/** By group (in the order of `SIGNAL_GROUPS`), then by label, then by points where a label occurs twice. */
function inOrder(a: Signal, b: Signal): number {
	if (a.group !== b.group) return SIGNAL_GROUPS.indexOf(a.group) - SIGNAL_GROUPS.indexOf(b.group);
	if (a.label !== b.label) return a.label < b.label ? -1 : 1;
	return a.points - b.points;
}

/** The points of the groups, each within its cap, whatever the order of the signals. */
function pointsOf(signals: readonly Signal[]): number {
	const sorted = signals.toSorted(inOrder);
	const capped = SIGNAL_GROUPS.map((group) => {
		const points = sorted.filter((signal) => signal.group === group).map((signal) => signal.points);
		return within(
			points.reduce((all, one) => all + one, 0),
			...CAPS[group],
		);
	});
	return capped.reduce((all, one) => all + one, 0);
}

function within(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}

/** The whole score of a total of points: the only place where points become a score. */
function scoreAt(points: number, curve: Curve): number {
	return Math.round(100 * probabilityAt(within(points, -SCALE.limit, SCALE.limit), curve));
}
