import type { Address } from '../../core/address/parse-address.ts';
import { PRICE } from '../../core/credits/price.ts';
import type { Metrics } from '../../core/metrics/port.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { describeError, log } from '../../lib/log.ts';
import { BY_DASHBOARD } from './port.ts';
import type { AccountRef, Accounts } from '../accounts/port.ts';
import type { VerifiedAddresses } from './history-port.ts';
import type { IdentityServices } from '../people/port.ts';
import type { DigestsOf } from '../outcomes/steps/own-outcomes.ts';
import { reportProgress } from './steps/report-progress.ts';
import { verifyAddress } from './verify-address.ts';
import type { VerifyServices } from './verify-address.ts';

/** The key id under which the ledger and the usage by day count the owner's actions without a key. */
export const OWNERS_KEY_ID = BY_DASHBOARD.keyId;
const ID_LENGTH = 32;
// How long a page may be open before its form is sent a second time.
const FORM_MEMORY_MS = 24 * 3_600_000;
// For the other of two that were sent at the same moment to be recorded.
const LOOKS = 10;
const LOOK_EVERY_MS = 100;

export interface VerifyForOwnerServices extends VerifyServices, Pick<IdentityServices, 'attempts'> {
	readonly accounts: Accounts;
	readonly verifiedAddresses: Pick<VerifiedAddresses, 'put' | 'remove'>;
	readonly digestsOf: DigestsOf;
	readonly metrics: Metrics;
	readonly config: { readonly RATE_WINDOW_SECONDS: number };
}

export interface VerifyForOwnerRequest {
	readonly address: Address;
	readonly formId: string;
}

export type OwnersVerification =
	/**
	 * It is found under `id` from now on. `ended` resolves, and never rejects, once it has its answer or has failed; the
	 * work goes on only as long as the caller keeps it alive.
	 */
	| { readonly kind: 'begun'; readonly id: string; readonly ended: Promise<void> }
	/** The same form was already sent: it is that verification. */
	| { readonly kind: 'repeated'; readonly id: string }
	| { readonly kind: 'insufficient_credits' }
	| { readonly kind: 'rate_limited'; readonly resetSeconds: number }
	/** The account is suspended. */
	| { readonly kind: 'shut' };

/** Begins to verify an address for a person who is signed in, in the account's own window, once per form and address. */
export async function verifyForOwner(
	services: VerifyForOwnerServices,
	account: AccountRef,
	request: VerifyForOwnerRequest,
): Promise<OwnersVerification> {
	const { accountId } = account;
	const { address, formId } = request;
	// A browser may bring back the page of a form that was sent, in which another address is typed: that is another one.
	const id = `ver_${sha256Hex(`${formId} ${address.email}`).slice(0, ID_LENGTH)}`;
	const now = services.clock.now();
	const once = { limit: 1, windowMs: FORM_MEMORY_MS };
	const sending = sha256Hex(`verify ${accountId} ${id}`);
	const form = await services.attempts.count(sending, once, now);
	if (!form.admitted) return repeated(services, account, id);
	const reservation = { id, at: now };
	// Before the record, whose end deletes it. Dying in between leaves an address that goes by its age.
	try {
		await services.verifiedAddresses.put(accountId, id, address.email);
	} catch (error) {
		// Nothing was started.
		await services.attempts.forget(sending);
		throw error;
	}
	const admission = await services.accounts(accountId).admit({
		...BY_DASHBOARD,
		category: 'default',
		windowMs: services.config.RATE_WINDOW_SECONDS * 1000,
		now,
		reservation: { id, credits: PRICE.single },
		outcomeOf: services.digestsOf(accountId, address),
		inHistory: true,
	});
	if (admission.kind !== 'admitted') {
		await services.verifiedAddresses.remove(accountId, [id]);
		// Nothing was started, so the same form may be sent again. Last: or the address of that would be removed.
		await services.attempts.forget(sending);
	}
	switch (admission.kind) {
		case 'unauthenticated':
			return { kind: 'shut' };
		case 'rate_limited':
			return { kind: 'rate_limited', resetSeconds: admission.window.resetSeconds };
		case 'insufficient_credits':
			return { kind: 'insufficient_credits' };
		case 'admitted': {
			const verifying = verifyAddress(services, account, {
				reservation,
				address,
				mail: null,
				outcome: admission.outcome ?? null,
				mayAsk: admission.mayAsk ?? true,
				isKept: true,
				trace: reportProgress(services.accounts(accountId), id),
			});
			return { kind: 'begun', id, ended: endOf(verifying, accountId, id) };
		}
	}
}

/** Waits for the end, whatever it is: a failure stands in the account by then. */
async function endOf(verifying: Promise<unknown>, account: string, id: string): Promise<void> {
	try {
		await verifying;
	} catch (error) {
		log('verification_failed', { account, id, ...describeError(error) });
	}
}

/** Waits until the earlier one is recorded, so that whoever is led to it finds it. */
async function repeated(
	{ accounts, clock }: Pick<VerifyForOwnerServices, 'accounts' | 'clock'>,
	{ accountId }: AccountRef,
	id: string,
): Promise<OwnersVerification> {
	for (let look = 0; look < LOOKS; look += 1) {
		if ((await accounts(accountId).findVerification({ id, now: clock.now() })) !== null) break;
		await clock.sleep(LOOK_EVERY_MS);
	}
	return { kind: 'repeated', id };
}
