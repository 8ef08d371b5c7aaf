import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { Sql } from '../../src/durable-objects/sql.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { D1AuditedListing } from '../../src/storage/audit.ts';
import { D1Directory } from '../../src/storage/accounts/directory.ts';
import { openAccount } from '../support/account-jobs.ts';

// What grows with the jobs of an account, or of all of them, is read along an index: no page sorts them all.

type Stub = Awaited<ReturnType<typeof openAccount>>['stub'];

const PAGE = { page: 1, pageSize: 25 };
const LISTS = { ...PAGE, state: 'all', search: '', madeWith: null } as const;

describe("the account's object", () => {
	test.each<[string, (stub: Stub) => Promise<unknown>]>([
		['jobs', (stub) => stub.listJobs({ ...PAGE, kind: 'verification' })],
		['tasks that are done', (stub) => stub.listJobs({ ...PAGE, kind: 'catchall', status: 'completed' })],
		['lists', (stub) => stub.findLists(LISTS)],
		['lists by name and state', (stub) => stub.findLists({ ...LISTS, state: 'completed', search: 'july' })],
	])('lists %s', async (_, ask) => {
		const { stub } = await openAccount(10);
		const spy = vi.spyOn(Sql.prototype, 'rows');
		await ask(stub);
		const queries = spy.mock.calls.filter(([query]) => query.includes('FROM jobs'));
		spy.mockRestore();
		expect(queries).toHaveLength(2);
		for (const [query, ...values] of queries)
			expect(
				await runInDurableObject(stub, (__: Account, { storage }) =>
					storage.sql
						.exec(`EXPLAIN QUERY PLAN ${query}`, ...values)
						.toArray()
						.map(({ detail }) => detail),
				),
			).toEqual([expect.stringMatching(/^SEARCH jobs USING (COVERING )?INDEX jobs_by_time \(kind=\?\)$/)]);
	});
});

describe('the database', () => {
	const listing = new D1AuditedListing(env.DB);
	test.each<[string, () => Promise<unknown>, RegExp]>([
		[
			'jobs that may be stuck',
			() => new D1Directory(env.DB).processingJobs(1, 200),
			/^SEARCH jobs USING INDEX jobs_processing \(created_at<\?\)$/,
		],
		[
			"an account's jobs, for the audit",
			() => listing.jobsOf('acc_1', 'job_1', 200),
			/^SEARCH jobs USING INDEX jobs_account \(account_id=\? AND id>\?\)$/,
		],
	])('lists %s', async (_, ask, plan) => {
		const statements = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as D1PreparedStatement;
		const bind = vi.spyOn(statements, 'bind');
		const prepare = vi.spyOn(env.DB, 'prepare');
		await ask();
		const [[query] = ['']] = prepare.mock.calls;
		const [values = []] = bind.mock.calls;
		prepare.mockRestore();
		bind.mockRestore();
		const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
			.bind(...values)
			.all();
		expect(results.map(({ detail }) => detail)).toEqual([expect.stringMatching(plan)]);
	});
});
