import type { Address } from '../../core/address/parse-address.ts';
import { PRICE } from '../../core/credits/price.ts';
import { sha256Hex } from '../../lib/digest.ts';
import type { Services } from '../../services.ts';
import type { AccountRef, AccountsFor } from '../accounts/port.ts';
import { BY_DASHBOARD } from './port.ts';
import type { Admission, KeptAnswer, Remembered } from './port.ts';
import { openAnswer } from './settle-call.ts';
import type { Paid } from './settle-call.ts';
import { verifyAddress } from './verify-address.ts';
import type { Examined, VerifyAddressServices } from './verify-address.ts';

/** The key id under which the ledger and the usage by day count the owner's actions without a key. */
export const OWNERS_KEY_ID = BY_DASHBOARD.keyId;
const ID_LENGTH = 32;
// Apart from all keys of callers, which contain no plain space.
const keyOf = (id: string): string => `form ${id}`;
const idOf = ({ key }: Remembered): string => key.slice('form '.length);
/** The text that opens the answer of a page: its reader brings no address along. */
const openerOf = ({ accountId }: AccountRef, id: string): string => `${accountId} ${id}`;

export interface VerifyForOwnerServices extends VerifyAddressServices, Pick<Services, 'digestsOf' | 'newId'> {
	readonly accounts: AccountsFor<'admit' | 'settle'>;
	readonly config: Pick<Services['config'], 'RATE_WINDOW_SECONDS'>;
}

/** `verified`: it has its answer under `id`, or another Worker is at work on it, since the same form was sent before. */
type OwnersVerification =
	| { readonly kind: 'verified'; readonly id: string }
	| Exclude<Admission, { kind: 'admitted' }>;

/**
 * Verifies an address for a person who is signed in, in the account's own window: once per form and address, as long as
 * the account keeps the answer.
 */
export async function verifyForOwner(
	services: VerifyForOwnerServices,
	account: AccountRef,
	{ address, formId }: { readonly address: Address; readonly formId: string },
): Promise<OwnersVerification> {
	const { accountId } = account;
	// A browser may bring back the page of a form that was sent, in which another address is typed: that is another one.
	const id = `ver_${sha256Hex(`${formId} ${address.email}`).slice(0, ID_LENGTH)}`;
	const call = { key: keyOf(id), fingerprint: id };
	const now = services.clock.now();
	const requestId = services.newId('ver');
	const admission = await services.accounts(accountId).admit({
		...BY_DASHBOARD,
		category: 'default',
		windowMs: services.config.RATE_WINDOW_SECONDS * 1000,
		now,
		reservation: { id: requestId, credits: PRICE.single },
		outcomeOf: services.digestsOf(accountId, address),
		call,
	});
	if (admission.kind !== 'admitted') return admission;
	const { reservation, outcome = null } = admission;
	const opensBy = openerOf(account, id);
	if (reservation !== undefined) {
		const how = { calledAt: now, address, requestId, explain: true, call, opensBy };
		await verifyAddress(services, account, { ...admission, ...how, reservation, outcome });
	}
	return { kind: 'verified', id };
}

export interface AnsweredVerification {
	readonly kind: 'answered';
	readonly id: string;
	/** When it was begun, epoch ms. */
	readonly at: number;
	readonly answer: Paid<Examined>;
}

/** `failed`: its Worker died, so nothing was charged. */
export type ShownVerification = AnsweredVerification | { readonly kind: 'under_way' | 'failed' };

type ReadServices = Pick<Services, 'clock' | 'signingSecrets'>;

/** Null: there is none, or its time is over. */
export async function findVerification(
	services: ReadServices & { readonly accounts: AccountsFor<'findForm'> },
	account: AccountRef,
	{ id }: { readonly id: string },
): Promise<ShownVerification | null> {
	const { accounts, clock } = services;
	const now = clock.now();
	const found = await accounts(account.accountId).findForm({ key: keyOf(id), now });
	if (found === null) return null;
	if (found.answer !== null) return answeredVerification(services, account, found);
	return { kind: (found.busyUntil ?? 0) > now ? 'under_way' : 'failed' };
}

/** A page of the answered verifications, from 0, the newest first. */
export async function listVerifications(
	services: ReadServices & { readonly accounts: AccountsFor<'listForms'> },
	account: AccountRef,
	{ page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly verifications: readonly AnsweredVerification[]; readonly total: number }> {
	const { accounts, clock } = services;
	const { forms, total } = await accounts(account.accountId).listForms({ page, pageSize, now: clock.now() });
	const found = await Promise.all(forms.map((form) => answeredVerification(services, account, form)));
	return { verifications: found.filter((one) => one !== null), total };
}

/** Null: it has no answer, or no secret of ours opens it any more. */
async function answeredVerification(
	services: ReadServices,
	account: AccountRef,
	form: Remembered,
): Promise<AnsweredVerification | null> {
	const { at, answer } = form;
	if (answer === null) return null;
	const id = idOf(form);
	const kept = JSON.parse(answer) as KeptAnswer;
	const opened = await openAnswer<Examined>(services, openerOf(account, id), kept);
	return opened === null ? null : { kind: 'answered', id, at, answer: opened };
}
