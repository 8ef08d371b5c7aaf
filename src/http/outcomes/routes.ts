import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { bareAddress, describeFault, parseAddress } from '../../core/address/parse-address.ts';
import { ServiceError } from '../../errors.ts';
import { recordOutcomes } from '../../operations/outcomes/outcomes.ts';
import type { RecordOutcomesRequest } from '../../operations/outcomes/outcomes.ts';
import { enter } from '../admission.ts';
import { answer } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { META } from '../examples.ts';
import { OUTCOMES_MAX, feedback, feedbackRequest } from './schemas.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { BODY_ERRORS, failures, jsonResponse } from '../responses.ts';
import { success } from '../schemas.ts';

// A thousand of the longest addresses, in escapes, and room for other fields that clients send.
const BODY_OCTETS_MAX = 2 * 1024 * 1024;
// Clocks differ.
const AHEAD_MAX_MS = 5 * 60_000;

const route = createRoute({
	operationId: 'sendFeedback',
	tags: ['Account' satisfies Tag],
	method: 'post',
	path: '/v1/feedback',
	summary: 'Report outcomes',
	description: `What became of your messages: up to ${OUTCOMES_MAX} outcomes. From then on they decide these addresses for this account, in single calls, lists and tasks; other accounts never see them. Of several outcomes of an address the newest counts, so that repeating a request changes nothing. Addresses are kept as keyed hashes only. Free of charge.`,
	security: [{ bearer: [] }, { apiKey: [] }],
	request: { body: { required: true, content: { 'application/json': { schema: feedbackRequest } } } },
	responses: {
		200: jsonResponse('What was recorded', success(feedback, {}), {
			recorded: {
				summary: 'Two outcomes, both new',
				value: {
					success: true,
					data: { accepted: 2, recorded: 2, unchanged: 0, expired: 0 },
					meta: META,
				},
			},
		}),
		...failures(...BODY_ERRORS, 'malformed_email'),
	},
});

/** POST /v1/feedback */
export function addFeedback(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, route, ['verify'], async (c) => {
		await enter(c, 'default');
		const request = await readOutcomes(c);
		const { services, credential } = c.var;
		const result = await recordOutcomes(services, credential, request);
		if (result.kind === 'too_many_today') {
			c.set('window', result.window);
			throw new ServiceError('rate_limited', 'Developer API rate limit exceeded');
		}
		const { recorded, unchanged, expired } = result;
		return answer(c, route, { data: { accepted: request.outcomes.length, recorded, unchanged, expired } });
	});
}

async function readOutcomes(c: AppContext): Promise<RecordOutcomesRequest> {
	const body = await readJson(c, feedbackRequest, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	const latest = c.var.services.clock.now() + AHEAD_MAX_MS;
	const outcomes = body.value.outcomes.map(({ email, outcome: kind, at }, index) => {
		const parsed = parseAddress(bareAddress(email));
		if (!parsed.ok) {
			const param = `outcomes[${index}].email`;
			const text = `Malformed email: ${param}: ${describeFault(parsed.reason, email)}`;
			throw new ServiceError('malformed_email', text, { details: { param } });
		}
		const time = at === null || at === undefined ? null : Date.parse(at);
		if (time !== null && time > latest) {
			const param = `outcomes[${index}].at`;
			throw new ServiceError('invalid_parameter', `Invalid parameter: ${param} is in the future`, {
				details: { param },
			});
		}
		return { address: parsed.address, kind, at: time };
	});
	return { outcomes };
}
