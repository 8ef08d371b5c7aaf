import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { enter } from './admission.ts';
import { answer } from './answer.ts';
import type { AppEnv } from './context.ts';
import { serve } from './endpoint.ts';
import type { KnownPaths } from './endpoint.ts';
import { CREDITS, META } from './examples.ts';
import type { Tag } from './openapi.ts';
import { renderBalance } from './render.ts';
import { failuresOfAnyKey, jsonResponse } from './responses.ts';
import { credits, success } from './schemas.ts';

const route = createRoute({
	operationId: 'getCredits',
	tags: ['Account' satisfies Tag],
	method: 'get',
	path: '/v1/credits',
	summary: 'Read the balance',
	description:
		'`balance` is what is available plus what is reserved, and all purchases less all net consumption.',
	security: [{ bearer: [] }, { apiKey: [] }],
	responses: {
		200: jsonResponse('The balance', success(credits, {}), {
			balance: { summary: 'A balance', value: { success: true, data: CREDITS, meta: META } },
		}),
		...failuresOfAnyKey(),
	},
});

/** GET /v1/credits */
export function addCredits(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, route, 'any key', async (c) => {
		const { balance } = await enter(c, 'default');
		return answer(c, route, { data: renderBalance(balance) });
	});
}
