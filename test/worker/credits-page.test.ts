import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { DashboardEnv } from '../../src/dashboard/context.ts';
import { addCreditsPage } from '../../src/dashboard/routes/credits.tsx';
import type { LedgerFilter, LedgerPlace } from '../../src/operations/accounts/port.ts';
import { noLedger } from '../support/dashboard/ledger-samples.ts';

/** The page of a person who is signed in, and the places at which its ledger was asked for. */
function credits() {
	const asked: { before: LedgerPlace | null; filter?: LedgerFilter }[] = [];
	const account = {
		listLedger: ({ before, filter }: { before: LedgerPlace | null; filter?: LedgerFilter }) => {
			asked.push({ before, ...(filter === undefined ? {} : { filter }) });
			return Promise.resolve({ ...noLedger, entries: [] });
		},
	};
	const services = { accounts: () => account, clock: { now: () => 0 } };
	const app = new Hono<DashboardEnv>();
	app.use(async (c, next) => {
		c.set('services', services as never);
		c.set('signedIn', { user: { accountId: 'acc_1' } } as never);
		await next();
	});
	addCreditsPage(app);
	return { ask: (path: string) => app.request(path), asked };
}

test('a filter in the address is asked of the account, for the file as for the page', async () => {
	const { ask, asked } = credits();
	const file = await ask('/dashboard/credits.csv?type=job&from=2026-11-01&to=2026-11-21');
	expect(file.headers.get('content-disposition')).toContain('"credits-job-2026-11-01-2026-11-21.csv"');
	await file.text();
	const whole = await ask('/dashboard/credits.csv?type=nonsense');
	expect(whole.headers.get('content-disposition')).toContain('"credits.csv"');
	await whole.text();
	const filter = { kind: 'job', from: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 10, 22) };
	expect(asked).toEqual([
		{ before: null, filter },
		{ before: null, filter: { kind: null, from: null, until: null } },
	]);
});
