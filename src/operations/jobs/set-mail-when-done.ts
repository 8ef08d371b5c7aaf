import type { AccountPort } from '../accounts/object-port.ts';
import type { AccountRef } from '../accounts/port.ts';

export interface SetMailWhenDoneServices {
	readonly accounts: (accountId: string) => Pick<AccountPort, 'setMailWhenDone'>;
}

export interface SetMailWhenDoneRequest {
	readonly jobId: string;
	readonly wanted: boolean;
}

/** Has the owner told by mail when a list ends, or not. Of one that has ended this changes nothing. */
export async function setMailWhenDone(
	services: SetMailWhenDoneServices,
	account: AccountRef,
	request: SetMailWhenDoneRequest,
): Promise<void> {
	await services.accounts(account.accountId).setMailWhenDone(request);
}
