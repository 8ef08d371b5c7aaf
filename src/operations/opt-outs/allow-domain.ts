import { audit } from '../accounts/steps/manage.ts';
import type { OptOutServices } from './refuse-domain.ts';
import { requireDomain } from './steps/require-domain.ts';

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
