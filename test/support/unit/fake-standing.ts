import type { StandingMemory } from '../../../src/engine/ports.ts';

/** A memory that never learns: every host is welcome, every answer is believed. */
export const NO_MEMORY: StandingMemory = {
	paused: () => null,
	observed: () => {},
	answered: () => 'believed',
};
