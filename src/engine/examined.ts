import type { Breakdown } from '../core/catchall/breakdown.ts';
import type { VerificationResult } from '../core/verification/result.ts';

/** What is said of an address, and who said it; on a catch-all domain, also how its score came about. */
export interface Examined {
	readonly result: VerificationResult;
	readonly breakdown: Breakdown | null;
	/** The mail host whose reply decided, which need not be the domain's first. Left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
}
