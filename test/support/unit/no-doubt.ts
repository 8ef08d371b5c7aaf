import type { DomainDoubt } from '../../../src/engine/domain-doubt.ts';

/** A memory that never learns: every answer is believed. */
export const NO_DOUBT: Pick<DomainDoubt, 'answered'> = { answered: () => false };
