import type { Address } from '../../../src/core/address/parse-address.ts';
import { decidedBy, listFacts } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import type { LookedUpMail } from '../../../src/engine/case.ts';
import type { Conclusion } from '../../../src/engine/examine.ts';

/** The mail of a domain with one mail host, whose addresses were not looked up. */
export function mailAt(host: string): LookedUpMail {
	return { route: { kind: 'hosts', hosts: [host], implicit: false }, hosts: [] };
}

/** An answer about an address, by its mail server or by what else decides it. */
export function foundOf(
	address: Address,
	subStatus: SubStatus = 'accepted_email',
	method: Parameters<typeof decidedBy>[0] = 'smtp',
): Conclusion {
	return { lists: listFacts(address), outcome: decidedBy(method, subStatus), judgement: null };
}
