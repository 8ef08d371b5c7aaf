import type { DomainMemory } from '../../../src/engine/ports.ts';

/** A memory that never learns: every answer is believed. */
export const NO_DOUBT: DomainMemory = { answered: () => 'believed' };
