import type { Address } from '../core/address/parse-address.ts';
import { decidedBy, renderResult } from '../core/verification/render.ts';
import type { VerificationResult } from '../core/verification/render.ts';
import { SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { Trail } from '../core/verification/trail.ts';
import { listFacts } from './refusal.ts';

/** The answer for a caller whose time is up before the examination ends. */
export function timedOut(
	address: Address,
	{ server }: Pick<Trail, 'server'>,
	about: {
		readonly quick: boolean;
		readonly timeoutMs: number;
		readonly retryAfterSeconds: number;
		readonly now: number;
	},
): VerificationResult {
	const { quick, timeoutMs, retryAfterSeconds, now } = about;
	const lists = listFacts(address);
	// The quick check waits for name servers alone.
	if (quick) return renderResult(address, lists, { ...decidedBy('dns', 'dns_error'), ...server }, now);
	const note = `${SUB_STATUSES.timeout.reason}: it did not answer within the ${timeoutMs / 1000} s of this call, and we go on asking`;
	const outcome = { ...decidedBy('smtp', 'timeout'), ...server, note, retryAfterSeconds };
	return renderResult(address, lists, outcome, now);
}
