import type { Ask, Gate } from './gate.ts';
import { shareOf, weightOf } from './who.ts';
import type { Urgency } from './who.ts';

const URGENCIES: readonly Urgency[] = ['single', 'small', 'list'];

type Ranks = Pick<Gate, 'rankOf' | 'recent'>;

/**
 * The questions that wait at a gate, whose turn it is first. The share that took least in the last minutes is next: a
 * newcomer, by construction, and thousands of questions of one share cost another nothing.
 *
 * @param waiting in the order in which they came
 */
export function* inTurn<W extends Ask>(waiting: readonly W[], gate: Ranks, now: number): Generator<W> {
	const flows = flowsOf(waiting, gate, now);
	flows.sort((a, b) => a.rank - b.rank || a.lane - b.lane || a.recent - b.recent);
	for (const { all } of flows) yield* all;
}

/**
 * How much is served before a question's turn if no other comes, in recipients and in new connections: what of its
 * share is ahead, and others until they took as much by their weight.
 */
export function aheadOf(ask: Ask, waiting: readonly Ask[], gate: Ranks, now: number) {
	const ahead = { recipients: 0, dials: 0 };
	const add = (all: readonly Ask[], most: number): void => {
		let left = most;
		for (const one of all) {
			if (one === ask || left <= 0) return;
			left -= one.least;
			ahead.recipients += one.least;
			ahead.dials += Number(one.dials);
		}
	};
	const flows = flowsOf(waiting, gate, now);
	const [share, lane] = [shareOf(ask.member), laneOf(ask)];
	for (const one of flows) if (one.share === share && one.lane <= lane) add(one.all, Infinity);
	const { member, class: urgency } = ask;
	const rank = gate.rankOf(member, urgency, now) + ahead.recipients / weightOf(member, urgency);
	for (const one of flows) if (one.share !== share) add(one.all, (rank - one.rank) * one.weight);
	return ahead;
}

/** The questions by member and urgency. */
function flowsOf<W extends Ask>(waiting: readonly W[], gate: Ranks, now: number) {
	const flows = Map.groupBy(waiting, ({ member, class: urgency }) => `${urgency} ${member}`);
	return [...flows.values()].map((all) => {
		// None is empty.
		const [head] = all as [W, ...W[]];
		const { member, class: urgency } = head;
		const [rank, weight] = [gate.rankOf(member, urgency, now), weightOf(member, urgency)];
		return {
			all,
			share: shareOf(member),
			lane: laneOf(head),
			rank,
			weight,
			recent: gate.recent(member, now),
		};
	});
}

function laneOf({ class: urgency }: Ask): number {
	return URGENCIES.indexOf(urgency);
}
