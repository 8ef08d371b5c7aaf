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
			return { flow, rank, lane: URGENCIES.indexOf(urgency), recent: gate.recent(member, now) };
		});
		flows.sort((a, b) => a.rank - b.rank || a.lane - b.lane || a.recent - b.recent);
		for (const { flow } of flows) yield* flow;
	}

	/**
	 * How much is served before the waiter's turn if no other comes, in recipients and in new connections: what of its
	 * share is ahead, and others until they took as much by their weight.
	 */
	before(waiter: W, gate: Pick<Gate, 'rankOf'>, now: number): { recipients: number; dials: number } {
		const share = shareOf(waiter.member);
		const ahead = { recipients: 0, dials: 0 };
		const others = new Map<string, { head: W; recipients: number; dials: number }>();
		for (const flow of this.#flows.values()) {
			const head = headOf(flow);
			const isOwn = shareOf(head.member) === share;
			if (isOwn && URGENCIES.indexOf(head.urgency) > URGENCIES.indexOf(waiter.urgency)) continue;
			const name = `${shareOf(head.member)} ${head.urgency}`;
			const other = others.get(name) ?? { head, recipients: 0, dials: 0 };
			if (!isOwn) others.set(name, other);
			const sum = isOwn ? ahead : other;
			for (const one of flow) {
				if (one === waiter) break;
				sum.recipients += one.least;
				sum.dials += Number(one.dials);
			}
		}
		const rank =
			gate.rankOf(waiter.member, waiter.urgency, now) +
			ahead.recipients / weightOf(waiter.member, waiter.urgency);
		for (const { head, recipients, dials } of others.values()) {
			const lead = (rank - gate.rankOf(head.member, head.urgency, now)) * weightOf(head.member, head.urgency);
			const part = Math.min(1, Math.max(0, lead) / recipients);
			ahead.recipients += part * recipients;
			ahead.dials += part * dials;
		}
		return ahead;
	}
}

function nameOf({ member, urgency }: Ask): string {
	return `${member} ${urgency}`;
}

/** A flow is never empty. */
function headOf<W>(flow: ReadonlySet<W>): W {
	const [head] = flow;
	return head as W;
}
