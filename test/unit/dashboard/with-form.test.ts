import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FORM_ID_OCTETS, issueFormToken, TOKEN_FIELD } from '../../../src/core/identity/tokens.ts';
import type { DashboardEnv } from '../../../src/dashboard/context.ts';
import { withForm } from '../../../src/dashboard/forms.ts';
import { PageError } from '../../../src/dashboard/page-error.ts';

const TOKEN = issueFormToken('visitor v', new Uint8Array(FORM_ID_OCTETS));
const schema = z.object({
	name: z.string().min(1, 'Give it a name').max(9, 'Too long'),
	tick: z.string().optional(),
});

async function send(body: string): Promise<{ status: number; said: unknown }> {
	const app = new Hono<DashboardEnv>();
	app.onError((error, c) => c.json(error.message, error instanceof PageError ? error.status : 500));
	app.use('*', async (c, next) => {
		c.set('signedIn', null);
		c.set('visitor', 'v');
		await next();
	});
	app.post(
		'/',
		withForm(schema, (c, form) => c.json(form, 422)),
		(c) => c.json({ fields: c.req.valid('form'), formId: c.var.formId }),
	);
	const headers = { 'content-type': 'application/x-www-form-urlencoded' };
	const answer = await app.request('/', { method: 'POST', headers, body });
	return { status: answer.status, said: await answer.json() };
}

const form = (...fields: readonly [string, string][]): string =>
	new URLSearchParams([[TOKEN_FIELD, TOKEN], ...fields]).toString();

describe('a form', () => {
	test('gives its handler the fields that were asked for, and a name that is the same when it comes twice', async () => {
		const first = await send(form(['name', 'Käthe'], ['other', 'x']));
		expect(first).toEqual({
			status: 200,
			said: { fields: { name: 'Käthe' }, formId: expect.stringMatching(/^\w{24}$/) },
		});
		expect(await send(form(['name', 'Käthe']))).toEqual(first);
	});

	test('whose field comes twice has the last one', async () => {
		const { said } = await send(form(['name', 'first'], ['tick', 'yes'], ['name', 'last']));
		expect(said).toMatchObject({ fields: { name: 'last', tick: 'yes' } });
	});

	test('whose field is wrong is shown again, with what was typed and what is wrong with it', async () => {
		expect(await send(form(['name', 'much too long']))).toEqual({
			status: 422,
			said: { errors: { name: 'Too long' }, typed: { [TOKEN_FIELD]: TOKEN, name: 'much too long' } },
		});
	});

	test.each([
		['no token', 'name=x'],
		['a wrong one', `${TOKEN_FIELD}=x&name=x`],
		['a wrong one behind the right one', `${form(['name', 'x'])}&${TOKEN_FIELD}=x`],
	])('with %s is refused before its fields are looked at', async (_, body) => {
		expect((await send(body)).status).toBe(403);
	});
});
