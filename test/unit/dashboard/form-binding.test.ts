import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { FORM_ID_OCTETS, issueFormToken } from '../../../src/core/identity/tokens.ts';
import type { DashboardEnv } from '../../../src/dashboard/view.ts';
import { requireFormToken } from '../../../src/dashboard/form.tsx';
import { PageError } from '../../../src/dashboard/view.ts';

/** What becomes of a token that was made for a browser, sent by a browser with this visitor's cookie. */
async function statusOf(madeFor: string, visitor: string | null): Promise<number> {
	const app = new Hono<DashboardEnv>();
	app.onError((error, c) => c.text(error.message, error instanceof PageError ? error.status : 500));
	app.post('/', (c) => {
		c.set('signedIn', null);
		c.set('visitor', visitor);
		return c.text(requireFormToken(c, issueFormToken(`visitor ${madeFor}`, new Uint8Array(FORM_ID_OCTETS))));
	});
	return (await app.request('/', { method: 'POST' })).status;
}

test.each([
	['the browser it was made for', 'a', 'a', 200],
	['another browser', 'a', 'b', 403],
	// Anybody can make a token for no browser at all.
	['a browser without a cookie', '', null, 403],
	['a browser whose cookie is empty', '', '', 403],
] as const)('a form from %s', async (_, madeFor, visitor, status) => {
	expect(await statusOf(madeFor, visitor)).toBe(status);
});
