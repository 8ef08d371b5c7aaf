import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { priceFor, priceOfDomains, PRICE_OF_DOMAINS } from '../../core/credits/price.ts';
import { finished } from '../../lib/log.ts';
import {
	describeDomains,
	DOMAINS_ID_PREFIX,
	DOMAINS_MAX,
} from '../../operations/domains/describe-domains.ts';
import { enter } from '../admission.ts';
import { answerRemembered } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { META } from '../examples.ts';
import { creditCount } from '../fields.ts';
import { idempotencyHeader, keyedCall, readCounted } from '../jobs/requests.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { BODY_ERRORS, IDEMPOTENCY_ERRORS, failures, jsonResponse } from '../responses.ts';
import { success } from '../schemas.ts';
import { domainReports, domainsRequest } from './schemas.ts';
import { thousands } from '../../lib/text.ts';

// A thousand of the longest names, and room for other fields that clients send.
const BODY_OCTETS_MAX = 524_288;

/** A company's domain, and a slip that is not registered. */
const EXAMPLE: z.infer<typeof domainReports> = {
	results: [
		{
			domain: 'acme.com',
			exists: true,
			accepts_mail: true,
			mx: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
			smtp_provider: 'google',
			gateway: null,
			catch_all: false,
			catch_all_checked_at: '2026-07-01T10:00:08.000Z',
			disposable: false,
			free: false,
			did_you_mean: null,
			told_at_rcpt: true,
		},
		{
			domain: 'gmail.con',
			exists: false,
			accepts_mail: false,
			mx: [],
			smtp_provider: null,
			gateway: null,
			catch_all: null,
			catch_all_checked_at: null,
			disposable: false,
			free: false,
			did_you_mean: 'gmail.com',
			told_at_rcpt: null,
		},
	],
};

const route = createRoute({
	operationId: 'describeDomains',
	tags: ['Domains' satisfies Tag],
	method: 'post',
	path: '/v1/domains',
	summary: 'Look up domains',
	description: `Who takes their mail, and what can be told. Up to ${thousands(DOMAINS_MAX)} domains, by DNS, lists and what we remember. No mail server is asked. ${PRICE_OF_DOMAINS}, refunded if DNS failed for all of them. A domain whose name servers do not answer within 15 seconds has null.`,
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
						data: EXAMPLE,
						meta: { ...META, creditsUsed: 1, creditsRemaining: 99 },
					},
				},
			},
			'Idempotent-Replayed',
		),
		...failures(...BODY_ERRORS, ...IDEMPOTENCY_ERRORS, 'insufficient_credits', 'upstream_nonsense'),
	},
});

/** POST /v1/domains */
export function addDomains(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
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
		const content = { data: { results: found.results }, meta };
		return answerRemembered(c, route, { requestId: found.requestId, replayed, content });
	});
}

async function readRequest(c: AppContext) {
	const body = await readJson(c, domainsRequest, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	const { domains: names } = body.value;
	return { names, call: keyedCall(c, 'domains', { domains: names }) };
}
