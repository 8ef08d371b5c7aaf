import { env } from 'cloudflare:workers';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FLAWS } from '../../src/core/audit/finding.ts';
import type { Flaw } from '../../src/core/audit/finding.ts';
import { R2AccountRegister } from '../../src/storage/accounts/register.ts';
import { ServiceError } from '../../src/errors.ts';
import { auditOf, auditOfAll, auditServices } from '../support/audit.ts';
import { emptyBucket, inDatabase, livedIn, rewrite } from '../support/damage.ts';
import type { Damage } from '../support/damage.ts';
import { DELIVERIES } from '../support/damaged-deliveries.ts';
import { PURCHASES } from '../support/damaged-purchases.ts';
import type { JobWorld } from '../support/job-world.ts';
import { DAY_MS, openLedger, verifyMany } from '../support/ledger-lines.ts';
import { withMethods } from '../support/wrap.ts';

// An audit finds every kind of damage, where it is and nowhere else, and nothing where nothing is off.

const HOUR_MS = 3_600_000;
// What is found once by the tests below; together they have to know every flaw.
const planted = new Set<Flaw>();

beforeEach(async () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	for (const table of ['accounts', 'users', 'jobs', 'purchases'])
		await env.DB.prepare(`DELETE FROM ${table}`).run();
	await emptyBucket();
});

afterAll(() => {
	expect(FLAWS.filter((flaw) => !planted.has(flaw))).toEqual([]);
});

/** The words of all findings, and what each is about. */
async function flawsOf({ accountId, clock }: JobWorld): Promise<readonly string[]> {
	const { findings } = await auditOf(accountId, clock.now);
	return findings.map((finding) => {
		expect(finding.accountId).toBe(accountId);
		expect(finding.says).not.toContain('@');
		planted.add(finding.what);
		return finding.what;
	});
}

test('an account with lists and calls has nothing off, from their beginning until their lines are deleted', async () => {
	const world = await livedIn();
	const { looked } = await auditOf(world.accountId, world.clock.now);
	expect(looked).toMatchObject({ accounts: 1, lines: 4, jobs: 2 });
	const hasLines = async () =>
		(await world.stub.listLedger({ before: null, pageSize: 1 })).entries.length > 0;
	while (await hasLines()) {
		expect((await auditOf(world.accountId, world.clock.now)).findings).toEqual([]);
		await world.drain();
		await world.advance();
	}
	expect((await auditOf(world.accountId, world.clock.now)).findings).toEqual([]);
});

const set = (what: string) => `UPDATE account SET ${what}`;
const summed = (column: string, word: string, by: number) =>
	set(
		`${column} = ${column} + ${by}, ledger = json_set(ledger, '$.${word}', ledger ->> '$.${word}' + ${by})`,
	);

const BOOKS: readonly Damage[] = [
	{
		name: 'credits below nothing',
		what: ({ stub }) => rewrite(stub, set('refunded = -1')),
		found: ['ledger_sum'],
	},
	{
		name: 'a balance that its own ledger does not know',
		what: ({ stub }) => rewrite(stub, set('consumed = consumed - 1')),
		found: ['ledger_sum', 'ledger_sum'],
	},
	{
		name: 'credits from nowhere',
		what: ({ stub }) => rewrite(stub, summed('granted', 'granted', 5)),
		found: ['ledger_sum', 'ledger_sum'],
	},
	{
		name: 'a reservation for nothing',
		what: ({ stub }) => rewrite(stub, summed('reserved', 'reserved', 3)),
		found: ['ledger_sum'],
	},
	{
		name: 'a line that is gone',
		what: ({ stub }) => rewrite(stub, "DELETE FROM ledger WHERE id = 'call_1'"),
		found: ['ledger_sum'],
	},
	{
		name: 'a grant whose id is gone',
		what: ({ stub }) => rewrite(stub, 'DELETE FROM grants'),
		found: ['ledger_sum'],
	},
	{
		name: 'a line that waits for a job that never was',
		what: async ({ stub, clock }) => {
			await rewrite(
				stub,
				set(`ledger = json_set(ledger, '$.lines', ledger ->> '$.lines' + 1,
					'$.newestDay.lines', ledger ->> '$.newestDay.lines' + 1)`),
			);
			await rewrite(
				stub,
				"INSERT INTO ledger (at, id, kind, credits) VALUES (?, 'job_never', 'job', 0)",
				clock.now,
			);
		},
		found: ['ledger_sum'],
	},
	{
		name: 'a job that the alarm has forgotten',
		what: ({ stub, clock }) =>
			rewrite(stub, 'UPDATE jobs SET wake_at = ? WHERE ended_at IS NULL', clock.now - 2 * HOUR_MS),
		found: ['work_late'],
	},
	{
		name: 'a closed account that lives on',
		what: ({ stub, clock }) =>
			rewrite(stub, 'INSERT OR REPLACE INTO standing (id, closed_at) VALUES (1, ?)', clock.now),
		found: ['listing_differs', 'closed_alive'],
	},
];

const JOBS: readonly Damage[] = [
	{
		name: 'a list that lost an element',
		what: ({ stub, done }) =>
			rewrite(stub, 'UPDATE jobs SET submitted = submitted + 1 WHERE job_id = ?', done),
		found: ['job_sums'],
	},
	{
		name: 'a part that is gone',
		what: ({ stub, done }) => rewrite(stub, 'DELETE FROM parts WHERE job_id = ? AND n = 0', done),
		found: ['job_sums', 'job_sums', 'job_sums'],
	},
	{
		name: 'a part that contradicts itself',
		what: ({ stub, running }) => rewrite(stub, 'UPDATE parts SET claims = -1 WHERE job_id = ?', running),
		found: ['job_sums'],
	},
	{
		name: 'a part that a clock far ahead put off',
		what: ({ stub, clock }) =>
			rewrite(stub, 'UPDATE parts SET due_at = ? WHERE deferred > 0', clock.now + 240 * HOUR_MS),
		found: ['work_late'],
	},
	{
		name: 'results that no alarm will delete',
		what: ({ stub, done }) => rewrite(stub, 'UPDATE jobs SET wake_at = NULL WHERE job_id = ?', done),
		found: ['job_sums'],
	},
	{
		name: 'a charge that no answer is worth',
		what: async ({ stub, done }) => {
			await rewrite(stub, 'UPDATE ledger SET charged = charged + 1 WHERE id = ?', done);
			await rewrite(stub, summed('consumed', 'charged', 1));
			await rewrite(
				stub,
				set("ledger = json_set(ledger, '$.newestDay.change', ledger ->> '$.newestDay.change' - 1)"),
			);
		},
		found: ['job_sums'],
	},
	{
		name: 'a job that has run for three days',
		what: async ({ stub, running, clock }) => {
			const ago = clock.now - 72 * HOUR_MS;
			await rewrite(stub, 'UPDATE ledger SET at = ? WHERE id = ?', ago, running);
			await rewrite(stub, 'UPDATE jobs SET created_at = ? WHERE job_id = ?', ago, running);
		},
		found: ['work_late'],
	},
	{
		name: 'results that outlive their time',
		what: async ({ stub, done, clock }) => {
			const ago = clock.now - 2 * HOUR_MS;
			await rewrite(stub, 'UPDATE jobs SET purge_at = ? WHERE job_id = ?', ago, done);
		},
		found: ['work_late'],
	},
];

const BLOBS: readonly Damage[] = [
	{
		name: 'the input of a running job that is gone',
		what: ({ running }) => env.BLOBS.delete(`jobs/${running}/input`),
		found: ['blob_missing'],
	},
	{
		name: 'an attempt of a running job that is gone',
		what: ({ running }) => env.BLOBS.delete(`jobs/${running}/parts/1.1`),
		found: ['blob_missing'],
	},
	{
		name: 'a page of results that is gone',
		what: ({ done }) => env.BLOBS.delete(`jobs/${done}/pages/risky/0`),
		found: ['blob_missing'],
	},
	{
		name: 'results that came back after their deletion',
		what: async ({ stub, done }) => {
			await rewrite(stub, 'UPDATE jobs SET purged = 1, wake_at = NULL WHERE job_id = ?', done);
		},
		found: ['blob_left'],
	},
];

const LISTING: readonly Damage[] = [
	{
		name: 'an account that the database does not list',
		what: ({ accountId }) => inDatabase('DELETE FROM accounts WHERE id = ?', accountId),
		found: ['listing_differs'],
	},
	{
		name: 'an account that the bucket lost the entry of',
		what: ({ accountId }) => env.BLOBS.delete(`accounts/${accountId}`),
		found: ['listing_differs'],
	},
	{
		name: 'a suspension that only the database knows',
		what: ({ accountId }) => inDatabase('UPDATE accounts SET suspended_at = 1 WHERE id = ?', accountId),
		found: ['listing_differs'],
	},
	{
		name: 'a job that the database does not list',
		what: ({ done }) => inDatabase('DELETE FROM jobs WHERE id = ?', done),
		found: ['listing_differs'],
	},
	{
		name: 'a job that ended and is listed as running',
		what: ({ done }) => inDatabase("UPDATE jobs SET status = 'processing' WHERE id = ?", done),
		found: ['listing_differs'],
	},
	{
		name: "a job that is listed as somebody else's",
		what: ({ done }) => inDatabase("UPDATE jobs SET account_id = 'acc_other' WHERE id = ?", done),
		found: ['listing_differs'],
	},
	{
		name: 'a listed job that the account does not know',
		what: ({ accountId }) =>
			inDatabase("INSERT INTO jobs VALUES ('job_unheard', ?, 'processing', 1)", accountId),
		found: ['listed_unknown'],
	},
];

describe('one account', () => {
	test.each([...BOOKS, ...JOBS, ...BLOBS, ...LISTING, ...DELIVERIES, ...PURCHASES])(
		'$name',
		async ({ what, found }) => {
			const world = await livedIn();
			expect(await flawsOf(world)).toEqual([]);
			await what(world);
			expect(await flawsOf(world)).toEqual(found);
		},
	);

	test('that is listed and was never opened, and one that nobody ever heard of', async () => {
		await inDatabase("INSERT INTO accounts (id, email, created_at) VALUES ('acc_unopened', '', 1)");
		const { findings } = await auditOf('acc_unopened', Date.now());
		expect(findings).toMatchObject([{ what: 'listed_unknown', accountId: 'acc_unopened' }]);
		planted.add('listed_unknown');
		await expect(auditOf('acc_unheard', Date.now())).rejects.toMatchObject({ code: 'account_not_found' });
		await expect(auditOf('nonsense', Date.now())).rejects.toMatchObject({ code: 'account_not_found' });
	});
});

describe('a ledger of many days', () => {
	async function old() {
		const opened = await openLedger(500);
		const { accountId, start } = opened;
		await inDatabase("INSERT INTO accounts (id, email, created_at) VALUES (?, '', 1)", accountId);
		await new R2AccountRegister(env.BLOBS).enter(accountId);
		for (const day of [1, 2, 70, 71]) await verifyMany(opened, 15, start + day * DAY_MS, `d${day}v`);
		const now = start + 72 * DAY_MS;
		await opened.ringOut(now);
		const audit = async () => {
			const { findings, looked } = await auditOf(accountId, now);
			for (const { what } of findings) planted.add(what);
			return { off: findings.map(({ what, about }) => [what, about]), lines: looked.lines };
		};
		const dayOf = (n: number) => new Date(start + n * DAY_MS).toISOString().slice(0, 10);
		return { ...opened, audit, dayOf };
	}

	test('has nothing off, and each of its lines that is not deleted is read', async () => {
		const { audit } = await old();
		expect(await audit()).toEqual({ off: [], lines: 30 });
	});

	test.each([
		['a charge is changed', "UPDATE ledger SET charged = 0 WHERE id = 'd70v5'"],
		['a line is gone', "DELETE FROM ledger WHERE id = 'd70v5'"],
	])('says of which day %s', async (_, change) => {
		const { stub, audit, dayOf } = await old();
		await rewrite(stub, change);
		expect((await audit()).off).toEqual([['ledger_sum', dayOf(70)]]);
	});

	test('says that the sums of a day whose lines are deleted were changed', async () => {
		const { stub, audit, dayOf } = await old();
		await rewrite(stub, 'UPDATE ledger_days SET change = change + 1 WHERE day = ?', dayOf(2));
		expect((await audit()).off).toEqual([['ledger_sum', null]]);
	});
});

describe('the service as a whole', () => {
	const found = async (now: number) =>
		(await auditOfAll(now)).findings.map(({ what, accountId, about }) => {
			planted.add(what);
			return [what, accountId, about];
		});

	test('has nothing off: all accounts, and what belongs to none, are looked at', async () => {
		const worlds = [await livedIn(), await livedIn(), await livedIn()];
		const now = worlds.at(-1)!.clock.now;
		const { findings, looked } = await auditOfAll(now);
		expect(findings).toEqual([]);
		expect(looked).toMatchObject({ accounts: 3, jobs: 6 });
	});

	test('names the account that is damaged, among others', async () => {
		await livedIn();
		const { accountId, stub, running, clock } = await livedIn();
		await livedIn();
		await rewrite(stub, 'UPDATE parts SET claims = -1 WHERE job_id = ?', running);
		expect(await found(clock.now)).toEqual([['job_sums', accountId, running]]);
	});

	test('finds rows and blobs that belong to nobody', async () => {
		const { accountId } = await livedIn();
		await inDatabase("INSERT INTO jobs VALUES ('job_stray', 'acc_gone', 'processing', 1)");
		await inDatabase(
			"INSERT INTO users (id, email, login_name, account_id, name, password_hash, created_at) VALUES ('usr_1', '', '', 'acc_lost', '', '', 1)",
		);
		const customMetadata = { account: accountId, lengths: '1' };
		await env.BLOBS.put('jobs/job_orphan/input', '[]', { customMetadata });
		await env.BLOBS.put('uploads/acc_careless/upl_1/file', 'x');
		await inDatabase(
			`INSERT INTO purchases (id, account_id, credits, amount, currency, state, created_at)
				VALUES ('pur_stray', 'acc_lost', 500, 1500, 'EUR', 'open', 1)`,
		);
		// The time of an object is the real one.
		const now = Date.now() + 3 * 24 * HOUR_MS;
		const all = await found(now);
		expect(all.filter(([, owner, about]) => owner !== accountId || about === 'job_orphan')).toEqual([
			['listed_unknown', 'acc_gone', 'job_stray'],
			['listed_unknown', 'acc_lost', null],
			['listed_unknown', 'acc_lost', 'pur_stray'],
			['blob_left', accountId, 'job_orphan'],
			['blob_left', 'acc_careless', null],
		]);
	});

	test('says which account does not answer, and asks the others', async () => {
		const [silent, other] = [await livedIn(), await livedIn()];
		await rewrite(other.stub, 'DELETE FROM grants');
		const { now } = other.clock;
		const services = auditServices(now);
		const away = { auditBooks: () => Promise.reject(new ServiceError('upstream_unavailable', 'away')) };
		const accounts: typeof services.accounts = (accountId) =>
			withMethods(services.accounts(accountId), accountId === silent.accountId ? away : {});
		const { findings } = await auditOfAll(now, { ...services, accounts });
		expect(findings.map(({ what, accountId }) => [what, accountId])).toEqual([
			['no_answer', silent.accountId],
			['ledger_sum', other.accountId],
		]);
		planted.add('no_answer');
	});
});
