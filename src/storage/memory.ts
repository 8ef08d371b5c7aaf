import type { Asker } from '../core/turns/who.ts';
import { continueRun, isDoubtfulRun } from '../core/verification/history.ts';
import type { DomainRun } from '../core/verification/history.ts';
import type { Clock, DomainMemory, Failure, WaysOut } from '../engine/ports.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { NO_HISTORY, addContact, blame } from '../core/outages/history.ts';
import type { Blame, Contact, WayOutHistory } from '../core/outages/history.ts';

const ENTRIES_MAX = 10_000;
const RUN_KEPT_MS = 24 * 3_600_000;

/** The isolate's memory of domains. Another isolate may know more; none claims more. */
export class IsolateDomainMemory implements DomainMemory {
	readonly #clock: Clock;
	readonly #runs = new ExpiringMap<DomainRun>(ENTRIES_MAX);

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	answered(
		domain: string,
		answer: Parameters<DomainMemory['answered']>[1],
		asker: Asker,
	): 'believed' | 'doubtful' {
		const now = this.#clock.now();
		// Visitors are anonymous, so they make no account doubt a domain, nor believe it.
		const name = asker === null ? `anonymous ${domain}` : domain;
		const account = asker ?? 'visitors';
		const run = continueRun(this.#runs.get(name, now) ?? null, answer, account, now);
		this.#runs.set(name, run, now + RUN_KEPT_MS);
		return isDoubtfulRun(run, account, now) ? 'doubtful' : 'believed';
	}
}

const PARTIES_MAX = 5_000;
// A server that answered within this time is hardly dead.
const LATELY_MS = 10 * 60_000;
// A way out that worked for other parties within this time before is not out of order.
const WORKED_LATELY_MS = 10_000;

/** The isolate's memory of our ways out, whose number is configured. */
export class IsolateWaysOut implements WaysOut {
	readonly #histories = new Map<string, WayOutHistory>();
	readonly #reached = new ExpiringMap<true>(PARTIES_MAX);
	readonly #unexplained = new ExpiringMap<true>(PARTIES_MAX);

	tried(way: string, contact: Contact): void {
		this.#histories.set(way, addContact(this.#historyOf(way), contact));
		const { parties, at, worked, unexplained } = contact;
		const remember = worked ? this.#reached : this.#unexplained;
		if (!worked && unexplained !== true) return;
		for (const party of parties) remember.set(`${party} by ${way}`, true, at + LATELY_MS);
	}

	blame({ way, ...failure }: Failure): Blame {
		return blame(this.#historyOf(way), failure);
	}

	workedAround({ way, begun }: Failure): boolean {
		const { workedAt } = this.#historyOf(way);
		return workedAt !== null && workedAt >= begun - WORKED_LATELY_MS;
	}

	mayRecover(failure: Failure, party: string): boolean {
		const name = `${party} by ${failure.way}`;
		if (this.#reached.get(name, failure.at) !== undefined) return true;
		return this.#unexplained.get(name, failure.at) !== undefined && !this.workedAround(failure);
	}

	#historyOf(way: string): WayOutHistory {
		return this.#histories.get(way) ?? NO_HISTORY;
	}
}
