import type { Address } from '../../core/address/parse-address.ts';
import type { VerificationResult } from '../../core/verification/result.ts';
import { explain } from '../../core/verification/trace.ts';
import type { TraceEvent } from '../../core/verification/trace.ts';
import type { VerifyServices } from './verify-address.ts';

export interface ExplainAddressRequest {
	readonly address: Address;
}

export interface Explanation {
	readonly result: VerificationResult;
	/** The whole way to it, line by line, for people. */
	readonly lines: readonly string[];
}

// What it meets counts as an account's experience would.
const SUPPORT = 'support';

/** Examines an address and tells every step and rule on the way. Costs no credit: it is for operators and support. */
export async function explainAddress(
	services: Pick<VerifyServices, 'examine'>,
	request: ExplainAddressRequest,
): Promise<Explanation> {
	const events: TraceEvent[] = [];
	const { result } = await services.examine(request.address, SUPPORT, (event) => events.push(event));
	return { result, lines: explain(events) };
}
