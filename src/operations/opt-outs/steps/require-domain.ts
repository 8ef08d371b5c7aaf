import { readOptOut } from '../../../core/lists/opt-outs.ts';
import type { OptOutFault } from '../../../core/lists/opt-outs.ts';
import { ServiceError } from '../../../errors.ts';

const FAULTS: Readonly<Record<OptOutFault, string>> = {
	no_domain: 'That is no domain',
	public_suffix: 'That is a public suffix: name a domain below it',
};

/** The domain in its stored form. Throws `ServiceError` `invalid_parameter`. */
export function requireDomain(text: string): string {
	const read = readOptOut(text);
	if (read.ok) return read.domain;
	throw new ServiceError('invalid_parameter', FAULTS[read.fault]);
}
