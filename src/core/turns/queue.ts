import { weightOf } from './who.ts';
import type { Urgency, Who } from './who.ts';
import type { Gate } from './gate.ts';

/** A question that waits for its turn. */
export interface Waiter {
	readonly who: Who;
	readonly urgency: Urgency;
	/** Recipients that are asked about when the turn comes. */
	readonly cost: number;
}

/** The waiting questions of one member and urgency, in the order in which they came. */
interface Flow<W> {
	readonly who: Who;
	readonly urgency: Urgency;
	readonly waiting: W[];
}

/** The turns before a turn. */
interface Ahead {
	recipients: number;
	dials: number;
}

const URGENCIES: readonly Urgency[] = ['single', 'small', 'list'];

/**
 * The questions that wait at a gate. The share that took least in the last minutes is next: a newcomer, by construction, and
 * thousands of questions of one share cost another nothing.
 */
export class Queue<W extends Waiter> {
	readonly #flows = new Map<string, Flow<W>>();
	#size = 0;

	get size(): number {
		return this.#size;
	}

	/** How many of a share wait. */
	sizeOf(share: string): number {
		return sumOf(this.#flows.values(), (flow) => (flow.who.share === share ? flow.waiting.length : 0));
	}

	add(waiter: W): void {
		const { who, urgency } = waiter;
		const name = nameOf(waiter);
		const flow = this.#flows.get(name) ?? { who, urgency, waiting: [] };
		this.#flows.set(name, flow);
		flow.waiting.push(waiter);
		this.#size += 1;
	}

	remove(waiter: W): void {
		const name = nameOf(waiter);
		const waiting = this.#flows.get(name)?.waiting ?? [];
		const at = waiting.indexOf(waiter);
		if (at < 0) return;
		waiting.splice(at, 1);
		this.#size -= 1;
		if (waiting.length === 0) this.#flows.delete(name);
	}

	/** All, whose turn it is first. */
	*inTurn(gate: Pick<Gate, 'rankOf' | 'recent'>, now: number): Generator<W> {
		const flows = [...this.#flows.values()].map((flow) => ({
			...flow,
			rank: gate.rankOf(flow.who, flow.urgency, now),
			recent: gate.recent(flow.who.member, now),
			lane: URGENCIES.indexOf(flow.urgency),
		}));
		flows.sort((a, b) => a.rank - b.rank || a.lane - b.lane || a.recent - b.recent);
		for (const { waiting } of flows) yield* waiting;
	}

	/**
	 * How much is served before the waiter's turn if no other comes, in recipients and in new connections: what of its
	 * share is ahead, and others until they took as much by their weight.
	 */
	before(waiter: W, gate: Pick<Gate, 'rankOf'>, now: number, dials: (one: W) => boolean): Ahead {
		const { who, urgency } = waiter;
		const lane = URGENCIES.indexOf(urgency);
		const ahead = { recipients: 0, dials: 0 };
		const others = new Map<string, Ahead & Pick<Flow<W>, 'who' | 'urgency'>>();
		for (const flow of this.#flows.values()) {
			const isOwn = flow.who.share === who.share;
			if (isOwn && URGENCIES.indexOf(flow.urgency) > lane) continue;
			const name = `${flow.who.share} ${flow.urgency}`;
			const { who: of, urgency: how } = flow;
			const other = others.get(name) ?? { who: of, urgency: how, recipients: 0, dials: 0 };
			if (!isOwn) others.set(name, other);
			const sum = isOwn ? ahead : other;
			for (const one of flow.waiting) {
				if (one === waiter) break;
				sum.recipients += one.cost;
				sum.dials += dials(one) ? 1 : 0;
			}
		}
		const rank = gate.rankOf(who, urgency, now) + ahead.recipients / weightOf(who.share, urgency);
		for (const other of others.values()) {
			const lead = rank - gate.rankOf(other.who, other.urgency, now);
			const part = Math.min(
				1,
				Math.max(0, lead * weightOf(other.who.share, other.urgency)) / other.recipients,
			);
			ahead.recipients += part * other.recipients;
			ahead.dials += part * other.dials;
		}
		return ahead;
	}
}

function nameOf({ who, urgency }: Waiter): string {
	return `${who.member} ${urgency}`;
}

function sumOf<T>(all: Iterable<T>, of: (one: T) => number): number {
	let sum = 0;
	for (const one of all) sum += of(one);
	return sum;
}
