import type { AccountPort } from '../accounts/object-port.ts';
import type { Clock } from '../../engine/ports.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { ShownVerification, VerifiedAddresses } from './history-port.ts';
import { shownVerification } from './steps/shown-verification.ts';

export interface FindVerificationServices {
	readonly clock: Clock;
	readonly accounts: (accountId: string) => Pick<AccountPort, 'findVerification'>;
	readonly verifiedAddresses: Pick<VerifiedAddresses, 'read'>;
}

/** A verification with its address. Null: there is none, or its time is over. */
export async function findVerification(
	services: FindVerificationServices,
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
