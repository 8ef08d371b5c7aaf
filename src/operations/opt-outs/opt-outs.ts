import type { OptOut, OptOutFault } from '../../core/lists/opt-outs.ts';
import { readOptOut } from '../../core/lists/opt-outs.ts';
import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { Services } from '../../services.ts';

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

export type OptOutServices = Pick<Services, 'clock' | 'directory' | 'actor' | 'optOuts'>;

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
