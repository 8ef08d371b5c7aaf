import type { Egress } from '../core/egress/egress.ts';
import type { Clock } from '../engine/ports.ts';

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;

/** Which egresses are out, and until when. An egress that failed is asked last, not never: it may be the only one. */
export class EgressHealth {
	readonly #clock: Clock;
	readonly #out = new Map<Egress, { readonly until: number; readonly pauseMs: number }>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** The same egresses: those in service first, each group in the order given. */
	prefer(order: readonly Egress[]): readonly Egress[] {
		const now = this.#clock.now();
		const isOut = (egress: Egress): boolean => (this.#out.get(egress)?.until ?? 0) > now;
		return [...order.filter((egress) => !isOut(egress)), ...order.filter(isOut)];
	}

	/** It could not be used: out of service for a while, twice as long each time in a row. */
	failed(egress: Egress): void {
		const before = this.#out.get(egress);
		const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, before.pauseMs * 2);
		this.#out.set(egress, { until: this.#clock.now() + pauseMs, pauseMs });
	}

	/** It did its part, whatever the mail server said. */
	worked(egress: Egress): void {
		this.#out.delete(egress);
	}
}
