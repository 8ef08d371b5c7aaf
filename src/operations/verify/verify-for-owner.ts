import type { AccountPort } from '../accounts/object-port.ts';
import { progressAfter } from '../../core/verification/trace.ts';
import type { Progress, Trace } from '../../core/verification/trace.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { PRICE } from '../../core/credits/price.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { describeError, log } from '../../lib/log.ts';
import { BY_DASHBOARD } from './port.ts';
import type { SettleRequest } from './port.ts';
import type { AccountRef } from '../accounts/port.ts';
import { verifyAddress } from './verify-address.ts';
import type { Services } from '../../services.ts';

/**
 * Reports the progress of a verification to the account, one step at a time and the latest only. A lost step does no
 * harm: the next one or the answer follows.
 */
export function reportProgress(history: Pick<AccountPort, 'noteProgress'>, id: string): Trace {
	let latest: Progress | null = null;
	let isTelling = false;
	const tell = async (): Promise<void> => {
		isTelling = true;
		try {
			while (latest !== null) {
				const progress = latest;
				latest = null;
				await history.noteProgress({ id, progress });
			}
		} catch {
			latest = null;
		} finally {
			isTelling = false;
		}
	};
	return (event) => {
		const progress = progressAfter(event);
		if (progress === null) return;
		latest = progress;
		if (!isTelling) void tell();
	};
}

/** The key id under which the ledger and the usage by day count the owner's actions without a key. */
export const OWNERS_KEY_ID = BY_DASHBOARD.keyId;
const ID_LENGTH = 32;

export interface VerifyForOwnerServices extends Pick<
	Services,
	'clock' | 'examine' | 'accounts' | 'digestsOf' | 'metrics'
> {
	readonly verifiedAddresses: Pick<Services['verifiedAddresses'], 'put'>;
	readonly config: Pick<Services['config'], 'RATE_WINDOW_SECONDS'>;
}

type OwnersVerification =
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

/**
 * Begins to verify an address for a person who is signed in, in the account's own window: once per form and address, as
 * long as the account keeps the record of it.
 */
export async function verifyForOwner(
	services: VerifyForOwnerServices,
	account: AccountRef,
	request: { readonly address: Address; readonly formId: string },
): Promise<OwnersVerification> {
	const { accountId } = account;
	const { address, formId } = request;
	// A browser may bring back the page of a form that was sent, in which another address is typed: that is another one.
	const id = `ver_${sha256Hex(`${formId} ${address.email}`).slice(0, ID_LENGTH)}`;
	const now = services.clock.now();
	const reservation = { id, at: now };
	const admission = await services.accounts(accountId).admit({
		...BY_DASHBOARD,
		category: 'default',
		windowMs: services.config.RATE_WINDOW_SECONDS * 1000,
		now,
		reservation: { id, credits: PRICE.single },
		outcomeOf: services.digestsOf(accountId, address),
		inHistory: true,
	});
	switch (admission.kind) {
		case 'unauthenticated':
			return { kind: 'shut' };
		case 'rate_limited':
			return { kind: 'rate_limited', resetSeconds: admission.window.resetSeconds };
		case 'insufficient_credits':
			return { kind: 'insufficient_credits' };
		case 'admitted': {
			if (admission.begun !== undefined) {
				// The Worker that began it may have died before it stored the address.
				if (admission.begun === 'at_work') await services.verifiedAddresses.put(accountId, id, address.email);
				return { kind: 'repeated', id };
			}
			const held = admission.hold === undefined ? {} : { hold: admission.hold };
			await keepAddress(services, account, { reservation, ...held, address });
			const verifying = verifyAddress(services, account, {
				reservation,
				...held,
				address,
				requestId: id,
				mail: null,
				outcome: admission.outcome ?? null,
				mayAsk: admission.mayAsk ?? true,
				payer: admission.payer ?? {},
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

/**
 * Stores the address of a recorded verification, so that a crash leaves no address without a record. A verification
 * without an address could not be shown, so it does not begin.
 */
async function keepAddress(
	{ accounts, verifiedAddresses, clock }: VerifyForOwnerServices,
	{ accountId }: AccountRef,
	{ address, ...call }: Pick<SettleRequest, 'reservation' | 'hold'> & { readonly address: Address },
): Promise<void> {
	try {
		await verifiedAddresses.put(accountId, call.reservation.id, address.email);
	} catch (error) {
		await accounts(accountId).settle({ ...call, outcome: 'failed', now: clock.now(), keep: null });
		throw error;
	}
}
