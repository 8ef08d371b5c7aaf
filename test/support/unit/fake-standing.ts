import type { DomainMemory } from '../../../src/engine/ports.ts';
import type { StandingMemory } from '../../../src/prober/ports.ts';

/** A memory that never learns: no host is ever paused. */
export const NO_MEMORY: StandingMemory = {
	paused: () => null,
	observed: () => {},
};

/** A memory that never learns: every answer is believed. */
export const NO_DOUBT: DomainMemory = { answered: () => 'believed' };
