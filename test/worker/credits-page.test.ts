import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { DashboardEnv } from '../../src/dashboard/context.ts';
import { addCreditsPage } from '../../src/dashboard/routes/credits.tsx';
import type { LedgerFilter, LedgerPlace } from '../../src/operations/accounts/port.ts';
import { noLedger } from '../support/dashboard/ledger-samples.ts';

const FILES = new Map([
	['acc_1 2026-10 0', '2026-10-01T00:00:00.000Z,verification,ver_1,key_1,1,1,0,0,0,-1,99\r\n'],
	[
		'acc_1 2026-10 1',
		[
			'2026-10-02T00:00:00.000Z,grant,"a, b",,5,0,0,0,0,5,104',
			'2026-10-03T00:00:00.000Z,job,job_1,,9,9,0,0,0,-9,95',
			'2026-10-03T00:00:00.000Z,job,job_2,,9,9,0,0,0,-9,86',
			'',
		].join('\r\n'),
	],
]);

/** The page of a person who is signed in, and the places at which its ledger was asked for. */
function credits() {
	const asked: { before: LedgerPlace | null; filter?: LedgerFilter }[] = [];
	const account = {
		listLedger: ({ before, filter }: { before: LedgerPlace | null; filter?: LedgerFilter }) => {
			asked.push({ before, ...(filter === undefined ? {} : { filter }) });
			const month = { month: '2026-10', pieces: 2, lines: 2, change: 4, closedAt: 1 };
			return Promise.resolve({ ...noLedger, entries: [], months: [month] });
		},
		jobNames: ({ jobIds }: { jobIds: readonly string[] }) =>
			Promise.resolve(jobIds.includes('job_1') ? { job_1: '=July, "new"' } : {}),
		show: () => Promise.resolve({ keys: [{ id: 'key_1', label: '=Shop, "new"' }] }),
	};
	const read = (...names: readonly unknown[]) => Promise.resolve(FILES.get(names.join(' ')) ?? null);
	const services = { accounts: () => account, ledgerFiles: { read }, clock: { now: () => 0 } };
	const app = new Hono<DashboardEnv>();
	app.use(async (c, next) => {
		c.set('services', services as never);
		c.set('signedIn', { user: { accountId: 'acc_1' } } as never);
		await next();
	});
	addCreditsPage(app);
	return { ask: (path: string) => app.request(path), asked };
}

test('a month is downloaded piece by piece, with the labels of its keys and the names of its lists as spreadsheets can bear them', async () => {
	const response = await credits().ask('/dashboard/credits/2026-10.csv');
	expect(response.status).toBe(200);
	expect(response.headers.get('content-disposition')).toContain('credits-2026-10.csv');
	expect((await response.text()).split('\r\n')).toEqual([
		'when,what,id,key,credits,charged,refunded,released,reserved,change,balance_after,name',
		'2026-10-01T00:00:00.000Z,verification,ver_1,"\'=Shop, ""new""",1,1,0,0,0,-1,99,',
		'2026-10-02T00:00:00.000Z,grant,"a, b",,5,0,0,0,0,5,104,',
		'2026-10-03T00:00:00.000Z,job,job_1,,9,9,0,0,0,-9,95,"\'=July, ""new"""',
		'2026-10-03T00:00:00.000Z,job,job_2,,9,9,0,0,0,-9,86,',
		'',
	]);
});

test.each(['2026-09', '2026-1', '../acc_2/2026-10', '2026-10.csv'])(
	'of %s there is no file',
	async (month) => {
		expect((await credits().ask(`/dashboard/credits/${month}.csv`)).status).toBe(404);
	},
);

test('a filter in the address is asked of the account, for the file as for the page', async () => {
	const { ask, asked } = credits();
	const file = await ask('/dashboard/credits.csv?type=job&from=2026-11-01&to=2026-11-21');
	await file.text();
	await (await ask('/dashboard/credits.csv?type=nonsense')).text();
	const filter = { kind: 'job', from: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 10, 22) };
	expect(asked).toEqual([
		{ before: null, filter },
		{ before: null, filter: { kind: null, from: null, until: null } },
	]);
});
