import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/core/address/parse-address.ts';
import { dayOf } from '../../src/core/credits/usage.ts';
import { addressDigests } from '../../src/core/outcomes/outcome.ts';
import type { OutcomeKind } from '../../src/core/outcomes/outcome.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { WRITTEN_PER_DAY_MAX } from '../../src/durable-objects/account/outcomes.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { findOwnOutcomes, recordOutcomes } from '../../src/operations/outcomes/outcomes.ts';
import { TABLES, asking, openAccount, sqlIn } from '../support/account-jobs.ts';
import { addressOf } from '../support/unit/mail-servers.ts';

// What an account keeps of its own messages: keyed hashes, for as long as they decide.

type Opened = Awaited<ReturnType<typeof openAccount>>;

const outcomeOf = (digest: string, kind: OutcomeKind, at: number, isDated = true, ...older: string[]) => ({
	digests: [digest, ...older],
	kind,
	at,
	isDated,
});

async function opened() {
	const account = await openAccount(10);
	const { stub, start } = account;
	const tell = (digest: string, kind: OutcomeKind, at: number, now = at, isDated = true) =>
		stub.recordOutcomes({ now, outcomes: [outcomeOf(digest, kind, at, isDated)] });
	const known = async (digest: string, now: number, ...older: string[]) =>
		(await stub.findOutcomes({ now, addresses: [[digest, ...older]] }))[0]?.kind ?? null;
	return { ...account, start, tell, known };
}

/** How many outcomes are kept, and what is noted of today's. */
async function rowsIn({ stub }: Pick<Opened, 'stub'>) {
	const query = 'SELECT (SELECT COUNT(*) FROM outcomes) AS outcomes, told FROM account';
	return (await sqlIn(stub, query))[0];
}

describe('what became of a message', () => {
	test('told again changes nothing and writes nothing', async () => {
		const { start, tell, rowsOf } = await opened();
		const told = { kind: 'recorded', recorded: 1, unchanged: 0, expired: 0 };
		expect(await tell('a', 'delivered', start)).toEqual(told);
		for (const isDated of [true, false]) {
			const again = () => tell('a', 'delivered', isDated ? start : start + 1000, start + 1000, isDated);
			expect(
				await rowsOf(async () => expect(await again()).toEqual({ ...told, recorded: 0, unchanged: 1 })),
			).toBe(0);
		}
	});

	test('is the newest, in whatever order it was told, and of one request too', async () => {
		const { stub, start, tell, known } = await opened();
		await tell('a', 'hard_bounce', start);
		await tell('a', 'delivered', start - 1000, start);
		expect(await known('a', start)).toBe('hard_bounce');
		await tell('a', 'delivered', start + 1000);
		expect(await known('a', start + 1000)).toBe('delivered');
		const outcomes = [3, 1, 2].map((minute) =>
			outcomeOf('b', minute === 3 ? 'delivered' : 'hard_bounce', start - DAY_MS + minute * MINUTE_MS),
		);
		const told = await stub.recordOutcomes({ now: start, outcomes });
		expect(told).toEqual({ kind: 'recorded', recorded: 1, unchanged: 2, expired: 0 });
		expect(await known('b', start)).toBe('delivered');
	});

	test('that is too old to decide is not kept', async () => {
		const { start, tell, known, stub } = await opened();
		for (const [digest, later] of [
			['a', 0],
			['b', 1],
		] as const) {
			const told = await tell(digest, 'delivered', start - 90 * DAY_MS + later, start);
			expect(told).toMatchObject({ recorded: later, expired: 1 - later });
		}
		expect(await known('b', start)).toBe('delivered');
		expect(await rowsIn({ stub })).toMatchObject({ outcomes: 1 });
	});

	test('is still found after our secret has changed, and moves to the new one', async () => {
		const { stub, start, tell, known } = await opened();
		await tell('by the old secret', 'hard_bounce', start);
		expect(await known('by the new secret', start, 'by the old secret')).toBe('hard_bounce');
		const newer = outcomeOf('by the new secret', 'delivered', start + 1, true, 'by the old secret');
		await stub.recordOutcomes({ now: start + 1, outcomes: [newer] });
		expect(await known('by the new secret', start + 1)).toBe('delivered');
		expect(await rowsIn({ stub })).toMatchObject({ outcomes: 1 });
	});

	test('is returned by the admission of a request about the address, and by no other', async () => {
		const { stub, start, tell } = await opened();
		await tell('a', 'delivered', start);
		for (const [digest, outcome] of [
			['a', { kind: 'delivered', at: start }],
			['b', null],
		] as const)
			expect(await stub.admit(asking(start, { outcomeOf: [digest] }))).toMatchObject({ outcome });
		expect(await stub.admit(asking(start))).not.toHaveProperty('outcome');
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
	const address = addressOf('Ada.Lovelace@acme.example');
	const secrets = [{ version: 1, secret: new Uint8Array(32).fill(9) }];
	const services = {
		clock: { now: () => start, sleep: () => Promise.resolve() },
		accounts: accountsOf(env.ACCOUNT),
		digestsOf: (of: string, about: Pick<Address, 'localPart' | 'domain'>) =>
			addressDigests(secrets, of, about),
	};
	const account = { accountId };
	await recordOutcomes(services, account, [{ address, kind: 'delivered', at: null }]);
	const found = await findOwnOutcomes(services, account, [address]);
	expect(found(address)).toBe('delivered');
	const tables = await sqlIn<{ name: string }>(stub, TABLES);
	const rows = await Promise.all(tables.map(({ name }) => sqlIn(stub, `SELECT * FROM ${name}`)));
	const stored = JSON.stringify(rows);
	expect(stored).toContain(addressDigests(secrets, accountId, address)[0]);
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
	const told = "UPDATE account SET told = json_set(told, '$.outcomes', ?)";
	await sqlIn(stub, told, WRITTEN_PER_DAY_MAX - 2);
	const three = ['b', 'c', 'd'].map((digest) => outcomeOf(digest, 'delivered', noon));
	const two = three.slice(0, 2);
	expect(await stub.recordOutcomes({ now: noon, outcomes: three })).toEqual({
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
