import type { StandingMemory } from '../../../src/engine/ports.ts';

/** A memory without contents: no host is paused, every answer is believed. */
export const NO_MEMORY: StandingMemory = {
	paused: () => null,
	observed: () => {},
	answered: () => 'believed',
};
