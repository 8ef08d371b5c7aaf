import { askersName, everybodysName } from '../core/politeness/mail-host.ts';
import type { Asker, MailHost } from '../core/politeness/mail-host.ts';
import { observe, pausedBecause } from '../core/politeness/pause.ts';
import type { Observation, PauseReason, Scope, Standing } from '../core/politeness/pause.ts';
import { continueRun, isDoubtfulRun } from '../core/verification/domain-run.ts';
import type { DomainRun } from '../core/verification/domain-run.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import type { Clock, StandingMemory } from '../engine/ports.ts';

const ENTRIES_MAX = 10_000;
// Longer than the longest pause, and than any run is doubted.
const KEPT_MS = 2 * 3_600_000;
const RUN_KEPT_MS = 24 * 3_600_000;

/** What the isolate remembers of mail hosts and domains. Another isolate may know better; none claims more. */
export class IsolateStandingMemory implements StandingMemory {
	readonly #clock: Clock;
	readonly #standings: Readonly<Record<Scope, ExpiringMap<Standing>>> = {
		everybody: new ExpiringMap(ENTRIES_MAX),
		asker: new ExpiringMap(ENTRIES_MAX),
	};
	readonly #runs = new ExpiringMap<DomainRun>(ENTRIES_MAX);

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	paused(host: MailHost, asker: Asker): PauseReason | null {
		const now = this.#clock.now();
		const { everybody, asker: own } = this.#standings;
		return (
			pausedBecause(everybody.get(everybodysName(host), now) ?? null, now) ??
			pausedBecause(own.get(askersName(host, asker), now) ?? null, now)
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
		const standings = this.#standings[scope];
		const before = standings.get(name, now) ?? null;
		const after = observe(before, observation, { ...of, scope }, now);
		if (after === null) standings.delete(name);
		else if (after !== before) standings.set(name, after, now + KEPT_MS);
	}

	answered(
		domain: string,
		answer: Parameters<StandingMemory['answered']>[1],
		asker: Asker,
	): 'believed' | 'doubtful' {
		const now = this.#clock.now();
		// Whoever is not signed in makes nobody else doubt a domain, nor believe it.
		const name = asker === null ? `anonymous ${domain}` : domain;
		const run = continueRun(this.#runs.get(name, now) ?? null, answer, now);
		this.#runs.set(name, run, now + RUN_KEPT_MS);
		return isDoubtfulRun(run, now) ? 'doubtful' : 'believed';
	}
}
