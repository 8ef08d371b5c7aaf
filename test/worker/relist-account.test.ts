import { env, exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { accountIdOf } from '../../src/core/keys/api-key.ts';
import { R2AccountRegister } from '../../src/storage/accounts/register.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { auditReport, auditService } from '../../tools/ops-audit.ts';
import { relistAccount } from '../../tools/ops-relist.ts';
import { KEY, jobOf } from '../support/account-jobs.ts';
import { auditOf } from '../support/audit.ts';
import { emptyBucket, inDatabase } from '../support/damage.ts';

// The database is lost: accounts go on in their objects, operators find and run them, and list them again.

const service = { url: 'https://mailsonar.test', token: env.OPERATOR_TOKENS.slice('ada:'.length) };
const stored = async (query: string) => (await env.DB.prepare(query).all()).results;
const named = async () =>
	(await auditService(service, null)).findings.map(({ what, accountId, about }) => [what, accountId, about]);

beforeEach(async () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	vi.stubGlobal('fetch', (url: URL, init: RequestInit) => exports.default.fetch(new Request(url, init)));
	for (const table of ['accounts', 'users', 'jobs', 'purchases', 'audit_log'])
		await inDatabase(`DELETE FROM ${table}`);
	await emptyBucket();
	return () => {
		vi.unstubAllGlobals();
	};
});

let accounts = 0;

/** An open account with a running job, as the database listed it. */
async function opened() {
	accounts += 1;
	const accountId = accountIdOf(new Uint8Array(10).fill(accounts));
	const stub = env.ACCOUNT.getByName(accountId);
	const now = Date.now();
	await new R2AccountRegister(env.BLOBS).enter(accountId);
	await inDatabase(
		'INSERT INTO accounts (id, email, created_at) VALUES (?, ?, ?)',
		accountId,
		'a@b.test',
		now,
	);
	await stub.open({ now, initialCredits: 500, key: KEY });
	const jobId = `job_relist_${accounts}`;
	await stub.openJob(jobOf(now, [2], { jobId }));
	await inDatabase("INSERT INTO jobs VALUES (?, ?, 'processing', ?)", jobId, accountId, now);
	const customMetadata = { account: accountId, lengths: '2' };
	await env.BLOBS.put(`jobs/${jobId}/input`, '[]', { customMetadata });
	return { accountId, stub, jobId, now };
}

async function lose(): Promise<void> {
	for (const table of ['accounts', 'users', 'jobs']) await inDatabase(`DELETE FROM ${table}`);
}

describe('the database is lost', () => {
	test('an audit of everything names the accounts that it does not list', async () => {
		const { accountId } = await opened();
		const other = await opened();
		expect(await named()).toEqual([]);
		await lose();
		const audited = await auditService(service, null);
		expect(audited.looked.accounts).toBe(2);
		expect(audited.findings.map(({ what, accountId: of }) => [what, of])).toEqual([
			['listing_differs', accountId],
			['listing_differs', other.accountId],
		]);
		expect(auditReport(audited)).toContain(`${accountId} listing_differs: The account is there`);
	});

	test.each<[string, (of: Awaited<ReturnType<typeof opened>>) => [string, string, object?], object]>([
		['account show', ({ accountId }) => ['GET', `/accounts/${accountId}`], { email: null }],
		[
			'account suspend',
			({ accountId }) => ['POST', `/accounts/${accountId}/suspend`],
			{ suspendedAt: expect.any(String) },
		],
		[
			'account unsuspend',
			({ accountId }) => ['POST', `/accounts/${accountId}/unsuspend`],
			{ suspendedAt: null },
		],
		[
			'credits grant',
			({ accountId }) => ['POST', `/accounts/${accountId}/grants`, { id: 'g', credits: 5 }],
			{ credits: { balance: 505 } },
		],
		[
			'limits set',
			({ accountId }) => ['PATCH', `/accounts/${accountId}/limits`, { batch: 3 }],
			{ limits: { batch: 3 } },
		],
		[
			'key test',
			({ accountId }) => ['POST', `/accounts/${accountId}/test-keys`, { label: 'x' }],
			{ keyId: expect.any(String) },
		],
		[
			'key revoke',
			({ accountId }) => ['POST', `/accounts/${accountId}/keys/${KEY.id}/revoke`],
			{ revoked: true },
		],
		[
			'account restore',
			({ accountId, now }) => [
				'POST',
				`/accounts/${accountId}/restore`,
				{ at: new Date(now + 60_000).toISOString() },
			],
			{ restored: null },
		],
		['jobs show', ({ jobId }) => ['GET', `/jobs/${jobId}`], { job: { status: 'processing' } }],
		['jobs retry', ({ jobId }) => ['POST', `/jobs/${jobId}/retry`], { openParts: [{ open: 2 }] }],
	])('%s works without it', async (_, of, expected) => {
		const world = await opened();
		await lose();
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
		const [method, path, body] = of(world);
		const answer = callOperator<object>(service, method as 'GET', path, body);
		expect(await answer.finally(() => void vi.useRealTimers())).toMatchObject(expected);
	});

	test('account relist writes the account and its jobs again, and the audit has nothing left to say', async () => {
		const { accountId, stub, now } = await opened();
		for (let n = 0; n < 120; n += 1)
			await stub.openJob(jobOf(now, [1], { jobId: `job_more_${String(n).padStart(3, '0')}` }));
		await stub.suspend({ at: now });
		await lose();
		const told = { accountId, jobs: 121, suspendedAt: new Date(now).toISOString(), closedAt: null };
		expect(await relistAccount(service, accountId, 'Ada@inbox.test')).toEqual(told);
		// Again, as a database that was restored lists it otherwise; what is known of the owner stays.
		await inDatabase("UPDATE accounts SET suspended_at = NULL; UPDATE jobs SET status = 'processing'");
		expect(await relistAccount(service, accountId, undefined)).toEqual(told);
		expect(await stored('SELECT email, suspended_at, closed_at FROM accounts')).toEqual([
			{ email: 'Ada@inbox.test', suspended_at: now, closed_at: null },
		]);
		expect(await stored('SELECT COUNT(*) AS jobs, account_id FROM jobs GROUP BY account_id')).toEqual([
			{ jobs: 121, account_id: accountId },
		]);
		const { findings } = await auditOf(accountId, now);
		expect(findings.filter(({ what }) => /list|standing|unknown/.test(what))).toEqual([]);
		expect(await stored("SELECT action, detail FROM audit_log WHERE action = 'account.relist'")).toEqual([
			{ action: 'account.relist', detail: '{}' },
			{ action: 'account.relist', detail: '{}' },
		]);
	});

	test('the owner of a closed account, who is listed again, is deleted again', async () => {
		const { accountId, stub, now } = await opened();
		await stub.close({ now });
		await inDatabase(
			"INSERT INTO users (id, email, login_name, account_id, name, password_hash, created_at) VALUES ('usr_1', 'a@b.test', 'a@b.test', ?, '', '', 1)",
			accountId,
		);
		expect((await named()).map(([what]) => what)).toContain('listing_differs');
		await relistAccount(service, accountId, 'a@b.test');
		expect(await stored('SELECT email, closed_at FROM accounts')).toEqual([{ email: '', closed_at: now }]);
		expect([...(await stored('SELECT id FROM users')), ...(await stored('SELECT id FROM jobs'))]).toEqual([]);
	});

	test('an account that never was is neither shown nor listed', async () => {
		const accountId = accountIdOf(new Uint8Array(10).fill(255));
		await expect(relistAccount(service, accountId, undefined)).rejects.toThrow('There is no such account');
		await expect(callOperator(service, 'GET', `/accounts/${accountId}`)).rejects.toThrow('no such account');
		expect(await stored('SELECT id FROM accounts')).toEqual([]);
	});
});
