import type { Asker } from '../core/turns/who.ts';
import { continueRun, isDoubtfulRun } from '../core/verification/history.ts';
import type { DomainRun } from '../core/verification/history.ts';
import type { Clock, DomainMemory } from '../engine/ports.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';

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
