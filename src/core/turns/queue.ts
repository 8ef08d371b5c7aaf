import type { Ask, Gate } from './gate.ts';
import { shareOf, weightOf } from './who.ts';
import type { Urgency } from './who.ts';

const URGENCIES: readonly Urgency[] = ['single', 'small', 'list'];

/**
 * The questions that wait at a gate. The share that took least in the last minutes is next: a newcomer, by construction, and
 * thousands of questions of one share cost another nothing.
 */
export class Queue<W extends Ask> {
	/** By member and urgency, in the order in which they came. */
	readonly #flows = new Map<string, Set<W>>();

	get size(): number {
		return [...this.#flows.values()].reduce((sum, { size }) => sum + size, 0);
	}

	/** The least that all of them take. */
	get recipients(): number {
		return [...this.#flows.values()].reduce(
			(sum, flow) => sum + [...flow].reduce((of, { least }) => of + least, 0),
			0,
		);
	}

	add(waiter: W): void {
		const flow = this.#flows.get(nameOf(waiter)) ?? new Set();
		this.#flows.set(nameOf(waiter), flow.add(waiter));
	}

	remove(waiter: W): void {
		const flow = this.#flows.get(nameOf(waiter));
		flow?.delete(waiter);
		if (flow?.size === 0) this.#flows.delete(nameOf(waiter));
	}

	/** All, whose turn it is first. */
	*inTurn(gate: Pick<Gate, 'rankOf' | 'recent'>, now: number): Generator<W> {
		const flows = [...this.#flows.values()].map((flow) => {
			const { member, urgency } = headOf(flow);
			const rank = gate.rankOf(member, urgency, now);
			return { flow, rank, lane: laneOf(headOf(flow)), recent: gate.recent(member, now) };
		});
		flows.sort((a, b) => a.rank - b.rank || a.lane - b.lane || a.recent - b.recent);
		for (const { flow } of flows) yield* flow;
	}

	/**
	 * How much is served before the waiter's turn if no other comes, in recipients and in new connections: what of its
	 * share is ahead, and others until they took as much by their weight.
	 */
	before(waiter: W, gate: Pick<Gate, 'rankOf'>, now: number): { recipients: number; dials: number } {
		const { member, urgency } = waiter;
		const ahead = { recipients: 0, dials: 0 };
		const add = (flow: ReadonlySet<W>, most: number): void => {
			let left = most;
			for (const one of flow) {
				if (one === waiter || left <= 0) return;
				left -= one.least;
				ahead.recipients += one.least;
				ahead.dials += Number(one.dials);
			}
		};
		const flows = [...this.#flows.values()].map((flow) => ({ flow, ...headOf(flow) }));
		const ofShare = flows.filter((of) => shareOf(of.member) === shareOf(member));
		for (const of of ofShare) if (laneOf(of) <= laneOf(waiter)) add(of.flow, Infinity);
		const rank = gate.rankOf(member, urgency, now) + ahead.recipients / weightOf(member, urgency);
		for (const of of flows) {
			const lead = rank - gate.rankOf(of.member, of.urgency, now);
			if (!ofShare.includes(of)) add(of.flow, lead * weightOf(of.member, of.urgency));
		}
		return ahead;
	}
}

function nameOf({ member, urgency }: Ask): string {
	return `${member} ${urgency}`;
}

function laneOf({ urgency }: Ask): number {
	return URGENCIES.indexOf(urgency);
}

/** A flow is never empty. */
function headOf<W>(flow: ReadonlySet<W>): W {
	const [head] = flow;
	return head as W;
}
