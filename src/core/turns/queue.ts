import type { Gate } from './gate.ts';
import { weightOf } from './who.ts';
import type { Urgency, Who } from './who.ts';

/** A question that waits for its turn. */
export interface Waiter {
	readonly who: Who;
	readonly urgency: Urgency;
	/** Recipients that are asked about when the turn comes. */
	readonly least: number;
	/** It needs a new connection, as far as was known when it came. */
	readonly dials: boolean;
}

const URGENCIES: readonly Urgency[] = ['single', 'small', 'list'];

/**
 * The questions that wait at a gate. The share that took least in the last minutes is next: a newcomer, by construction, and
 * thousands of questions of one share cost another nothing.
 */
export class Queue<W extends Waiter> {
	/** By member and urgency, in the order in which they came. */
	readonly #flows = new Map<string, Set<W>>();
	#size = 0;

	get size(): number {
		return this.#size;
	}

	/** How many of a share wait. */
	sizeOf(share: string): number {
		let size = 0;
		for (const flow of this.#flows.values()) if (headOf(flow).who.share === share) size += flow.size;
		return size;
	}

	add(waiter: W): void {
		const name = `${waiter.who.member} ${waiter.urgency}`;
		const flow = this.#flows.get(name);
		if (flow === undefined) this.#flows.set(name, new Set([waiter]));
		else flow.add(waiter);
		this.#size += 1;
	}

	remove(waiter: W): void {
		const name = `${waiter.who.member} ${waiter.urgency}`;
		const flow = this.#flows.get(name);
		if (flow?.delete(waiter) !== true) return;
		this.#size -= 1;
		if (flow.size === 0) this.#flows.delete(name);
	}

	/** All, whose turn it is first. */
	*inTurn(gate: Pick<Gate, 'rankOf' | 'recent'>, now: number): Generator<W> {
		const flows = [...this.#flows.values()].map((flow) => {
			const { who, urgency } = headOf(flow);
			const rank = gate.rankOf(who, urgency, now);
			return { flow, rank, lane: URGENCIES.indexOf(urgency), recent: gate.recent(who.member, now) };
		});
		flows.sort((a, b) => a.rank - b.rank || a.lane - b.lane || a.recent - b.recent);
		for (const { flow } of flows) yield* flow;
	}

	/**
	 * How much is served before the waiter's turn if no other comes, in recipients and in new connections: what of its
	 * share is ahead, and others until they took as much by their weight.
	 */
	before(waiter: Waiter, gate: Pick<Gate, 'rankOf'>, now: number): { recipients: number; dials: number } {
		const { who, urgency } = waiter;
		const ahead = { recipients: 0, dials: 0 };
		const others = new Map<string, { head: W; recipients: number; dials: number }>();
		for (const flow of this.#flows.values()) {
			const head = headOf(flow);
			const isOwn = head.who.share === who.share;
			if (isOwn && URGENCIES.indexOf(head.urgency) > URGENCIES.indexOf(urgency)) continue;
			const name = `${head.who.share} ${head.urgency}`;
			const other = others.get(name) ?? { head, recipients: 0, dials: 0 };
			if (!isOwn) others.set(name, other);
			const sum = isOwn ? ahead : other;
			for (const one of flow) {
				if ((one as Waiter) === waiter) break;
				sum.recipients += one.least;
				sum.dials += Number(one.dials);
			}
		}
		const rank = gate.rankOf(who, urgency, now) + ahead.recipients / weightOf(who.share, urgency);
		for (const { head, recipients, dials } of others.values()) {
			const lead = (rank - gate.rankOf(head.who, head.urgency, now)) * weightOf(head.who.share, head.urgency);
			const part = Math.min(1, Math.max(0, lead) / recipients);
			ahead.recipients += part * recipients;
			ahead.dials += part * dials;
		}
		return ahead;
	}
}

/** A flow is never empty. */
function headOf<W>(flow: ReadonlySet<W>): W {
	const [head] = flow;
	return head as W;
}
