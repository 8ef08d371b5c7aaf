import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { priceOfDomains, PRICE_OF_DOMAINS } from '../../core/credits/price.ts';
import { domainReports, domainsRequest, quote, quoteRequest } from '../../http/domains/schemas.ts';
import { answered, meta, published } from '../answers.ts';
import type { Api } from '../api.ts';
import { dryRun, idempotencyKey, maxCredits } from '../arguments.ts';
import { quoteOr, spending } from '../spending.ts';
import { READS, SPENDS } from './tool.ts';

/** The tools for domains, and for what a list would cost. */
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
	server.registerTool(
		'quote_list',
		{
			title: 'Quote a list',
			description:
				'Says what a list would cost at most, how long it takes and what can be told, by how many addresses it has at each domain. Free; no address is needed.',
			inputSchema: z.strictObject({ domains: quoteRequest.shape.domains }),
			outputSchema: published(quote.extend({ meta })),
			annotations: READS,
		},
		async ({ domains }) => answered(await api.post('/v1/quote', { domains }, undefined)),
	);
}
