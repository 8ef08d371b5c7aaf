import type { Standing } from '../../../src/core/politeness/pause.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';
import type { StandingStore } from '../../../src/prober/standing.ts';

/** Standings as a prober keeps them, without a disk. */
export function standingStore(clock: Clock): StandingStore {
	const kept = new ExpiringMap<Standing>(1_000);
	return {
		standing: (name) => kept.get(name, clock.now()) ?? null,
		keepStanding: (name, standing, until) => kept.set(name, standing, until),
		forgetStanding: (name) => kept.delete(name),
	};
}
