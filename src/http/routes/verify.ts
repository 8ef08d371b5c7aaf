import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { describeFault, parseAddress } from '../../core/address/parse-address.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { PRICE, inCredits } from '../../core/credits/price.ts';
import { isDisposable } from '../../core/lists/domain-kinds.ts';
import { ServiceError } from '../../errors.ts';
import { verifyAddress } from '../../operations/verify/verify-address.ts';
import { enter } from '../admission.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { readJson } from '../read-json.ts';
import { failures, jsonResponse } from '../responses.ts';
import { success, verification, verifyRequest } from '../schemas.ts';

// An address has at most 254 octets; the rest is for other fields that clients send.
const BODY_OCTETS_MAX = 65_536;

const response = success(verification, { creditsUsed: z.int(), creditsRemaining: z.int() });

const route = createRoute({
	operationId: 'verifyAddress',
	method: 'post',
	path: '/v1/verify',
	summary: 'Verify one address',
	description: `Costs ${inCredits(PRICE.single)}; an \`unknown\` is refunded. On a catch-all domain the deeper check runs in the same call.`,
	security: [{ bearer: [] }, { apiKey: [] }],
	request: { body: { required: true, content: { 'application/json': { schema: verifyRequest } } } },
	responses: { 200: jsonResponse('The verification', response), ...failures(400, 402, 502, 503) },
});

/** POST /v1/verify */
export function addVerify(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, route, async (c) => {
		const request = await readAddress(c);
		if (!request.ok) {
			await enter(c, 'default');
			throw request.error;
		}
		const { services, requestId, credential } = c.var;
		// Names cost nobody anything, so they are looked up while the account is asked; the mail hosts wait for its answer.
		const mail = isDisposable(request.address.domain) ? null : services.lookUpMail(request.address);
		// Where the request is refused, nobody asks what came of it.
		mail?.catch(() => {});
		const { reservation, mayAsk } = await enter(c, 'default', { credits: PRICE.single });
		const verifying = verifyAddress(services, credential, {
			reservation,
			address: request.address,
			mail,
			mayAsk,
		});
		// A client that hangs up cancels its request: the work and its settlement go on all the same.
		c.executionCtx.waitUntil(verifying.catch(() => {}));
		const { result, settled } = await verifying;
		const meta = {
			requestId,
			creditsUsed: settled.charged,
			creditsRemaining: settled.balance.availableCredits,
		};
		return c.json({ success: true, data: result, meta } satisfies z.infer<typeof response>, 200);
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
