import type { Address } from '../../../core/address/parse-address.ts';
import { suggestDomain } from '../../../core/lists/typos.ts';
import { ServiceError } from '../../../errors.ts';
import type { MailRoute } from '../../../core/dns/find-mail-exchangers.ts';
import type { IdentityServices } from '../port.ts';
import { throttle } from './throttle.ts';

export interface CheckDomainServices extends Pick<IdentityServices, 'attempts' | 'clock' | 'isDisposable'> {
	readonly findRoute: (domain: string) => Promise<MailRoute>;
	/** Whether throw-away addresses are refused. */
	readonly refusesDisposable: boolean;
}

export interface CheckDomainRequest {
	readonly address: Address;
	/** The person saw our suggestion and keeps the address. */
	readonly keepsAddress: boolean;
	readonly client: string;
}

/** Why a person can't have an account under an address. */
export type DomainFault =
	| { readonly kind: 'disposable' }
	| { readonly kind: 'typo'; readonly suggestion: string }
	/** The domain takes no mail: it does not exist, has no mail hosts, or says so (RFC 7505). */
	| { readonly kind: 'no_mail' };

/** What is wrong with the domain by our own lists; null: nothing. */
export async function checkDomain(
	services: CheckDomainServices,
	{ address, keepsAddress }: Omit<CheckDomainRequest, 'client'>,
): Promise<Exclude<DomainFault, { kind: 'no_mail' }> | null> {
	const { domain, localPart } = address;
	const suggested = suggestDomain(domain);
	if (suggested !== null && !keepsAddress) return { kind: 'typo', suggestion: `${localPart}@${suggested}` };
	const isRefused = services.refusesDisposable && (await services.isDisposable(domain));
	return isRefused ? { kind: 'disposable' } : null;
}

/**
 * Whether the domain takes mail, as the DNS says; while that fails it may. To be asked after the limits of the action,
 * and not with a place in the line for passwords: the DNS of a stranger may be slow.
 */
export async function takesMail(
	services: CheckDomainServices,
	{ address, client }: Omit<CheckDomainRequest, 'keepsAddress'>,
): Promise<boolean> {
	// All of them together, too: nobody anonymous may make us ask without limit. Beyond it we don't look.
	const throttled = await throttle(services, 'look_up_sign_up', { client, account: 'everyone' });
	if (throttled !== null) return true;
	try {
		const { kind } = await services.findRoute(address.domain);
		return kind === 'hosts' || kind === 'undetermined';
	} catch (error) {
		// No resolver can be reached. What we don't know keeps nobody out.
		if (error instanceof ServiceError) return true;
		throw error;
	}
}
