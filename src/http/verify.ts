import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { bareAddress, describeFault, parseAddress } from '../core/address/parse-address.ts';
import type { Address } from '../core/address/parse-address.ts';
import { inCredits, PRICE, priceFor } from '../core/credits/price.ts';
import { isDisposable } from '../core/lists/domain-kinds.ts';
import { ServiceError } from '../errors.ts';
import { finished } from '../lib/log.ts';
import type { KeyedCall } from '../operations/verify/port.ts';
import { verifyAddress } from '../operations/verify/verify-address.ts';
import { enter, wasAdmittedLately } from './admission.ts';
import { answerRemembered } from './answer.ts';
import type { AppContext, AppEnv } from './context.ts';
import { serve } from './endpoint.ts';
import type { KnownPaths } from './endpoint.ts';
import { CATCH_ALL, DELIVERABLE, META, UNKNOWN } from './examples.ts';
import { creditCount } from './fields.ts';
import { idempotencyHeader, keyedCall, readCounted } from './jobs/requests.ts';
import type { Tag } from './openapi.ts';
import { readJson } from './read-json.ts';
import { BODY_ERRORS, IDEMPOTENCY_ERRORS, failures, jsonResponse } from './responses.ts';
import { success, verification, verifyRequest } from './schemas.ts';

// An address has at most 254 octets; the rest is for other fields that clients send.
const BODY_OCTETS_MAX = 65_536;

const response = success(verification, {
	creditsUsed: creditCount.describe('What this answer cost, in credits: 0 for an `unknown`'),
	creditsRemaining: creditCount.describe('What is available now, in credits'),
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
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { 'application/json': { schema: verifyRequest } } },
	},
	responses: {
		200: jsonResponse(
			'The verification',
			response,
			{
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
					value: {
						success: true,
						data: UNKNOWN,
						meta: { ...charged, creditsUsed: 0, creditsRemaining: 100 },
					},
				},
			},
			'Idempotent-Replayed',
		),
		...failures(
			...BODY_ERRORS,
			...IDEMPOTENCY_ERRORS,
			'malformed_email',
			'insufficient_credits',
			'upstream_nonsense',
		),
	},
});

/** POST /v1/verify */
export function addVerify(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, route, ['verify'], async (c) => {
		const { address, readAs, call, quick, timeoutMs, explain } = await readCounted(c, readRequest(c));
		const { services, requestId, credential } = c.var;
		// Names are looked up while the account is asked, if it paid a moment ago; the mail hosts wait for its answer.
		const isAhead = wasAdmittedLately(c) && !isDisposable(address.domain);
		const mail = isAhead ? services.lookUpMail(address, { quick }) : null;
		// Where the request is refused, the result of the look-up is ignored.
		mail?.catch(() => {});
		const outcomeOf = services.digestsOf(credential.accountId, address);
		const credits = priceFor(credential.accountId, PRICE.single);
		const entered = await enter(c, 'default', { credits, outcomeOf, call });
		const verifying = verifyAddress(services, credential, {
			...entered,
			address,
			requestId,
			mail,
			call,
			quick,
			timeoutMs,
			explain,
		});
		// A client that hangs up cancels its request: the work and its settlement go on all the same.
		c.executionCtx.waitUntil(finished(verifying.then(({ afterwards }) => afterwards)));
		const { answer, replayed } = await verifying;
		const meta = { creditsUsed: answer.charged, creditsRemaining: answer.remaining };
		const data = readAs === null ? answer.result : { ...answer.result, read_as: readAs };
		const content = { data, meta };
		return answerRemembered(c, route, { requestId: answer.requestId, replayed, content });
	});
}

interface VerifyRequest {
	readonly address: Address;
	/** The address, where the caller sent more than that; null: it sent just the address. */
	readonly readAs: string | null;
	readonly call: KeyedCall | null;
	/** No mail server is asked. */
	readonly quick: boolean;
	/** Null: the caller waits. */
	readonly timeoutMs: number | null;
	readonly explain: boolean;
}

async function readRequest(c: AppContext): Promise<VerifyRequest> {
	const body = await readJson(c, verifyRequest, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	const { email, mode = 'full', timeoutMs = null, explain = false } = body.value;
	const bare = bareAddress(email);
	const parsed = parseAddress(bare);
	if (!parsed.ok) {
		const text = `Malformed email: ${describeFault(parsed.reason, bare)}`;
		throw new ServiceError('malformed_email', text, { details: { param: 'email' } });
	}
	const quick = mode === 'quick';
	const options = {
		...(quick ? { mode } : {}),
		...(timeoutMs === null ? {} : { timeoutMs }),
		...(explain ? { explain } : {}),
	};
	const call = keyedCall(c, 'verify', Object.keys(options).length === 0 ? [email] : [email, options]);
	const { address } = parsed;
	const readAs = bare === email.trim() ? null : address.email;
	return { address, readAs, call, quick, timeoutMs, explain };
}
