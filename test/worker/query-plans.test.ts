import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { Sql } from '../../src/durable-objects/sql.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { openAccount } from '../support/account-jobs.ts';

// What grows with the jobs of an account is read along an index: no page sorts them all.

type Stub = Awaited<ReturnType<typeof openAccount>>['stub'];

const PAGE = { page: 1, pageSize: 25 };

describe("the account's object", () => {
	test.each<[string, (stub: Stub) => Promise<unknown>]>([
		['jobs', (stub) => stub.listJobs({ ...PAGE, kind: 'verification' })],
		['tasks that are done', (stub) => stub.listJobs({ ...PAGE, kind: 'catchall', status: 'completed' })],
		['lists by name', (stub) => stub.listJobs({ ...PAGE, kind: 'verification', search: 'july' })],
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
			).toEqual([expect.stringMatching(/^SEARCH jobs USING (COVERING )?INDEX jobsByTime \(kind=\?\)$/)]);
	});
});

test('answers of the Verify page are listed along an index of their own', async () => {
	const { stub } = await openAccount(10);
	const spy = vi.spyOn(Sql.prototype, 'rows');
	await stub.listForms({ now: 1, page: 0, pageSize: 25 });
	const queries = spy.mock.calls.filter(([query]) => query.includes('FROM idempotency'));
	spy.mockRestore();
	expect(queries).toHaveLength(2);
	for (const [query, ...values] of queries)
		expect(
			await runInDurableObject(stub, (_: Account, { storage }) =>
				storage.sql
					.exec(`EXPLAIN QUERY PLAN ${query}`, ...values)
					.toArray()
					.map(({ detail }) => detail),
			),
		).toEqual(['SCAN idempotency USING INDEX forms']);
});
