import type { Address } from '../../core/address/parse-address.ts';
import { throttle } from '../people/steps/throttle.ts';
import type { Throttled } from '../people/steps/throttle.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { networkOf } from '../../lib/ip-address.ts';
import type { Examined } from '../../engine/case.ts';
import type { VerifyServices } from './verify-address.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { Trail } from '../../core/verification/trail.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import type { Services } from '../../services.ts';

// So few that a digest leads to no network: 256 of them share what visitors may ask.
const NETWORK_DIGITS = 2;

/**
 * Verifies an address for an anonymous visitor, free of charge, with a limit per client. A mail server is asked only if
 * lists and the DNS don't decide; that costs us, so it has limits per network and for all together. A refusal says
 * whether it is the visitor's own limit.
 */
export async function tryAddress(
	services: VerifyServices & Pick<Services, 'attempts' | 'clock'>,
	request: { readonly address: Address; readonly client: string },
): Promise<({ readonly kind: 'answered' } & Examined) | (Throttled & { readonly isOwn: boolean })> {
	const { address, client } = request;
	const throttled = await throttle(services, 'try_address', { client, account: null });
	if (throttled !== null) return { ...throttled, isOwn: true };
	const quick = await services.examine(address, null, { quick: true });
	if (quick.result.status !== 'unknown') return { kind: 'answered', ...quick };
	const network = networkOf(client);
	const visitor = { client: network, account: 'everybody' };
	const isFirst = (await throttle(services, 'try_mailbox_first', visitor)) === null;
	const costly = isFirst ? null : await throttle(services, 'try_mailbox', visitor);
	if (costly !== null) return { ...costly, isOwn: false };
	const owner = sha256Hex(network).slice(0, NETWORK_DIGITS);
	return { kind: 'answered', ...(await services.examine(address, null, { owner })) };
}

interface Explanation {
	readonly result: VerificationResult;
	/** Every step that led to the result. */
	readonly evidence: readonly Evidence[];
}

// Its observations of mail hosts count like those of an account.
const SUPPORT = 'support';

/** Examines an address and explains every step and rule. Free of charge, for operators and support. */
export async function explainAddress(
	services: Pick<VerifyServices, 'examine' | 'clock'>,
	request: { readonly address: Address },
): Promise<Explanation> {
	const { clock, examine } = services;
	const trail = new Trail(() => clock.now());
	const { result } = await examine(request.address, SUPPORT, { trail, explain: true });
	return { result, evidence: trail.evidence() };
}
