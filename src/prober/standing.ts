import { askersName, everybodysName } from '../core/politeness/mail-host.ts';
import type { Asker, MailHost } from '../core/politeness/mail-host.ts';
import { observe, paceOf, pausedBecause } from '../core/politeness/pause.ts';
import type { Observation, Pace, Pause, Scope, Standing } from '../core/politeness/pause.ts';
import type { Clock, StandingMemory } from './ports.ts';

// After the pause, so that one question tries whether it is over before all do.
const KEPT_MS = 86_400_000;
// Whoever looks after the prober must not miss it.
const LISTED_KEPT_MS = 7 * 86_400_000;

/** Where standings are kept by name. Keeps less rather than throw. */
export interface StandingStore {
	standing(name: string): Standing | null;
	/** @param until epoch milliseconds */
	keepStanding(name: string, standing: Standing, until: number): void;
	forgetStanding(name: string): void;
}

type Refused = (host: MailHost, observation: Extract<Observation, { kind: 'refused' }>) => void;

/** How mail hosts and operators treat the source addresses of this prober. */
export class Standings implements StandingMemory {
	readonly #clock: Clock;
	readonly #store: StandingStore;
	readonly #refused: Refused;

	/** @param refused told of each refusal, for whoever counts them */
	constructor(clock: Clock, store: StandingStore, refused: Refused = () => {}) {
		this.#clock = clock;
		this.#store = store;
		this.#refused = refused;
	}

	paused(host: MailHost, asker: Asker): Pause | null {
		const now = this.#clock.now();
		return (
			pausedBecause(this.#store.standing(everybodysName(host)), now) ??
			pausedBecause(this.#store.standing(askersName(host, asker)), now)
		);
	}

	pace(host: MailHost): Pace {
		return paceOf(this.#store.standing(everybodysName(host)));
	}

	isTrying(host: MailHost, asker: Asker): boolean {
		return paceOf(this.#store.standing(askersName(host, asker))).isTrying;
	}

	observed(host: MailHost, observation: Observation, asker: Asker): void {
		if (observation.kind === 'refused') this.#refused(host, observation);
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
		} else if (after !== before) this.#store.keepStanding(name, after, keptUntil(after, now));
	}
}

function keptUntil({ pause, listedSince }: Standing, now: number): number {
	return (pause?.until ?? now) + (listedSince === null ? KEPT_MS : LISTED_KEPT_MS);
}
