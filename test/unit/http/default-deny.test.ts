import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { SCOPES } from '../../../src/core/keys/scopes.ts';
import type { Scope } from '../../../src/core/keys/scopes.ts';
import { enter, requireAdmission } from '../../../src/http/admission.ts';
import type { AppContext, AppEnv } from '../../../src/http/context.ts';
import { onError } from '../../../src/http/on-error.ts';
import type { Services } from '../../../src/services.ts';

// A new endpoint is closed until its route names the scopes that open it.

/** Calls a route without scopes, with a key that has all of them. The account answers as it does: by the scopes. */
async function call(handler: (c: AppContext) => Promise<Response>) {
	let asked: readonly Scope[] | undefined;
	const services = {
		config: { RATE_WINDOW_SECONDS: 900 },
		clock: { now: () => 0 },
		newId: () => 'vfy_1',
		accounts: () => ({
			admit: (request: { scopes?: readonly Scope[] }) => {
				asked = request.scopes;
				const isOpen = asked === undefined || asked.some((scope) => SCOPES.includes(scope));
				return Promise.resolve(
					isOpen ? { kind: 'admitted', window: {} } : { kind: 'unauthenticated', because: 'out_of_scope' },
				);
			},
		}),
	} as unknown as Services;
	const app = new Hono<AppEnv>();
	app.onError(onError);
	app.use('*', async (c, next) => {
		c.set('services', services);
		c.set('credential', { accountId: 'acc_1', keyId: 'key_1' } as AppEnv['Variables']['credential']);
		await next();
		requireAdmission(c);
	});
	app.get('/v1/new', handler);
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const { status } = await app.request('/v1/new');
	return { status, asked };
}

test('no key may call an endpoint whose route names no scopes', async () => {
	const answer = await call(async (c) => {
		await enter(c, 'default');
		return c.text('open');
	});
	expect(answer).toEqual({ status: 403, asked: [] });
});

test('an endpoint that answers before the account admits the call is an error of ours, and its answer is withheld', async () => {
	expect(await call(async (c) => Promise.resolve(c.text('open')))).toEqual({ status: 500, asked: undefined });
});
