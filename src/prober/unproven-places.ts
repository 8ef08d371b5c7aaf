import { shareName, unprovenMax } from '../core/politeness/shares.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import type { Clock, ConversationRequest } from './ports.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';

/** A place, to be left when the conversation is over. */
export interface UnprovenPlace {
	/** @param answered whether the host said something of use; null: it was never reached, by a fault of ours */
	leave(answered: boolean | null): void;
}

interface Line {
	inUse: number;
	readonly most: number;
	/** In the order in which they came. */
	readonly waiting: (() => void)[];
	/** How long a place is kept, by those who left theirs last. */
	averageMs: number;
	/** Up to when places are promised, epoch ms. */
	promisedUntil: number;
}

// A host that answered somebody is taken to live for this long.
const PROVEN_MS = 3_600_000;
const PROVEN_MAX = 50_000;
// Until something is measured.
const AVERAGE_MS = 1_000;
// Of the latest in the average.
const WEIGHT = 0.2;
// Sooner than this nobody need come back.
const COME_BACK_MS = 5_000;
const LINES_MIN = 1_000;

/**
 * The places of each asker for hosts that did not answer anybody lately. Dead and silent hosts are most of what costs
 * time: here they cost that of the asker who brought them. Who can't be served in time is told when to come back, one
 * after the other, as fast as places become free.
 */
export class UnprovenPlaces {
	readonly #clock: Clock;
	readonly #lines = new Map<string, Line>();
	readonly #proven = new ExpiringMap<true>(PROVEN_MAX);

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Waits for a place as long as the question may; nobody waits for a host that answered lately. */
	async enter({
		address,
		asker,
		class: urgency,
		deadline,
	}: Pick<ConversationRequest, 'address' | 'asker' | 'class' | 'deadline'>): Promise<
		UnprovenPlace | { readonly kind: 'busy'; readonly until: number }
	> {
		const now = this.#clock.now();
		if (this.#proven.get(address, now) === true) return this.#outside(address);
		const line = this.#lineOf(asker, urgency === 'single');
		if (line.inUse >= line.most) {
			const patienceMs = deadline - now - CONVERSATION_MS_MIN;
			const expectedMs = ((line.waiting.length + 1) * line.averageMs) / line.most;
			if (expectedMs > patienceMs || !(await this.#wait(line, patienceMs)))
				return { kind: 'busy', until: this.#promise(line) };
		} else line.inUse += 1;
		const begun = this.#clock.now();
		return {
			leave: (answered) => {
				line.averageMs += WEIGHT * (this.#clock.now() - begun - line.averageMs);
				this.#outside(address).leave(answered);
				const next = line.waiting.shift();
				// The place is handed on as it is.
				if (next === undefined) line.inUse -= 1;
				else next();
			},
		};
	}

	/** A proven host that falls silent has to prove itself again. */
	#outside(address: string): UnprovenPlace {
		return {
			leave: (answered) => {
				if (answered === null) return;
				if (answered) this.#proven.set(address, true, this.#clock.now() + PROVEN_MS);
				else this.#proven.delete(address);
			},
		};
	}

	/** Whether a place was handed on in time. */
	async #wait(line: Line, patienceMs: number): Promise<boolean> {
		const { promise, resolve } = Promise.withResolvers<void>();
		let isServed = false;
		const serve = (): void => {
			isServed = true;
			resolve();
		};
		line.waiting.push(serve);
		const patience = new AbortController();
		await Promise.race([promise, this.#clock.sleep(patienceMs, patience.signal)]);
		patience.abort();
		if (!isServed) line.waiting.splice(line.waiting.indexOf(serve), 1);
		return isServed;
	}

	#promise(line: Line): number {
		const soonest = this.#clock.now() + COME_BACK_MS;
		line.promisedUntil = Math.max(soonest, line.promisedUntil + line.averageMs / line.most);
		return Math.ceil(line.promisedUntil);
	}

	#lineOf(asker: ConversationRequest['asker'], urgent: boolean): Line {
		const name = shareName(asker, urgent);
		const known = this.#lines.get(name);
		if (known !== undefined) return known;
		if (this.#lines.size >= LINES_MIN) this.#forget();
		const most = unprovenMax(asker, urgent);
		const line: Line = { inUse: 0, most, waiting: [], averageMs: AVERAGE_MS, promisedUntil: 0 };
		this.#lines.set(name, line);
		return line;
	}

	/** Those that nobody uses, and in which nothing is promised. */
	#forget(): void {
		const now = this.#clock.now();
		for (const [name, { inUse, promisedUntil }] of this.#lines)
			if (inUse === 0 && promisedUntil <= now) this.#lines.delete(name);
	}
}
