import { parseAddress } from '../../core/address/parse-address.ts';
import { withAddress, withoutAddress } from '../../core/verification/render.ts';
import type { Examined } from '../../engine/examination.ts';
import type { KeptAnswer, KeptVerification, ShownVerification } from './history-port.ts';
import type { Accounts } from '../accounts/object-port.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { SignedIn } from '../people/port.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Services } from '../../services.ts';

/** The account's copy of an answer. Nothing in it names the mailbox. */
export function keptAnswer({ result, breakdown, answeredBy }: Examined): Omit<KeptAnswer, 'charged'> {
	return { result: withoutAddress(result), breakdown, answeredBy };
}

/** The verification of this address as it was. Null: the address is gone, and so nothing can be shown. */
function shownVerification(kept: KeptVerification, email: string | undefined): ShownVerification | null {
	const parsed = email === undefined ? null : parseAddress(email);
	if (parsed?.ok !== true) return null;
	const { address } = parsed;
	const { state } = kept;
	if (state.kind !== 'answered') return { ...kept, email: address.email };
	const answer = { ...state.answer, result: withAddress(state.answer.result, address) };
	return { ...kept, email: address.email, state: { ...state, answer } };
}

/** A verification with its address. Null: there is none, or its time is over. */
export async function findVerification(
	services: Pick<Services, 'clock' | 'accounts' | 'verifiedAddresses'>,
	account: AccountRef,
	request: { readonly id: string },
): Promise<ShownVerification | null> {
	const { clock, accounts, verifiedAddresses } = services;
	const { accountId } = account;
	const { id } = request;
	const [kept, emails] = await Promise.all([
		accounts(accountId).findVerification({ id, now: clock.now() }),
		verifiedAddresses.read(accountId, [id]),
	]);
	return kept === null ? null : shownVerification(kept, emails.get(id));
}

interface ShownVerificationsPage {
	/** False: the account keeps no history. */
	readonly isKept: boolean;
	/** The answered verifications, newest first. A verification without an address is left out. */
	readonly verifications: readonly ShownVerification[];
	readonly total: number;
}

/** A page of the history, from 0, with the addresses. */
export async function listVerifications(
	services: Pick<Services, 'clock' | 'accounts' | 'verifiedAddresses'>,
	account: AccountRef,
	request: { readonly page: number; readonly pageSize: number },
): Promise<ShownVerificationsPage> {
	const { clock, accounts, verifiedAddresses } = services;
	const { accountId } = account;
	const page = await accounts(accountId).listVerifications({ ...request, now: clock.now() });
	const emails = await verifiedAddresses.read(
		accountId,
		page.verifications.map(({ id }) => id),
	);
	const rendered = page.verifications.map((kept) => shownVerification(kept, emails.get(kept.id)));
	return { ...page, verifications: rendered.filter((one) => one !== null) };
}

interface KeepHistoryRequest {
	readonly keep: boolean;
}

/** Keeps the verifications of an account's owner from now on, or deletes them and keeps none. */
export async function keepHistory(
	services: { readonly accounts: Accounts; readonly clock: Clock },
	person: SignedIn,
	request: KeepHistoryRequest,
): Promise<void> {
	const { accountId } = person.user;
	await services.accounts(accountId).keepHistory({ keep: request.keep, now: services.clock.now() });
}
