import type { Address } from '../../core/address/parse-address.ts';
import { PRICE } from '../../core/credits/price.ts';
import type { Metrics } from '../../core/metrics/port.ts';
import type { Examined } from '../../engine/examined.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { BY_DASHBOARD } from './port.ts';
import type { AccountRef, Accounts } from '../accounts/port.ts';
import type { BalanceView } from '../../core/credits/balance-view.ts';
import type { IdentityServices } from '../people/port.ts';
import type { DigestsOf } from '../outcomes/steps/own-outcomes.ts';
import { verifyAddress } from './verify-address.ts';
import type { VerifyServices } from './verify-address.ts';

/** The key id under which the ledger and the usage by day count the owner's actions without a key. */
export const OWNERS_KEY_ID = BY_DASHBOARD.keyId;
// How long a page may be open before its form is sent a second time.
const FORM_MEMORY_MS = 24 * 3_600_000;

export interface VerifyForOwnerServices extends VerifyServices, Pick<IdentityServices, 'attempts'> {
	readonly accounts: Accounts;
	readonly digestsOf: DigestsOf;
	readonly metrics: Metrics;
	readonly config: { readonly RATE_WINDOW_SECONDS: number };
}

export interface VerifyForOwnerRequest {
	readonly address: Address;
	readonly formId: string;
}

export type OwnersVerification =
	| (Examined & {
			readonly kind: 'verified';
			readonly charged: number;
			readonly balance: BalanceView;
	  })
	/** The same form was already sent. */
	| { readonly kind: 'repeated' }
	| { readonly kind: 'insufficient_credits' }
	| { readonly kind: 'rate_limited'; readonly resetSeconds: number }
	/** The account is suspended. */
	| { readonly kind: 'shut' };

/** Verifies an address for a person who is signed in, in the account's own window, once per form. */
export async function verifyForOwner(
	services: VerifyForOwnerServices,
	account: AccountRef,
	request: VerifyForOwnerRequest,
): Promise<OwnersVerification> {
	const { accountId } = account;
	const { address, formId } = request;
	const now = services.clock.now();
	const once = { limit: 1, windowMs: FORM_MEMORY_MS };
	const sending = sha256Hex(`verify ${accountId} ${formId}`);
	const form = await services.attempts.count(sending, once, now);
	if (!form.admitted) return { kind: 'repeated' };
	const reservation = { id: `ver_${formId}`, at: now };
	const admission = await services.accounts(accountId).admit({
		...BY_DASHBOARD,
		category: 'default',
		windowMs: services.config.RATE_WINDOW_SECONDS * 1000,
		now,
		reservation: { id: reservation.id, credits: PRICE.single },
		outcomeOf: services.digestsOf(accountId, address),
	});
	// Nothing was started, so the same form may be sent again.
	if (admission.kind !== 'admitted') await services.attempts.forget(sending);
	switch (admission.kind) {
		case 'unauthenticated':
			return { kind: 'shut' };
		case 'rate_limited':
			return { kind: 'rate_limited', resetSeconds: admission.window.resetSeconds };
		case 'insufficient_credits':
			return { kind: 'insufficient_credits' };
		case 'admitted': {
			const { settled, ...examined } = await verifyAddress(services, account, {
				reservation,
				address,
				mail: null,
				outcome: admission.outcome ?? null,
				mayAsk: admission.mayAsk ?? true,
			});
			return { kind: 'verified', ...examined, charged: settled.charged, balance: settled.balance };
		}
	}
}
