import { env, exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { auditSome } from '../../src/operations/audit/audit.ts';
import { auditServices } from '../support/audit.ts';
import { emptyBucket } from '../support/damage.ts';
import { jobWorld } from '../support/job-world.ts';

// Each run looks at some of the accounts, the next one goes on behind them, and both count what they find.

const NO_END = { steps: 1_000, ms: 60_000 };
let lines: readonly Record<string, unknown>[] = [];

beforeEach(async () => {
	for (const table of ['accounts', 'users', 'jobs']) await env.DB.prepare(`DELETE FROM ${table}`).run();
	await emptyBucket();
	lines = [];
	for (const level of ['error', 'info'] as const)
		vi.spyOn(console, level).mockImplementation((line: string) => {
			lines = [...lines, JSON.parse(line) as Record<string, unknown>];
		});
});

const makeWorld = () => jobWorld(10, () => 'accepted_email');

/** A job that the database lists and its account does not know. */
function plant(accountId: string): Promise<unknown> {
	const row = env.DB.prepare("INSERT INTO jobs VALUES (?, ?, 'processing', 1)");
	return row.bind(`job_of_${accountId}`, accountId).run();
}

describe('the audit by cron', () => {
	test('goes round all accounts, a few steps a run, and finds each damage once a round', async () => {
		const worlds = [await makeWorld(), await makeWorld(), await makeWorld()];
		for (const { accountId } of worlds) await plant(accountId);
		const points: unknown[] = [];
		const metrics = { note: (...point: unknown[]) => void points.push(point) };
		const services = { ...auditServices(Date.now()), metrics };
		const runs = [];
		for (let run = 0; run < 60; run += 1) {
			const audited = await auditSome(services, { steps: 2, ms: 60_000 });
			runs.push(audited);
			if (audited.isRound) break;
		}
		expect(runs.at(-1)?.isRound).toBe(true);
		expect(runs.length).toBeGreaterThan(3);
		expect(runs.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(3);
		expect(runs.reduce((sum, { found }) => sum + (found.listed_unknown ?? 0), 0)).toBe(3);
		expect(points).toEqual(
			runs.flatMap(({ found: { listed_unknown: count } }) =>
				count === undefined ? [] : [['audit_finding', { flaw: 'listed_unknown', count }]],
			),
		);
		const told = lines.filter(({ event }) => event === 'audit_found');
		expect(told.map(({ what, accountId, about }) => [what, accountId, about])).toEqual(
			worlds
				.map(({ accountId }) => accountId)
				.toSorted()
				.map((accountId) => ['listed_unknown', accountId, `job_of_${accountId}`]),
		);
		// And begins anew.
		expect(await auditSome(services, NO_END)).toMatchObject({
			accounts: 3,
			found: { listed_unknown: 3 },
			isRound: true,
		});
	});

	test('is not ended by the same account every time', async () => {
		const worlds = [await makeWorld(), await makeWorld()];
		const [first = ''] = worlds.map(({ accountId }) => accountId).toSorted();
		const services = auditServices(Date.now());
		const accounts: typeof services.accounts = (accountId) => {
			if (accountId === first) throw new Error('a mistake of ours');
			return services.accounts(accountId);
		};
		await expect(auditSome({ ...services, accounts }, NO_END)).rejects.toThrow('a mistake of ours');
		expect(await auditSome({ ...services, accounts }, NO_END)).toMatchObject({ accounts: 1, isRound: true });
	});

	test.each([['{"stage":"of another version"}'], ['no place']])('begins anew at %s', async (kept) => {
		await makeWorld();
		await env.BLOBS.put('sweeps/audit', kept);
		expect(await auditSome(auditServices(Date.now()), NO_END)).toMatchObject({ accounts: 1 });
	});

	test('has a cron of its own, which logs what it came to', async () => {
		const { accountId } = await makeWorld();
		await plant(accountId);
		const { default: worker } = await import('../../src/index.ts');
		await worker.scheduled({ cron: '5-59/10 * * * *', scheduledTime: Date.now(), noRetry() {} }, env);
		expect(lines.find(({ event }) => event === 'audited')).toMatchObject({
			accounts: 1,
			found: { listed_unknown: 1 },
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
		const finding = { what: 'listed_unknown', accountId, about: `job_of_${accountId}` };
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
