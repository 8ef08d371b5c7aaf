import type { Growth } from '../../../src/core/politeness/growth.ts';
import type { Standing } from '../../../src/core/politeness/pause.ts';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';
import type { StandingStore } from '../../../src/prober/standing.ts';

/** Standings as a prober keeps them, without a disk. */
export function standingStore(clock: { now(): number }): StandingStore {
	const growths = new Map<string, Growth>();
	const kept = new ExpiringMap<Standing>(50_000);
	return {
		standing: (name) => kept.get(name, clock.now()) ?? null,
		keepStanding: (name, standing, until) => kept.set(name, standing, until),
		forgetStanding: (name) => kept.delete(name),
		growth: (machine) => growths.get(machine) ?? null,
		keepGrowth: (machine, growth) => void growths.set(machine, growth),
	};
}
