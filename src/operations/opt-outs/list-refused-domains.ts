import type { OptOut } from './port.ts';
import type { OptOutServices } from './refuse-domain.ts';

/** The domains that are not asked, in alphabetical order. */
export async function listRefusedDomains(
	services: Pick<OptOutServices, 'optOuts'>,
): Promise<readonly OptOut[]> {
	return services.optOuts.list();
}
