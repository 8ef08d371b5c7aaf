import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { describeFault, parseAddress } from '../../core/address/parse-address.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { PRICE, inCredits } from '../../core/credits/price.ts';
import { isDisposable } from '../../core/lists/domain-kinds.ts';
import { ServiceError } from '../../errors.ts';
import { verifyAddress } from '../../operations/verify/verify-address.ts';
import { enter } from '../admission.ts';
import { answer } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { CATCH_ALL, DELIVERABLE, META, UNKNOWN } from '../examples.ts';
import { count } from '../fields.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { BODY_ERRORS, failures, jsonResponse } from '../responses.ts';
import { success, verification, verifyRequest } from '../schemas.ts';

// An address has at most 254 octets; the rest is for other fields that clients send.
const BODY_OCTETS_MAX = 65_536;

const response = success(verification, {
	creditsUsed: count.describe('What this answer cost, in credits: 0 for an `unknown`'),
	creditsRemaining: count.describe('What is available now, in credits'),
});
const charged = { ...META, creditsUsed: PRICE.single, creditsRemaining: 99 };

const route = createRoute({
	operationId: 'verifyAddress',
	tags: ['Single' satisfies Tag],
	method: 'post',
	path: '/v1/verify',
	summary: 'Verify one address',
	description: `Costs ${inCredits(PRICE.single)}; an \`unknown\` is refunded. On a catch-all domain the deeper check runs in the same call.`,
	security: [{ bearer: [] }, { apiKey: [] }],
	request: { body: { required: true, content: { 'application/json': { schema: verifyRequest } } } },
	responses: {
		200: jsonResponse('The verification', response, {
			deliverable: {
				summary: 'The mail server accepts the address',
				value: { success: true, data: DELIVERABLE, meta: charged },
			},
			catchAll: {
				summary: 'A catch-all domain, where the deeper check decided',
				value: { success: true, data: CATCH_ALL, meta: charged },
			},
			unknown: {
				summary: 'No definite answer, so it costs nothing',
				value: { success: true, data: UNKNOWN, meta: { ...charged, creditsUsed: 0, creditsRemaining: 100 } },
			},
		}),
		...failures(...BODY_ERRORS, 'malformed_email', 'insufficient_credits', 'upstream_nonsense'),
	},
});

/** POST /v1/verify */
export function addVerify(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, route, async (c) => {
		const request = await readAddress(c);
		if (!request.ok) {
			await enter(c, 'default');
			throw request.error;
		}
		const { services, credential } = c.var;
		// Names cost nobody anything, so they are looked up while the account is asked; the mail hosts wait for its answer.
		const mail = isDisposable(request.address.domain) ? null : services.lookUpMail(request.address);
		// Where the request is refused, nobody asks what came of it.
		mail?.catch(() => {});
		const { reservation } = await enter(c, 'default', { credits: PRICE.single });
		const verifying = verifyAddress(services, credential, { reservation, address: request.address, mail });
		// A client that hangs up cancels its request: the work and its settlement go on all the same.
		c.executionCtx.waitUntil(verifying.catch(() => {}));
		const { result, settled } = await verifying;
		const meta = {
			creditsUsed: settled.charged,
			creditsRemaining: settled.balance.availableCredits,
		};
		return answer(c, route, { data: result, meta });
	});
}

async function readAddress(
	c: AppContext,
): Promise<{ ok: true; address: Address } | { ok: false; error: ServiceError }> {
	const body = await readJson(c, verifyRequest, BODY_OCTETS_MAX);
	if (!body.ok) return body;
	const parsed = parseAddress(body.value.email);
	if (parsed.ok) return parsed;
	const text = `Malformed email: ${describeFault(parsed.reason)}`;
	return { ok: false, error: new ServiceError('malformed_email', text) };
}
