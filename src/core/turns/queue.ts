import type { Ask, Gate } from './gate.ts';
import { shareOf, weightOf } from './who.ts';
import type { Urgency } from './who.ts';

const URGENCIES: readonly Urgency[] = ['single', 'small', 'list'];

/**
 * The questions that wait at a gate, in the order of their turns if no other comes. The share that took least in the last
 * minutes is next: a newcomer, by construction, and thousands of questions of one share cost another nothing. Each of
 * them stands behind what its share took and has ahead of it, by weight; within a share the member who took least is first.
 *
 * @param waiting in the order in which they came
 */
export function inTurn<W extends Ask>(
	waiting: readonly W[],
	gate: Pick<Gate, 'recent'>,
	now: number,
): readonly W[] {
	const members = Map.groupBy(waiting, ({ member, class: urgency }) => `${urgency} ${member}`);
	const flows = [...members.values()].map((all) => {
		// None is empty.
		const [{ member, class: urgency }] = all as [W, ...W[]];
		return { all, member, urgency, lane: URGENCIES.indexOf(urgency), recent: gate.recent(member, now) };
	});
	flows.sort((a, b) => a.lane - b.lane || a.recent - b.recent);
	const took = new Map<string, number>();
	const places = flows.flatMap(({ all, member, urgency }) => {
		const share = shareOf(member);
		let amount = took.get(share) ?? gate.recent(share, now);
		const placed = all.map((one) => {
			const at = amount / weightOf(member, urgency);
			amount += one.least;
			return { one, at };
		});
		took.set(share, amount);
		return placed;
	});
	return places.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
}
