import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../src/core/address/parse-address.ts';
import type { Address } from '../../src/core/address/parse-address.ts';
import { dayOf } from '../../src/core/credits/usage.ts';
import { addressDigests } from '../../src/core/outcomes/outcome.ts';
import type { OutcomeKind } from '../../src/core/outcomes/outcome.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { WRITTEN_PER_DAY_MAX } from '../../src/durable-objects/account/outcomes.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { findOwnOutcomes, recordOutcomes } from '../../src/operations/outcomes/outcomes.ts';
import { admissionOf, openAccount } from '../support/account-jobs.ts';

// What an account keeps of its own messages: keyed hashes, for as long as they decide.

type Opened = Awaited<ReturnType<typeof openAccount>>;
const MINUTE_MS = 60_000;

async function opened() {
	const account = await openAccount(10);
	const { stub, start } = account;
	const tell = (digest: string, kind: OutcomeKind, at: number, now = at, isDated = true) =>
		stub.recordOutcomes({ now, outcomes: [{ digests: [digest], kind, at, isDated }] });
	const known = async (digest: string, now: number, ...older: string[]) =>
		(await stub.findOutcomes({ now, addresses: [[digest, ...older]] }))[0]?.kind ?? null;
	return { ...account, start, tell, known };
}

/** How many outcomes are kept, and what is noted of today's. */
async function rowsIn({ stub }: Pick<Opened, 'stub'>) {
	const query = 'SELECT (SELECT COUNT(*) FROM outcomes) AS outcomes, told FROM account';
	return runInDurableObject(stub, (_: Account, { storage: { sql } }) => sql.exec(query).one());
}

describe('what became of a message', () => {
	test('told again changes nothing and writes nothing', async () => {
		const { stub, start, tell } = await opened();
		expect(await tell('a', 'delivered', start)).toEqual({
			kind: 'recorded',
			recorded: 1,
			unchanged: 0,
			expired: 0,
		});
		const rows = () => runInDurableObject(stub, (account: Account) => account.rowsWritten);
		const before = await rows();
		for (const isDated of [true, false]) {
			const again = await tell('a', 'delivered', isDated ? start : start + 1000, start + 1000, isDated);
			expect(again).toEqual({ kind: 'recorded', recorded: 0, unchanged: 1, expired: 0 });
		}
		expect(await rows()).toBe(before);
	});

	test('is the newest, in whatever order it was told, and of one request too', async () => {
		const { stub, start, tell, known } = await opened();
		await tell('a', 'hard_bounce', start);
		await tell('a', 'delivered', start - 1000, start);
		expect(await known('a', start)).toBe('hard_bounce');
		await tell('a', 'delivered', start + 1000);
		expect(await known('a', start + 1000)).toBe('delivered');
		const outcomes = [3, 1, 2].map((minute) => ({
			digests: ['b'],
			kind: minute === 3 ? ('delivered' as const) : ('hard_bounce' as const),
			at: start - DAY_MS + minute * MINUTE_MS,
			isDated: true,
		}));
		const told = await stub.recordOutcomes({ now: start, outcomes });
		expect(told).toEqual({ kind: 'recorded', recorded: 1, unchanged: 2, expired: 0 });
		expect(await known('b', start)).toBe('delivered');
	});

	test('that is too old to decide is not kept', async () => {
		const { start, tell, known, stub } = await opened();
		expect(await tell('a', 'delivered', start - 90 * DAY_MS, start)).toMatchObject({
			recorded: 0,
			expired: 1,
		});
		expect(await tell('b', 'delivered', start - 90 * DAY_MS + 1, start)).toMatchObject({
			recorded: 1,
			expired: 0,
		});
		expect(await known('b', start)).toBe('delivered');
		expect(await rowsIn({ stub })).toMatchObject({ outcomes: 1 });
	});

	test('is still found after our secret has changed, and moves to the new one', async () => {
		const { stub, start, tell, known } = await opened();
		await tell('by the old secret', 'hard_bounce', start);
		expect(await known('by the new secret', start, 'by the old secret')).toBe('hard_bounce');
		const digests = ['by the new secret', 'by the old secret'];
		await stub.recordOutcomes({
			now: start + 1,
			outcomes: [{ digests, kind: 'delivered', at: start + 1, isDated: true }],
		});
		expect(await known('by the new secret', start + 1)).toBe('delivered');
		expect(await rowsIn({ stub })).toMatchObject({ outcomes: 1 });
	});

	test('is returned by the admission of a request about the address, and by no other', async () => {
		const { stub, start, tell } = await opened();
		await tell('a', 'delivered', start);
		const request = { ...admissionOf('', start), reservation: null };
		expect(await stub.admit({ ...request, outcomeOf: ['a'] })).toMatchObject({
			outcome: { kind: 'delivered', at: start },
		});
		expect(await stub.admit({ ...request, outcomeOf: ['b'] })).toMatchObject({ outcome: null });
		expect(await stub.admit(request)).not.toHaveProperty('outcome');
	});
});

test('the alarm deletes what has ended within a day, leaves the rest, and then rests', async () => {
	const account = await opened();
	const { start, tell, ring, nextAlarm } = account;
	await tell('a', 'delivered', start);
	await tell('b', 'hard_bounce', start);
	await ring(start + 35 * DAY_MS);
	expect(await rowsIn(account)).toMatchObject({ outcomes: 2 });
	const next = (await nextAlarm()) ?? 0;
	expect(next - (start + 90 * DAY_MS)).toBeGreaterThanOrEqual(0);
	expect(next - (start + 90 * DAY_MS)).toBeLessThan(DAY_MS);
	await ring(next);
	expect(await rowsIn(account)).toMatchObject({ outcomes: 1 });
	await ring(start + 181 * DAY_MS);
	expect(await rowsIn(account)).toMatchObject({ outcomes: 0 });
	// What rings then is about the ledger, whose first line is pruned after a year.
	expect((await nextAlarm()) ?? Infinity).toBeGreaterThan(start + 365 * DAY_MS);
});

test('the account keeps no address, and its hash tells nothing without the secret', async () => {
	const { stub, start, accountId } = await opened();
	const parsed = parseAddress('Ada.Lovelace@acme.example');
	if (!parsed.ok) throw new Error(parsed.reason);
	const secrets = [{ version: 1, secret: new Uint8Array(32).fill(9) }];
	const services = {
		clock: { now: () => start, sleep: () => Promise.resolve() },
		accounts: accountsOf(env.ACCOUNT),
		digestsOf: (of: string, address: Pick<Address, 'localPart' | 'domain'>) =>
			addressDigests(secrets, of, address),
	};
	const account = { accountId };
	await recordOutcomes(services, account, {
		outcomes: [{ address: parsed.address, kind: 'delivered', at: null }],
	});
	const found = await findOwnOutcomes(services, account, [parsed.address]);
	expect(found(parsed.address)).toBe('delivered');
	const stored = await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
		const tables = sql.exec<{ name: string }>(
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
		);
		return JSON.stringify(tables.toArray().map(({ name }) => sql.exec(`SELECT * FROM ${name}`).toArray()));
	});
	expect(stored).toContain(addressDigests(secrets, accountId, parsed.address)[0]);
	expect(stored).not.toMatch(/lovelace|acme/i);
});

test('closing the account deletes all of it', async () => {
	const account = await opened();
	const { stub, start, tell } = account;
	await tell('a', 'delivered', start);
	const day = dayOf(start);
	expect(await rowsIn(account)).toEqual({ outcomes: 1, told: JSON.stringify({ day, outcomes: 1 }) });
	await stub.close({ now: start + 1 });
	expect(await rowsIn(account)).toEqual({ outcomes: 0, told: null });
});

test('an account may tell 100,000 new outcomes a day; the one too many is refused until midnight, with all beside it', async () => {
	const account = await opened();
	const { stub, tell, known } = account;
	const noon = Math.floor(account.start / DAY_MS) * DAY_MS + DAY_MS / 2;
	await tell('a', 'delivered', noon);
	await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
		sql.exec("UPDATE account SET told = json_set(told, '$.outcomes', ?)", WRITTEN_PER_DAY_MAX - 2);
	});
	const two = ['b', 'c'].map((digest) => ({
		digests: [digest],
		kind: 'delivered' as const,
		at: noon,
		isDated: true,
	}));
	const third = { digests: ['d'], kind: 'delivered' as const, at: noon, isDated: true };
	expect(await stub.recordOutcomes({ now: noon, outcomes: [...two, third] })).toEqual({
		kind: 'too_many_today',
		window: { limit: 100_000, remaining: 2, resetSeconds: 43_200 },
	});
	expect(await known('b', noon)).toBeNull();
	expect(await stub.recordOutcomes({ now: noon, outcomes: two })).toMatchObject({ recorded: 2 });
	// A repetition writes nothing, so it is let in.
	expect(await stub.recordOutcomes({ now: noon, outcomes: two })).toMatchObject({ unchanged: 2 });
	expect(await tell('d', 'delivered', noon)).toMatchObject({ kind: 'too_many_today' });
	expect(await tell('d', 'delivered', noon + DAY_MS / 2)).toMatchObject({ recorded: 1 });
});
