import type { DomainMemory } from '../../../src/engine/ports.ts';
import type { StandingMemory } from '../../../src/prober/ports.ts';

/** A memory that never learns: every host is welcome. */
export const NO_MEMORY: StandingMemory = {
	paused: () => null,
	observed: () => {},
	pace: () => ({ share: 1, isTrying: false }),
};

/** A memory that never learns: every answer is believed. */
export const NO_DOUBT: DomainMemory = { answered: () => 'believed' };
