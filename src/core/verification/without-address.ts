import type { Address } from '../address/parse-address.ts';
import type { VerificationResult } from './result.ts';

// A result that is kept in a database: there, what was deleted may lie in unused pages for as long as nothing else is
// written over it. So the address is not written at all. Whoever asks again says it again.

/** The result without its address, and without the local part of what it suggests. */
export function withoutAddress(result: VerificationResult): VerificationResult {
	const { did_you_mean: suggested } = result;
	return { ...result, email: '', did_you_mean: suggested === null ? null : domainPart(suggested) };
}

/** The result that `withoutAddress` was made of, or that was kept whole, of this address. */
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
