import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { AuditTrailServices } from '../accounts/steps/manage.ts';
import { requireDomain } from './steps/require-domain.ts';
import type { OptOut, OptOutStore } from './port.ts';

export interface OptOutServices extends AuditTrailServices {
	readonly optOuts: OptOutStore;
}

// All of them are held in memory by whoever examines addresses.
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
