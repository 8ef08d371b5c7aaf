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
	/** Every step that led to the result, line by line. */
	readonly lines: readonly string[];
}

// Its observations of mail hosts count like those of an account.
const SUPPORT = 'support';

/** Examines an address and explains every step and rule. Free of charge, for operators and support. */
export async function explainAddress(
	services: Pick<VerifyServices, 'examine'>,
	request: ExplainAddressRequest,
): Promise<Explanation> {
	const events: TraceEvent[] = [];
	const trace = (event: TraceEvent): void => void events.push(event);
	const { result } = await services.examine(request.address, SUPPORT, { trace });
	return { result, lines: explain(events) };
}
