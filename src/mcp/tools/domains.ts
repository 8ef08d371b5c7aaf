import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { priceOfDomains, PRICE_OF_DOMAINS } from '../../core/credits/price.ts';
import { domainReports, domainsRequest } from '../../http/schemas/domain.ts';
import { meta, published } from '../answers.ts';
import type { Api } from '../api.ts';
import { dryRun, idempotencyKey, maxCredits } from '../arguments.ts';
import { quoteOr, spending } from '../spending.ts';
import { SPENDS } from './tool.ts';

/** The tool for domains. */
export function addDomains(server: McpServer, api: Api): void {
	server.registerTool(
		'look_up_domains',
		{
			title: 'Look up domains',
			description: `Says of up to 1,000 domains whether they take mail, who runs it, and what can be told. No mail server is asked. ${PRICE_OF_DOMAINS}.`,
			inputSchema: z.strictObject({
				domains: domainsRequest.shape.domains,
				maxCredits,
				dryRun,
				idempotencyKey,
			}),
			outputSchema: published(quoteOr(domainReports.extend({ meta }))),
			annotations: SPENDS,
		},
		async ({ domains, idempotencyKey: key, ...limits }) => {
			const required = priceOfDomains(domains.length);
			const count = () => ({ required, beside: { domains: domains.length } });
			return spending(api, { atMost: required, count, ...limits }, async () =>
				api.post('/v1/domains', { domains }, key),
			);
		},
	);
}
