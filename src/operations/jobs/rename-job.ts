import type { AccountPort } from '../accounts/object-port.ts';
import type { AccountRef } from '../accounts/port.ts';

export interface RenameJobServices {
	readonly accounts: (accountId: string) => Pick<AccountPort, 'renameJob'>;
}

export interface RenameJobRequest {
	readonly jobId: string;
	/** At most 255 characters. */
	readonly name: string;
}

/** Gives a list another name. */
export async function renameJob(
	services: RenameJobServices,
	account: AccountRef,
	request: RenameJobRequest,
): Promise<void> {
	await services.accounts(account.accountId).renameJob(request);
}
