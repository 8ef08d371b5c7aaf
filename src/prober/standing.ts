import { askersName, everybodysName } from '../core/politeness/mail-host.ts';
import type { Asker, MailHost } from '../core/politeness/mail-host.ts';
import { observe, pausedBecause } from '../core/politeness/pause.ts';
import type { Observation, PauseReason, Scope, Standing } from '../core/politeness/pause.ts';
import type { Clock, StandingMemory } from './ports.ts';

// Longer than the longest pause.
const KEPT_MS = 2 * 3_600_000;

/** Where standings are kept by name. Keeps less rather than throw. */
export interface StandingStore {
	standing(name: string): Standing | null;
	/** @param until epoch milliseconds */
	keepStanding(name: string, standing: Standing, until: number): void;
	forgetStanding(name: string): void;
}

/** How mail hosts and operators treat the source addresses of this prober. */
export class Standings implements StandingMemory {
	readonly #clock: Clock;
	readonly #store: StandingStore;

	constructor(clock: Clock, store: StandingStore) {
		this.#clock = clock;
		this.#store = store;
	}

	paused(host: MailHost, asker: Asker): PauseReason | null {
		const now = this.#clock.now();
		return (
			pausedBecause(this.#store.standing(everybodysName(host)), now) ??
			pausedBecause(this.#store.standing(askersName(host, asker)), now)
		);
	}

	observed(host: MailHost, observation: Observation, asker: Asker): void {
		this.#observed('everybody', everybodysName(host), { host, asker, observation });
		this.#observed('asker', askersName(host, asker), { host, asker, observation });
	}

	#observed(
		scope: Scope,
		name: string,
		{ observation, ...of }: { host: MailHost; asker: Asker; observation: Observation },
	): void {
		const now = this.#clock.now();
		const before = this.#store.standing(name);
		const after = observe(before, observation, { ...of, scope }, now);
		if (after === null) {
			if (before !== null) this.#store.forgetStanding(name);
		} else if (after !== before) this.#store.keepStanding(name, after, now + KEPT_MS);
	}
}
