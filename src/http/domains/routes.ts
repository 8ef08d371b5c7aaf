import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { priceFor, priceOfDomains, PRICE_OF_DOMAINS } from '../../core/credits/price.ts';
import { finished } from '../../lib/log.ts';
import {
	describeDomains,
	DOMAINS_ID_PREFIX,
	DOMAINS_MAX,
} from '../../operations/domains/describe-domains.ts';
import { quoteList } from '../../operations/domains/quote-list.ts';
import { enter } from '../admission.ts';
import { answer, answerRemembered } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { META } from '../examples.ts';
import { creditCount } from '../fields.ts';
import { idempotencyHeader, keyedCall, readCounted } from '../jobs/requests.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { BODY_ERRORS, IDEMPOTENCY_ERRORS, failures, failuresOfAnyKey, jsonResponse } from '../responses.ts';
import { success } from '../schemas.ts';
import { DOMAIN_REPORTS, QUOTE } from './examples.ts';
import { domainReports, domainsRequest, quote, quoteRequest } from './schemas.ts';

// A thousand of the longest names, and room for other fields that clients send.
const BODY_OCTETS_MAX = 524_288;

const route = createRoute({
	operationId: 'describeDomains',
	tags: ['Domains' satisfies Tag],
	method: 'post',
	path: '/v1/domains',
	summary: 'Look up domains',
	description: `Who takes their mail, and what can be told. Up to ${DOMAINS_MAX.toLocaleString('en')} domains, by DNS, lists and what we remember. No mail server is asked. ${PRICE_OF_DOMAINS}, refunded if DNS failed for all of them. A domain whose name servers do not answer within 15 seconds has null.`,
	security: [{ bearer: [] }, { apiKey: [] }],
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { 'application/json': { schema: domainsRequest } } },
	},
	responses: {
		200: jsonResponse(
			'The reports',
			success(domainReports, {
				creditsUsed: creditCount.describe('What this answer cost, in credits'),
				creditsRemaining: creditCount.describe('What is available now, in credits'),
			}),
			{
				reports: {
					summary: 'A company behind Google, and a slip of the pen',
					value: {
						success: true,
						data: DOMAIN_REPORTS,
						meta: { ...META, creditsUsed: 1, creditsRemaining: 99 },
					},
				},
			},
			'Idempotent-Replayed',
		),
		...failures(...BODY_ERRORS, ...IDEMPOTENCY_ERRORS, 'insufficient_credits', 'upstream_nonsense'),
	},
});

// 50,000 names of usual length, and then some.
const HISTOGRAM_OCTETS_MAX = 4 * 1_048_576;

const quoteRoute = createRoute({
	operationId: 'quoteList',
	tags: ['Domains' satisfies Tag],
	method: 'post',
	path: '/v1/quote',
	summary: 'Quote a list',
	description:
		'What it will cost at most, how long it takes, and what can be told. Count the domains of your list and send the numbers: no address leaves you. Free. The time is that of one source address at full budget; other lists and a prober that is new make it longer.',
	security: [{ bearer: [] }, { apiKey: [] }],
	request: { body: { required: true, content: { 'application/json': { schema: quoteRequest } } } },
	responses: {
		200: jsonResponse('The quote', success(quote, {}), {
			quote: {
				summary: 'A list with a provider that accepts everything',
				value: { success: true, data: QUOTE, meta: META },
			},
		}),
		...failuresOfAnyKey(...BODY_ERRORS),
	},
});

/** POST /v1/domains, POST /v1/quote */
export function addDomains(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, quoteRoute, 'any key', async (c) => {
		await enter(c, 'batch');
		const body = await readJson(c, quoteRequest, HISTOGRAM_OCTETS_MAX);
		if (!body.ok) throw body.error;
		const histogram = new Map(Object.entries(body.value.domains));
		return answer(c, quoteRoute, { data: await quoteList(c.var.services, histogram) });
	});
	serve(api, paths, route, ['verify'], async (c) => {
		const { names, call } = await readCounted(c, readRequest(c));
		const credits = priceFor(c.var.credential.accountId, priceOfDomains(names.length));
		const entered = await enter(c, 'default', { credits, idPrefix: DOMAINS_ID_PREFIX, call });
		const { services, requestId, credential } = c.var;
		const describing = describeDomains(services, credential, { ...entered, names, requestId, call });
		// A client that hangs up cancels its request: the work and its settlement go on all the same.
		c.executionCtx.waitUntil(finished(describing));
		const { answer: found, replayed } = await describing;
		const meta = { creditsUsed: found.charged, creditsRemaining: found.remaining };
		const content = { data: { results: found.result }, meta };
		return answerRemembered(c, route, { requestId: found.requestId, replayed, content });
	});
}

async function readRequest(c: AppContext) {
	const body = await readJson(c, domainsRequest, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	const { domains: names } = body.value;
	return { names, call: keyedCall(c, 'domains', { domains: names }) };
}
