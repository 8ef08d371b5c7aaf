import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { DAY_MS, deletedAt } from '../support/old-ledger.ts';
import type { LedgerEntry } from '../../src/operations/accounts/port.ts';
import type { AdmitRequest, SettleRequest } from '../../src/operations/verify/port.ts';
import { KEY, MINUTE_MS, errorOf, jobOf, openAccount } from '../support/account-jobs.ts';

// Reservations of single verifications: each is a line of the ledger, open until it is settled or its time is over.

const LIFETIME_MS = 5 * MINUTE_MS;
// As many as may be open at once in a busy minute.
const MANY = 64;
type Opened = Awaited<ReturnType<typeof openAccount>>;
type Outcome = SettleRequest['outcome'];

const admissionOf = (id: string, now: number): AdmitRequest => {
	const key = {
		keyId: KEY.id,
		secretHash: KEY.secretHash,
		scopes: 'any key' as const,
		category: 'default',
		windowMs: 900_000,
	} as const;
	return { ...key, now, reservation: { id, credits: 1 } };
};
const settlementOf = (id: string, at: number, outcome: Outcome, now = at): SettleRequest => {
	return { reservation: { id, at }, outcome, now };
};
const aheadOf = (index: number): string => `ahead ${String(index).padStart(4, '0')}`;

/** An account with a number of reservations that nobody settles. */
async function openBusyAccount(credits: number, ahead: number) {
	const opened = await openAccount(credits);
	const { stub, start } = opened;
	await stub.setLimits({ default: 100_000 });
	await runInDurableObject(stub, async (account: Account) => {
		for (let index = 0; index < ahead; index += 1) await account.admit(admissionOf(aheadOf(index), start));
	});
	return opened;
}

/** How many lines of the ledger are open. */
function openLinesOf({ stub }: Opened): Promise<number> {
	return runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
		const query = 'SELECT COUNT(*) AS lines FROM ledger WHERE closed_at IS NULL';
		return sql.exec<{ lines: number }>(query).one().lines;
	});
}

/** Has writing to one of the tables fail until it is told to go on. */
async function breakTable({ stub }: Opened, table: 'account' | 'ledger'): Promise<() => Promise<void>> {
	const run = (query: string) =>
		runInDurableObject(stub, (_: Account, state) => void state.storage.sql.exec(query));
	for (const writing of ['INSERT', 'UPDATE'])
		await run(
			`CREATE TRIGGER no_${writing} BEFORE ${writing} ON ${table} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
		);
	return () => run('DROP TRIGGER no_INSERT; DROP TRIGGER no_UPDATE');
}

describe('the line of a reservation', () => {
	test.each([0, 1, MANY, 500])('beside %i open ones: a verification writes four rows', async (ahead) => {
		const opened = await openBusyAccount(1_000, ahead);
		const { stub, start, rowsOf } = opened;
		const verify = async () => {
			await stub.admit(admissionOf('r', start));
			await stub.settle(settlementOf('r', start, 'deliverable'));
		};
		expect(await rowsOf(verify)).toBe(4);
		expect(await openLinesOf(opened)).toBe(ahead);
	});

	test('ends by itself: a thousand that died are all set free after five minutes', async () => {
		const opened = await openBusyAccount(1_000, 1_000);
		const { stub, start, balance, ring } = opened;
		expect(await openLinesOf(opened)).toBe(1_000);
		expect((await stub.admit(admissionOf('one more', start))).kind).toBe('insufficient_credits');
		expect(await stub.listLedger({ before: null, pageSize: 1 })).toMatchObject({
			total: 1_001,
			reconciled: true,
			totals: { granted: 1_000, reserved: 1_000, charged: 0 },
		});
		await ring(start + LIFETIME_MS - 1);
		expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 1_000 });
		await ring(start + LIFETIME_MS);
		expect(await balance()).toMatchObject({ availableCredits: 1_000, reservedCredits: 0, totalConsumed: 0 });
		expect(await openLinesOf(opened)).toBe(0);
		expect(await stub.listLedger({ before: null, pageSize: 1 })).toMatchObject({
			total: 1_001,
			reconciled: true,
		});
	});

	test('costs no look at the whole ledger: a page reads what it shows', async () => {
		const lines = 500;
		const { stub } = await openBusyAccount(lines, lines);
		const read = await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
			const cursor = sql.exec('SELECT * FROM ledger ORDER BY at DESC, id DESC LIMIT 10');
			expect(cursor.toArray()).toHaveLength(10);
			return cursor.rowsRead;
		});
		expect(read).toBeLessThan(lines / 2);
	});

	test('is no other line’s: a grant in the same millisecond needs an id of its own', async () => {
		const { stub, start, balance } = await openBusyAccount(5, 0);
		await stub.admit(admissionOf('same', start));
		const refusal = await errorOf(stub, (account) => account.grant({ id: 'same', credits: 1, now: start }));
		expect(refusal).toContain('Broken promise');
		expect(await stub.settle(settlementOf('same', start, 'risky'))).toMatchObject({ charged: 1 });
		expect(await balance()).toMatchObject({ totalPurchased: 5 });
	});
});

describe.each([
	['alone', 0],
	['beside many', MANY],
])('a reservation that is open %s', (_, ahead) => {
	const openIt = async () => {
		const opened = await openBusyAccount(100, ahead);
		const first = await opened.stub.admit(admissionOf('r', opened.start));
		expect(await openLinesOf(opened)).toBe(ahead + 1);
		return { ...opened, opened, first };
	};

	test('is made once, however often and whenever it is asked for again', async () => {
		const { stub, start, first, balance } = await openIt();
		await evictDurableObject(stub);
		expect(await stub.admit(admissionOf('r', start))).toEqual(first);
		await stub.settle(settlementOf('r', start, 'deliverable'));
		const ended = await balance();
		expect(await stub.admit(admissionOf('r', start))).toMatchObject({ kind: 'admitted', balance: ended });
		expect(await balance()).toEqual(ended);
		expect(ended).toMatchObject({ totalConsumed: 1, reservedCredits: ahead });
	});

	test.each<[Outcome, number]>([
		['risky', 1],
		['unknown', 0],
		['failed', 0],
	])('and ended as %s stays so, whatever comes later', async (outcome, charged) => {
		const { stub, start, balance, ring, replaceOutside } = await openIt();
		const settled = await stub.settle(settlementOf('r', start, outcome, start + 9));
		expect(settled.charged).toBe(charged);
		await evictDurableObject(stub);
		await replaceOutside();
		for (const again of ['deliverable', 'unknown', 'failed'] as const)
			expect(await stub.settle(settlementOf('r', start, again, start + 20))).toEqual(settled);
		const [line] = (await stub.listLedger({ before: null, pageSize: 1 })).entries;
		expect(line).toMatchObject({
			id: 'r',
			outcome,
			charged,
			closedAt: start + 9,
			keyId: KEY.id,
			reserved: 0,
		});
		await ring(start + LIFETIME_MS);
		expect(await balance()).toMatchObject({ availableCredits: 100 - charged, reservedCredits: 0 });
	});

	test('is set free by the alarm after five minutes; what settles it then charges nothing', async () => {
		const { stub, start, balance, ring, nextAlarm } = await openIt();
		await ring(start + LIFETIME_MS - 1);
		expect((await balance()).reservedCredits).toBe(ahead + 1);
		expect(await nextAlarm()).toBe(start + LIFETIME_MS);
		await ring(start + LIFETIME_MS);
		const free = await balance();
		expect(free).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
		// Nothing but the deletion of its lines.
		expect(await nextAlarm()).toBe(deletedAt(start, 400 * DAY_MS));
		const late = await stub.settle(settlementOf('r', start, 'deliverable', start + LIFETIME_MS + 1));
		expect(late).toEqual({ charged: 0, balance: free });
		expect(await stub.admit(admissionOf('r', start))).toMatchObject({ kind: 'admitted', balance: free });
		expect(await balance()).toEqual(free);
	});

	test('that is settled just before its release is charged, and not released', async () => {
		const { stub, start, balance, ring } = await openIt();
		expect(await stub.settle(settlementOf('r', start, 'deliverable', start + LIFETIME_MS))).toMatchObject({
			charged: 1,
		});
		await ring(start + LIFETIME_MS);
		expect(await balance()).toMatchObject({ availableCredits: 99, reservedCredits: 0, totalConsumed: 1 });
	});

	test.each(['account', 'ledger'] as const)(
		'ends whole or not at all where the table %s fails',
		async (table) => {
			const { opened, stub, start, balance } = await openIt();
			const [before, lines] = [await balance(), await openLinesOf(opened)];
			const mend = await breakTable(opened, table);
			const settle = (account: Account) => account.settle(settlementOf('r', start, 'deliverable'));
			expect(await errorOf(stub, settle)).toContain('the disk is full');
			expect(await balance()).toEqual(before);
			expect(await openLinesOf(opened)).toBe(lines);
			await mend();
			expect(await stub.settle(settlementOf('r', start, 'deliverable'))).toMatchObject({ charged: 1 });
		},
	);

	test.each(['account', 'ledger'] as const)(
		'is made whole or not at all where the table %s fails',
		async (table) => {
			const { opened, stub, start, balance } = await openIt();
			const [before, lines] = [await balance(), await openLinesOf(opened)];
			const mend = await breakTable(opened, table);
			const refusal = await errorOf(stub, (account) => account.admit(admissionOf('next', start)));
			expect(refusal).toContain('the disk is full');
			expect(await balance()).toEqual(before);
			expect(await openLinesOf(opened)).toBe(lines);
			await mend();
			expect(await stub.admit(admissionOf('next', start))).toMatchObject({ kind: 'admitted' });
		},
	);
});

describe.each([0, 64])('a clock that goes back six minutes, beside %i open reservations', (ahead) => {
	const setBack = async () => {
		const opened = await openBusyAccount(100, ahead);
		const { start, ring } = opened;
		const ahead5 = start + LIFETIME_MS;
		// What was open until then is closed, and the time of it with it.
		await opened.stub.admit(admissionOf('before', ahead5));
		await ring(ahead5 + LIFETIME_MS);
		await runInDurableObject(opened.stub, async (account: Account) => {
			for (let index = 0; index < ahead; index += 1)
				await account.admit(admissionOf(`again ${aheadOf(index)}`, ahead5 + LIFETIME_MS));
		});
		return { ...opened, now: ahead5 + LIFETIME_MS - 6 * MINUTE_MS };
	};

	test('makes nothing fail: it is admitted, charged once, and in the ledger', async () => {
		const { stub, balance, now } = await setBack();
		expect((await stub.admit(admissionOf('r', now))).kind).toBe('admitted');
		expect(await stub.settle(settlementOf('r', now, 'deliverable', now + 1))).toMatchObject({ charged: 1 });
		expect(await stub.settle(settlementOf('r', now, 'deliverable', now + 2))).toMatchObject({ charged: 1 });
		expect(await balance()).toMatchObject({ totalConsumed: 1, reservedCredits: ahead });
		const ledger = await stub.listLedger({ before: null, pageSize: 200 });
		expect(ledger.reconciled).toBe(true);
		expect(ledger.entries.find(({ id }) => id === 'r')).toMatchObject({ at: now, charged: 1 });
		expect((await stub.grant({ id: 'invoice', credits: 1, now })).kind).toBe('granted');
		expect((await stub.openJob(jobOf(now, [1]))).kind).toBe('opened');
		expect((await stub.show()).keys).toMatchObject([{ id: KEY.id, revoked: false }]);
	});

	test('leaves nothing locked: what dies then is set free five minutes later', async () => {
		const { stub, balance, ring, now } = await setBack();
		await stub.admit(admissionOf('dies', now));
		expect(await balance()).toMatchObject({ reservedCredits: ahead + 1 });
		await ring(now + LIFETIME_MS - 1);
		expect(await balance()).toMatchObject({ reservedCredits: ahead + 1 });
		await ring(now + LIFETIME_MS);
		expect(await balance()).toMatchObject({ reservedCredits: ahead });
	});
});

test('a request whose clock is six minutes behind the account’s is charged: it is not set free at once', async () => {
	const { stub, start, ring, nextAlarm, balance } = await openAccount(10);
	const behind = start - 6 * MINUTE_MS;
	expect((await stub.admit(admissionOf('r', behind))).kind).toBe('admitted');
	expect(await nextAlarm()).toBe(start + LIFETIME_MS);
	expect(await stub.settle(settlementOf('r', behind, 'deliverable'))).toMatchObject({ charged: 1 });
	await ring(start + LIFETIME_MS);
	expect(await balance()).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
});

test('an opening that failed leaves nothing behind, and can be made good', async () => {
	const stub = env.ACCOUNT.getByName('acc_reservations_not_opened');
	const now = Date.now();
	const failed = await errorOf(stub, (account) => account.open({ now, initialCredits: -1, key: KEY }));
	expect(failed).toContain('a grant adds credits');
	expect((await stub.admit(admissionOf('r', now))).kind).toBe('unauthenticated');
	await stub.open({ now, initialCredits: 1, key: KEY });
	expect((await stub.admit(admissionOf('r', now))).kind).toBe('admitted');
});

interface ModelLine {
	readonly at: number;
	readonly outcome: Outcome | null;
}

/** What the ledger must say of a verification. */
function lineOf(id: string, { at, outcome }: ModelLine) {
	const charged = outcome === 'deliverable' ? 1 : 0;
	const refunded = outcome === 'unknown' ? 1 : 0;
	const reserved = outcome === null ? 1 : 0;
	const released = 1 - charged - refunded - reserved;
	return {
		id,
		at,
		kind: 'verification',
		outcome,
		charged,
		refunded,
		released,
		reserved,
		change: 0 - charged,
	};
}

const told = ({ id, at, kind, outcome, charged, refunded, released, reserved, change }: LedgerEntry) => {
	return { id, at, kind, outcome, charged, refunded, released, reserved, change };
};

const NAME = fc.integer({ min: 0, max: 7 }).map((n) => `r${n}`);
const OUTCOME = fc.constantFrom<Outcome>('deliverable', 'unknown', 'failed');
const MINUTES = fc.integer({ min: 0, max: 6 });
const STEP = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('admit' as const), id: NAME }) },
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), id: NAME, outcome: OUTCOME }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('ring' as const), minutes: MINUTES }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('set back' as const), minutes: MINUTES }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const) }) },
);
type StepOfModel = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** A busy account and what a simple ledger says of it: one line for each reservation, with its end. */
async function openModel(credits: number, ahead: number) {
	const opened = await openBusyAccount(credits, ahead);
	const { stub, start, ring, nextAlarm, replaceOutside } = opened;
	const model = new Map<string, ModelLine>();
	for (let index = 0; index < ahead; index += 1) model.set(aheadOf(index), { at: start, outcome: null });
	const count = (outcome: Outcome | null) =>
		[...model.values()].filter((line) => line.outcome === outcome).length;
	let now = start;

	async function perform(action: StepOfModel): Promise<void> {
		if (action.do === 'admit') {
			const known = model.get(action.id);
			const isAdmitted = known !== undefined || credits > count('deliverable') + count(null);
			const { kind } = await stub.admit(admissionOf(action.id, known?.at ?? now));
			expect(kind).toBe(isAdmitted ? 'admitted' : 'insufficient_credits');
			if (known === undefined && isAdmitted) model.set(action.id, { at: now, outcome: null });
		} else if (action.do === 'settle') {
			const known = model.get(action.id);
			if (known === undefined) return;
			const ended = { ...known, outcome: known.outcome ?? action.outcome };
			model.set(action.id, ended);
			const { charged } = await stub.settle(settlementOf(action.id, known.at, action.outcome, now));
			expect(charged).toBe(lineOf(action.id, ended).charged);
		} else if (action.do === 'ring') {
			now += action.minutes * MINUTE_MS;
			if ((await nextAlarm()) === null) return;
			await ring(now);
			for (const [name, line] of model)
				if (line.outcome === null && line.at <= now - LIFETIME_MS)
					model.set(name, { ...line, outcome: 'failed' });
		} else if (action.do === 'set back') now -= action.minutes * MINUTE_MS;
		else {
			await evictDurableObject(stub);
			await replaceOutside();
		}
	}

	const lines = () =>
		[...model]
			.map(([name, line]) => lineOf(name, line))
			.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
	return { ...opened, opened, perform, count, lines };
}

test('no order of admissions, settlements, repetitions, deaths, alarms and clocks set back is told apart from a simple ledger', async () => {
	const credits = 80;
	const ahead = fc.constantFrom(0, 2, MANY - 1, MANY, MANY + 12);
	const pageSizes = fc.integer({ min: 1, max: 40 });
	await fc.assert(
		fc.asyncProperty(fc.array(STEP, { maxLength: 24 }), ahead, pageSizes, async (steps, before, pageSize) => {
			const { opened, stub, nextAlarm, balance, perform, count, lines } = await openModel(credits, before);
			for (const action of steps) {
				await perform(action);
				const { entries, total, totals, reconciled } = await stub.listLedger({ before: null, pageSize: 200 });
				expect(entries.filter(({ kind }) => kind === 'verification').map(told)).toEqual(lines());
				expect(total).toBe(lines().length + 1);
				expect(totals).toMatchObject({
					granted: credits,
					charged: count('deliverable'),
					reserved: count(null),
				});
				expect(reconciled).toBe(true);
				expect(await balance()).toMatchObject({
					totalConsumed: count('deliverable'),
					totalRefunded: count('unknown'),
					reservedCredits: count(null),
				});
				expect(await openLinesOf(opened)).toBe(count(null));
				const from = entries[pageSize - 1];
				const older = await stub.listLedger({ before: from ?? null, pageSize: 200 });
				expect(older.entries).toEqual(from === undefined ? entries : entries.slice(pageSize));
				// An open reservation is never without an alarm that ends it.
				if (count(null) > 0) expect(await nextAlarm()).not.toBeNull();
			}
		}),
		{ numRuns: 40 },
	);
});
