import type { Ahead, Clock, Dialer } from './ports.ts';

/** A dial that was begun for whoever needs a new connection next; one at most. */
export class Spare {
	readonly #clock: Clock;
	readonly #dialer: Dialer;
	#begun: { readonly ahead: Ahead; readonly since: number } | null = null;

	constructor(clock: Clock, dialer: Dialer) {
		this.#clock = clock;
		this.#dialer = dialer;
	}

	/** Since when it is kept, epoch ms; null: there is none. */
	get idleSince(): number | null {
		return this.#begun?.since ?? null;
	}

	/** Begins one by the egress by which the domain is dialled now, in the place of one by another. */
	prepare(domain: string): void {
		if (this.#begun?.ahead.egress === this.#dialer.egressFor(domain)) return;
		this.end();
		const ahead = this.#dialer.ahead?.(domain) ?? null;
		this.#begun = ahead === null ? null : { ahead, since: this.#clock.now() };
	}

	/** What was begun, for whoever dials the domain; he ends it. Null: there is nothing that would save time. */
	async take(domain: string): Promise<Ahead | null> {
		const begun = this.#begun;
		if (begun === null || begun.ahead.egress !== this.#dialer.egressFor(domain)) return null;
		const became = await begun.ahead.look();
		// Somebody else may have had it, or ended it, while we looked.
		if (became === 'opening' || this.#begun !== begun) return null;
		this.#begun = null;
		return became === 'waiting' ? begun.ahead : null;
	}

	end(): void {
		this.#begun?.ahead.end();
		this.#begun = null;
	}
}
