import type { Ask, Gate } from './gate.ts';
import { shareOf } from './who.ts';
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

	/** What of the waiter's share is ahead of it, in recipients and in new connections, and how many shares wait. */
	before(waiter: W): { readonly recipients: number; readonly dials: number; readonly shares: number } {
		const share = shareOf(waiter.member);
		const shares = new Set([share]);
		let [recipients, dials] = [0, 0];
		for (const flow of this.#flows.values()) {
			const head = headOf(flow);
			shares.add(shareOf(head.member));
			if (shareOf(head.member) !== share || laneOf(head) > laneOf(waiter)) continue;
			for (const one of flow) {
				if (one === waiter) break;
				recipients += one.least;
				dials += Number(one.dials);
			}
		}
		return { recipients, dials, shares: shares.size };
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
