import { parseDomain } from '../../core/address/parse-address.ts';
import { findRegistrable } from '../../core/dns/registrable.ts';
import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { Services } from '../../services.ts';

/**
 * The domain that asked us not to ask: A-labels, lower case. A registry's public suffix (`com`, `co.uk`) is refused, because
 * no one owner speaks for it. A company's suffix (`github.io`) is that company's. Throws `ServiceError`.
 */
export function requireDomain(text: string): string {
	const domain = parseDomain(text);
	if (domain === null) throw new ServiceError('invalid_parameter', 'That is no domain');
	const below = findRegistrable(`a.${domain}`);
	if (below === null || below.suffix !== domain || below.isPrivate) return domain;
	throw new ServiceError('invalid_parameter', 'That is a public suffix: name a domain below it');
}

type OptOutServices = Pick<Services, 'clock' | 'directory' | 'actor' | 'optOuts'>;

/** Has a domain, and every name below it, asked no more: within a minute everywhere. A repetition changes nothing. */
export async function refuseDomain(services: OptOutServices, request: { readonly domain: string }) {
	const domain = requireDomain(request.domain);
	const listed = await services.optOuts.list();
	const known = listed.find((one) => one.domain === domain);
	if (known !== undefined) return known;
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
