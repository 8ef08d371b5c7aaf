import { expect, test } from 'vitest';
import { createRoute } from '@hono/zod-openapi';
import { successText } from '../../../src/http/answer.ts';
import { CREDITS, META } from '../../../src/http/examples.ts';
import { count } from '../../../src/http/fields.ts';
import { jsonResponse } from '../../../src/http/responses.ts';
import { credits, success } from '../../../src/http/schemas.ts';

// What a route serves is held to its schema by the compiler: the lines marked here would not compile otherwise.

const value = { success: true, data: CREDITS, meta: { ...META, spent: 1 } } as const;
const response = jsonResponse('Credits', success(credits, { spent: count }), {
	one: { summary: 'One', value },
});
const route = createRoute({ method: 'get', path: '/v1/x', responses: { 200: response } });

test('an answer is the envelope of its route, with the requestId', () => {
	const text = successText(route, 'req_1', { data: CREDITS, meta: { spent: 1 } });
	expect(JSON.parse(text)).toEqual({ success: true, data: CREDITS, meta: { requestId: 'req_1', spent: 1 } });
});

test('an answer that lacks a field, has another one or one of another type does not compile', () => {
	const { balance, ...rest } = CREDITS;
	const wrong = [
		// @ts-expect-error a field is missing
		successText(route, 'req_1', { data: rest, meta: { spent: balance } }),
		// @ts-expect-error a field has another type
		successText(route, 'req_1', { data: { ...CREDITS, balance: '98' }, meta: { spent: 1 } }),
		// @ts-expect-error a field that nobody published
		successText(route, 'req_1', { data: { ...rest, balance, secret: 1 }, meta: { spent: 1 } }),
		// @ts-expect-error meta is missing
		successText(route, 'req_1', { data: CREDITS }),
		// @ts-expect-error meta lacks a field
		successText(route, 'req_1', { data: CREDITS, meta: {} }),
	];
	expect(wrong).toHaveLength(5);
});
