import { observe, pausedBecause } from '../core/politeness/pause.ts';
import type { Observation, PauseReason, Standing } from '../core/politeness/pause.ts';
import { continueRun, isDoubtfulRun } from '../core/verification/domain-run.ts';
import type { DomainRun } from '../core/verification/domain-run.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import type { Clock, HostKey, StandingMemory } from '../engine/ports.ts';

const ENTRIES_MAX = 10_000;
// Longer than the longest pause, and than any run is doubted.
const KEPT_MS = 2 * 3_600_000;
const RUN_KEPT_MS = 24 * 3_600_000;

/** What the isolate remembers of mail hosts and domains. Another isolate may know better; none claims more. */
export class IsolateStandingMemory implements StandingMemory {
	readonly #clock: Clock;
	readonly #standings = new ExpiringMap<Standing>(ENTRIES_MAX);
	readonly #runs = new ExpiringMap<DomainRun>(ENTRIES_MAX);

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	paused(host: HostKey): PauseReason | null {
		const now = this.#clock.now();
		return pausedBecause(this.#standings.get(nameOf(host), now) ?? null, now);
	}

	observed(host: HostKey, observation: Observation): void {
		const now = this.#clock.now();
		const before = this.#standings.get(nameOf(host), now) ?? null;
		this.#standings.set(nameOf(host), observe(before, observation, host, now), now + KEPT_MS);
	}

	answered(domain: string, answer: Parameters<StandingMemory['answered']>[1]): 'believed' | 'doubtful' {
		const now = this.#clock.now();
		const run = continueRun(this.#runs.get(domain, now) ?? null, answer, now);
		this.#runs.set(domain, run, now + RUN_KEPT_MS);
		return isDoubtfulRun(run, now) ? 'doubtful' : 'believed';
	}
}

function nameOf({ name, egress }: HostKey): string {
	return `${name} by ${egress}`;
}
