/** Epoch milliseconds. */
interface Clock {
	now(): number;
}

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Remembers which egresses, or probers, are out of service, and until when. They are still tried, but last: all may
 * be out.
 */
export class EgressHealth<T extends object> {
	readonly #clock: Clock;
	readonly #out = new Map<T, { readonly until: number; readonly pauseMs: number }>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Reorders: those in service first, each group in the given order. */
	prefer(order: readonly T[]): readonly T[] {
		return [...order.filter((one) => !this.#isOut(one)), ...order.filter((one) => this.#isOut(one))];
	}

	/** Leaves out those out of service, unless all are. */
	serving(order: readonly T[]): readonly T[] {
		const serving = order.filter((one) => !this.#isOut(one));
		return serving.length > 0 ? serving : order;
	}

	/** Whether it failed, and has not served since. */
	hasFailed(egress: T): boolean {
		return this.#out.has(egress);
	}

	/** Takes one out of service after a failure, for twice as long with each failure in a row. */
	failed(egress: T): void {
		const before = this.#out.get(egress);
		const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, before.pauseMs * 2);
		this.#out.set(egress, { until: this.#clock.now() + pauseMs, pauseMs });
	}

	/** Puts one back in service after a success, whatever the mail server replied. */
	worked(egress: T): void {
		this.#out.delete(egress);
	}

	#isOut(one: T): boolean {
		return (this.#out.get(one)?.until ?? 0) > this.#clock.now();
	}
}
