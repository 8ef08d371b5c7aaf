import type { AccountPort } from '../accounts/object-port.ts';
import type { Clock } from '../../engine/ports.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { ShownVerification, VerifiedAddresses } from './history-port.ts';
import { shownVerification } from './steps/shown-verification.ts';

export interface ListVerificationsServices {
	readonly clock: Clock;
	readonly accounts: (accountId: string) => Pick<AccountPort, 'listVerifications'>;
	readonly verifiedAddresses: Pick<VerifiedAddresses, 'read'>;
}

export interface ShownVerificationsPage {
	/** False: the account keeps no history. */
	readonly isKept: boolean;
	/** Those that were answered, the newest first. One whose address is gone is left out. */
	readonly verifications: readonly ShownVerification[];
	readonly total: number;
}

/** A page of the history, from 0, with the addresses. */
export async function listVerifications(
	services: ListVerificationsServices,
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
	const shown = page.verifications.map((kept) => shownVerification(kept, emails.get(kept.id)));
	return { ...page, verifications: shown.filter((one) => one !== null) };
}
