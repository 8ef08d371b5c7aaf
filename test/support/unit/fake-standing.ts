import type { DomainMemory } from '../../../src/engine/ports.ts';
import { UNGROWN } from '../../../src/core/politeness/growth.ts';
import type { Pause, PauseReason } from '../../../src/core/politeness/pause.ts';
import type { StandingMemory } from '../../../src/prober/ports.ts';

/** A pause. Its end counts only in tests that give it. */
export const pauseFor = (why: PauseReason, until = 60_000): Pause => ({ why, until });

/** A memory that never learns: every host is welcome. */
export const NO_MEMORY: StandingMemory = {
	paused: () => null,
	observed: () => {},
	pace: () => ({ share: 1, isTrying: false }),
	growthOf: () => UNGROWN,
	nextControl: () => null,
};

/** A memory that never learns: every answer is believed. */
export const NO_DOUBT: DomainMemory = { answered: () => 'believed' };
