import { priceFor, priceOfDomains, PRICE_OF_DOMAINS } from '../core/credits/price.ts';
import { thousands } from '../lib/text.ts';
import { describeDomains, DOMAINS_ID_PREFIX, DOMAINS_MAX } from '../operations/domains/describe-domains.ts';
import { enter } from './admission.ts';
import { counted, endpoint, json } from './endpoint.ts';
import { keyedCall } from './admission.ts';
import { domainReports, domainsRequest } from './schemas/domain.ts';
import { chargedMeta } from './schemas/fields.ts';

export const lookUpDomains = endpoint({
	id: 'describeDomains',
	call: 'POST /v1/domains',
	says: 'Look up domains',
	more: `Who takes their mail, and what can be told. Up to ${thousands(DOMAINS_MAX)} domains, by DNS, lists and what we remember. No mail server is asked. ${PRICE_OF_DOMAINS}, refunded if DNS failed for all of them. A domain whose name servers do not answer within 15 seconds has null.`,
	scopes: ['verify'],
	window: 'itself',
	isKeyed: true,
	body: domainsRequest,
	gives: json(200, 'The reports', domainReports, { meta: chargedMeta }),
	refuses: ['insufficient_credits', 'upstream_nonsense'],
	run: async ({ c, services, credential, requestId, body: { domains: names }, lasting }) => {
		const call = await counted(c, () => keyedCall(c, 'domains', { domains: names }));
		const credits = priceFor(credential.accountId, priceOfDomains(names.length));
		const entered = await enter(c, 'default', { credits, idPrefix: DOMAINS_ID_PREFIX, call });
		// A client that hangs up cancels its request: the work and its settlement go on all the same.
		const { answer, replayed } = await lasting(
			describeDomains(services, credential, { ...entered, names, requestId, call }),
		);
		return {
			requestId: answer.requestId,
			replayed,
			data: { results: answer.results },
			meta: { creditsUsed: answer.charged, creditsRemaining: answer.remaining },
		};
	},
});
