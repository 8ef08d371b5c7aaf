import type { Breakdown } from '../core/catchall/breakdown.ts';
import type { VerificationResult } from '../core/verification/result.ts';

/** The result for an address; on a catch-all domain, also the breakdown of its score. */
export interface Examined {
	readonly result: VerificationResult;
	readonly breakdown: Breakdown | null;
	/** The points of a score that the signals alone gave (see `Judgement`). Null or left out: there is none. */
	readonly countedPoints?: number | null;
	/** The mail host whose reply decided, not always the domain's first. Left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
}
