import { env, exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { auditDaily } from '../../src/operations/audit/audit-daily.ts';
import { auditServices } from '../support/audit.ts';
import { jobWorld } from '../support/job-world.ts';

// The daily run looks at some of the accounts, goes on behind them the next day, and counts what it finds.

const NO_END = { steps: 1_000, ms: 60_000 };
let lines: readonly Record<string, unknown>[] = [];

beforeEach(async () => {
	for (const table of ['accounts', 'users', 'jobs']) await env.DB.prepare(`DELETE FROM ${table}`).run();
	await env.BLOBS.delete('sweeps/audit');
	lines = [];
	vi.spyOn(console, 'error').mockImplementation((line: string) => {
		lines = [...lines, JSON.parse(line) as Record<string, unknown>];
	});
});

const makeWorld = () => jobWorld(10, () => 'accepted_email');

/** A job that the database lists and its account does not know. */
function plant(accountId: string): Promise<unknown> {
	const row = env.DB.prepare("INSERT INTO jobs VALUES (?, ?, 'processing', 1)");
	return row.bind(`job_of_${accountId}`, accountId).run();
}

describe('the daily audit', () => {
	test('goes round all accounts, a few steps a day, and finds each damage once a round', async () => {
		const worlds = [await makeWorld(), await makeWorld(), await makeWorld()];
		for (const { accountId } of worlds) await plant(accountId);
		const points: unknown[] = [];
		const metrics = { note: (...point: unknown[]) => void points.push(point) };
		const services = { ...auditServices(Date.now()), metrics };
		const days = [];
		for (let day = 0; day < 60; day += 1) {
			const audited = await auditDaily(services, { steps: 2, ms: 60_000 });
			days.push(audited);
			if (audited.isRound) break;
		}
		expect(days.at(-1)?.isRound).toBe(true);
		expect(days.length).toBeGreaterThan(3);
		expect(days.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(3);
		expect(days.reduce((sum, { found }) => sum + (found.job_unknown ?? 0), 0)).toBe(3);
		expect(points).toEqual(
			days.flatMap(({ found: { job_unknown: count } }) =>
				count === undefined ? [] : [['audit_finding', { flaw: 'job_unknown', count }]],
			),
		);
		const told = lines.filter(({ event }) => event === 'audit_found');
		expect(told.map(({ what, accountId, about }) => [what, accountId, about])).toEqual(
			worlds
				.map(({ accountId }) => accountId)
				.toSorted()
				.map((accountId) => ['job_unknown', accountId, `job_of_${accountId}`]),
		);
		// And begins anew.
		expect(await auditDaily(services, NO_END)).toMatchObject({
			accounts: 3,
			found: { job_unknown: 3 },
			isRound: true,
		});
	});

	test('is not ended by the same account every day', async () => {
		const worlds = [await makeWorld(), await makeWorld()];
		const [first = ''] = worlds.map(({ accountId }) => accountId).toSorted();
		const services = auditServices(Date.now());
		const accounts: typeof services.accounts = (accountId) => {
			if (accountId === first) throw new Error('a mistake of ours');
			return services.accounts(accountId);
		};
		await expect(auditDaily({ ...services, accounts }, NO_END)).rejects.toThrow('a mistake of ours');
		expect(await auditDaily({ ...services, accounts }, NO_END)).toMatchObject({ accounts: 1, isRound: true });
	});

	test.each([['{"stage":"of another version"}'], ['no place']])('begins anew at %s', async (kept) => {
		await makeWorld();
		await env.BLOBS.put('sweeps/audit', kept);
		expect(await auditDaily(auditServices(Date.now()), NO_END)).toMatchObject({ accounts: 1 });
	});

	test('is part of the daily run of the service, which logs what it came to', async () => {
		const { accountId } = await makeWorld();
		await plant(accountId);
		const { default: worker } = await import('../../src/index.ts');
		await worker.scheduled({ cron: '30 3 * * *', scheduledTime: Date.now(), noRetry() {} }, env);
		expect(lines.find(({ event }) => event === 'audited')).toMatchObject({
			accounts: 1,
			found: { job_unknown: 1 },
			isRound: true,
		});
	});
});

describe('GET /ops/audit', () => {
	async function ops(query: string): Promise<{ status: number; data: Record<string, unknown> }> {
		const headers = { authorization: `Bearer ${env.OPERATOR_TOKENS.slice('ada:'.length)}` };
		const request = new Request(`https://mailsonar.test/ops/audit${query}`, { headers });
		const response = await exports.default.fetch(request);
		return { status: response.status, ...(await response.json<{ data: Record<string, unknown> }>()) };
	}

	test('tells what is off, of one account and of all', async () => {
		const { accountId } = await makeWorld();
		await plant(accountId);
		const finding = { what: 'job_unknown', accountId, about: `job_of_${accountId}` };
		expect(await ops(`?account=${accountId}`)).toMatchObject({
			status: 200,
			data: { findings: [finding], looked: { accounts: 1 }, next: null },
		});
		expect(await ops('')).toMatchObject({ status: 200, data: { findings: [finding], next: null } });
	});

	test('refuses a place that it never gave, and an account that never was', async () => {
		expect((await ops('?after=nowhere')).status).toBe(400);
		expect((await ops(`?after=${encodeURIComponent('{"stage":"moon"}')}`)).status).toBe(400);
		expect((await ops('?account=acc_never')).status).toBe(404);
	});
});
