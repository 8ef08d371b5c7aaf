import { readOptOut } from '../../core/lists/opt-outs.ts';
import type { OptOutFault } from '../../core/lists/opt-outs.ts';
import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { AuditTrailServices } from '../accounts/steps/manage.ts';

const FAULTS: Readonly<Record<OptOutFault, string>> = {
	no_domain: 'That is no domain',
	public_suffix: 'That is a public suffix: name a domain below it',
};

/** The domain in its stored form. Throws `ServiceError` `invalid_parameter`. */
export function requireDomain(text: string): string {
	const read = readOptOut(text);
	if (read.ok) return read.domain;
	throw new ServiceError('invalid_parameter', FAULTS[read.fault]);
}

/** The domains that are not asked, in alphabetical order. */
export async function listRefusedDomains(
	services: Pick<OptOutServices, 'optOuts'>,
): Promise<readonly OptOut[]> {
	return services.optOuts.list();
}

export interface OptOutServices extends AuditTrailServices {
	readonly optOuts: OptOutStore;
}

// Each isolate that examines addresses holds all of them in memory.
const OPT_OUTS_MAX = 50_000;

/** Has a domain, and every name below it, asked no more: within a minute everywhere. A repetition changes nothing. */
export async function refuseDomain(
	services: OptOutServices,
	request: { readonly domain: string },
): Promise<OptOut> {
	const domain = requireDomain(request.domain);
	const listed = await services.optOuts.list();
	const known = listed.find((one) => one.domain === domain);
	if (known !== undefined) return known;
	if (listed.length >= OPT_OUTS_MAX)
		throw new ServiceError('invalid_parameter', `At most ${OPT_OUTS_MAX} domains are held back`);
	await audit(services, 'domain.refuse', null, { domain });
	const optOut = { domain, since: services.clock.now() };
	await services.optOuts.add(optOut);
	return optOut;
}

/** Takes a domain's opt-out back. False: it had none of its own. */
export async function allowDomain(
	services: OptOutServices,
	request: { readonly domain: string },
): Promise<boolean> {
	const domain = requireDomain(request.domain);
	const listed = await services.optOuts.list();
	if (!listed.some((one) => one.domain === domain)) return false;
	await audit(services, 'domain.allow', null, { domain });
	await services.optOuts.remove(domain);
	return true;
}

/** A domain whose owner asked us not to ask its mail servers. */
export interface OptOut {
	/** A-labels, lower case. It covers the names below it. */
	readonly domain: string;
	/** Epoch milliseconds. */
	readonly since: number;
}

/** The domains that are not asked. Every call may be repeated and then changes nothing. */
export interface OptOutStore {
	/** In alphabetical order. */
	list(): Promise<readonly OptOut[]>;
	/** A repetition keeps the first time. */
	add(optOut: OptOut): Promise<void>;
	remove(domain: string): Promise<void>;
}
