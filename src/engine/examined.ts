import type { Breakdown } from '../core/catchall/breakdown.ts';
import type { VerificationResult } from '../core/verification/result.ts';

/** What is said of an address; on a catch-all domain, also how its score came about. */
export interface Examined {
	readonly result: VerificationResult;
	readonly breakdown: Breakdown | null;
}
