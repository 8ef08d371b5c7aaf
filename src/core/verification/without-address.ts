import type { Address } from '../address/parse-address.ts';
import type { VerificationResult } from './result.ts';

// We store results in databases without their addresses, because deleted data stays in unused pages until it is
// overwritten. A caller that asks again supplies the address.

/** The result without its address, and without the local part of its suggestion. */
export function withoutAddress(result: VerificationResult): VerificationResult {
	const { did_you_mean: suggested } = result;
	return { ...result, email: '', did_you_mean: suggested === null ? null : domainPart(suggested) };
}

/** The result with this address, which `withoutAddress` removed or which is still in it. */
export function withAddress(result: VerificationResult, address: Address): VerificationResult {
	const { did_you_mean: suggested } = result;
	return {
		...result,
		email: address.email,
		did_you_mean: suggested === null ? null : `${address.localPart}${domainPart(suggested)}`,
	};
}

/** `@x.test`; the local part may be quoted, with an @ in it. */
function domainPart(email: string): string {
	return email.slice(email.lastIndexOf('@'));
}
