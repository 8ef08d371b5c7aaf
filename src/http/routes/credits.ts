import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { enter } from '../admission.ts';
import type { AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { renderBalance } from '../render-balance.ts';
import { failures, jsonResponse } from '../responses.ts';
import { credits, success } from '../schemas.ts';

const response = success(credits, {});

const route = createRoute({
	operationId: 'getCredits',
	method: 'get',
	path: '/v1/credits',
	summary: 'The credit balance',
	description:
		'`balance` is what is available plus what is reserved, and all purchases less all net consumption.',
	security: [{ bearer: [] }, { apiKey: [] }],
	responses: { 200: jsonResponse('The balance', response), ...failures(503) },
});

/** GET /v1/credits */
export function addCredits(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, route, async (c) => {
		const { balance } = await enter(c, 'default');
		const body = {
			success: true,
			data: renderBalance(balance),
			meta: { requestId: c.var.requestId },
		} as const;
		return c.json(body satisfies z.infer<typeof response>, 200);
	});
}
