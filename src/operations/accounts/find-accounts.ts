import { parseAddress } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import type { ListedAccount } from './directory-port.ts';
import { audit } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

export interface FindAccountsRequest {
	/** As typed by the operator; perhaps not an address. */
	readonly email: string;
}

/** The open accounts of an address, oldest first. The audit trail records the search, but not the address. */
export async function findAccounts(
	services: ManageServices,
	request: FindAccountsRequest,
): Promise<readonly ListedAccount[]> {
	const { email } = request;
	const parsed = parseAddress(email);
	const names = [email.toLowerCase(), ...(parsed.ok ? [loginNameOf(parsed.address)] : [])];
	const found = await services.directory.findAccountsOf(names);
	await audit(services, 'account.find', null, { found: found.length });
	return found;
}
