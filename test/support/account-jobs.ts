import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { JOB_KINDS } from '../../src/core/jobs/kinds.ts';
import { SCOPES } from '../../src/core/keys/scopes.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { HORIZON_MS } from '../../src/core/jobs/open-row.ts';
import { NOTHING } from '../../src/core/jobs/stored-row.ts';
import type { PartTally, RowCounts } from '../../src/core/jobs/stored-row.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import type { OpenJobRequest, PartMessage } from '../../src/operations/jobs/port.ts';
import type { AdmitRequest, SettleRequest, Settled } from '../../src/operations/verify/port.ts';

export const KEY = {
	id: 'key_first',
	secretHash: 'f'.repeat(64),
	version: 1,
	label: 'First key',
	ending: 'x7Kq',
	scopes: SCOPES,
	expiresAt: null,
};
export const keyOf = (n: number) => ({
	...KEY,
	id: `key_${n}`,
	secretHash: `${n}`.padStart(64, '0'),
	label: `Key ${n}`,
});
export const TTL_MS = 48 * HOUR_MS;
export const LEASE_MS = 2 * MINUTE_MS;
// Longer than any test runs, so that no alarm rings by itself.
export const TIMING = {
	retryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS],
	redriveAfterMs: 30 * 1000,
	resultsTtlMs: TTL_MS,
	horizonMs: HORIZON_MS,
};

let accounts = 0;

type Outside = Account['outside'];

/**
 * Opens a new account whose alarm uses the test's clock and sends messages into a list; `outside` is what else the test
 * plays. An alarm that is due at once rings by itself, unless the test's clock starts ahead.
 */
export async function openAccount(
	initialCredits: number,
	start = Date.now(),
	owner: string | null = null,
	outside: (account: Account) => Partial<Outside> = () => ({}),
) {
	accounts += 1;
	const accountId = `acc_jobs_${accounts}`;
	const stub = env.ACCOUNT.getByName(accountId);
	await stub.open({ now: start, initialCredits, key: KEY, owner });
	const clock = { now: start };
	const sent: PartMessage[] = [];
	const replaceOutside = () =>
		runInDurableObject(stub, (account: Account) => {
			account.outside = {
				...account.outside,
				now: () => clock.now,
				sendParts: async (_, messages) => void sent.push(...messages),
				...outside(account),
			};
		});
	await replaceOutside();
	/** The object leaves memory, as after ten idle seconds, or with a deploy. */
	const evict = async (): Promise<void> => {
		await evictDurableObject(stub);
		await replaceOutside();
	};
	/** Sets the clock, rings the alarm, and returns the messages that it sent. */
	const ring = async (now: number): Promise<PartMessage[]> => {
		clock.now = now;
		sent.length = 0;
		expect(await runDurableObjectAlarm(stub)).toBe(true);
		return [...sent];
	};
	const nextAlarm = () => runInDurableObject(stub, (_: Account, state) => state.storage.getAlarm());
	const balance = async () => {
		const view = (await stub.show()).balance;
		expect(view.balance).toBe(view.availableCredits + view.reservedCredits);
		expect(view.balance).toBe(view.totalPurchased - view.totalConsumed);
		return view;
	};
	/** The number of rows that the object's SQL writes during the work. */
	const rowsOf = async (work: () => Promise<unknown>): Promise<number> => {
		const before = await rowsWrittenBy(stub);
		await work();
		return (await rowsWrittenBy(stub)) - before;
	};
	return { accountId, stub, start, clock, ring, nextAlarm, balance, rowsOf, evict };
}

export const admissionOf = (id: string, now: number, credits = 1): AdmitRequest => {
	const { id: keyId, secretHash } = KEY;
	const who = { keyId, secretHash, scopes: 'any key', category: 'default', windowMs: 900_000 } as const;
	return { ...who, now, reservation: { id, credits } };
};

/** A request that spends nothing. */
export const asking = (now: number, more: object = {}): AdmitRequest => ({
	...admissionOf('', now),
	reservation: null,
	...more,
});

/** Has a single call admitted. It settles with what its Worker remembers of the admission. */
export async function admitCall(stub: DurableObjectStub<Account>, id: string, at: number) {
	const admission = await stub.admit(admissionOf(id, at));
	const hold = admission.kind === 'admitted' ? admission.hold : undefined;
	const settle = (outcome: SettleRequest['outcome'], now = at): Promise<Settled> =>
		stub.settle({ reservation: { id, at }, ...(hold === undefined ? {} : { hold }), outcome, now });
	return { kind: admission.kind, admission, settle };
}

/** A request for a job with parts of these sizes. */
export function jobOf(
	now: number,
	parts: readonly number[],
	more: Partial<OpenJobRequest> = {},
): OpenJobRequest {
	const accepted = parts.reduce((sum, count) => sum + count, 0);
	const fixed = { jobId: 'job_1', name: 'July', duplicates: 1, invalid: 2, requestId: null };
	const { price } = JOB_KINDS[more.kind ?? 'verification'];
	const what = {
		kind: 'verification',
		sourceJobId: null,
		rescuesCatchAll: false,
		mailWhenDone: false,
	} as const;
	const base = { now, keyId: KEY.id, submitted: accepted + 3, parts, timing: TIMING, idempotency: null };
	return { ...what, price, ...fixed, ...base, ...more };
}

/** The tally of a part's blob. */
export const tallyOf = (counts: Partial<RowCounts>, deferred = 0): PartTally => ({
	...NOTHING,
	...counts,
	deferred,
});
export const claimOf = (part: number, token: string, now: number) => {
	return { jobId: 'job_1', part, token, now, leaseMs: LEASE_MS };
};
/** A stored attempt whose deferred addresses are due after the job's own pause. */
export const settlementOf = (part: number, attempt: number, tally: PartTally, now: number) => {
	const dueAt = tally.deferred === 0 ? null : now + (TIMING.retryDelaysMs[attempt - 1] ?? 0);
	return { jobId: 'job_1', part, attempt, tally, dueAt, now };
};

/** The error of a call, caught inside the object: outside, the test runner would report it as unhandled. */
export function errorOf(
	stub: DurableObjectStub<Account>,
	call: (account: Account) => Promise<unknown>,
): Promise<string> {
	return runInDurableObject(stub, async (account: Account) => {
		try {
			await call(account);
			return 'no error';
		} catch (error) {
			return String(error);
		}
	});
}

/** The rows that the object's SQL has written. */
export function rowsWrittenBy(stub: DurableObjectStub<Account>): Promise<number> {
	return runInDurableObject(stub, (account: Account) => account.rowsWritten);
}

/** The ledger's lines, newest first. */
export const ledgerOf = (stub: DurableObjectStub<Account>) =>
	sqlIn(stub, 'SELECT * FROM ledger ORDER BY at DESC, kind DESC');

/** The names of an account's tables. */
export const TABLES =
	"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'";

/** Reads or changes the account's tables behind its back. Returns the rows. */
export function sqlIn<T extends Record<string, SqlStorageValue>>(
	stub: DurableObjectStub<Account>,
	query: string,
	...values: SqlStorageValue[]
): Promise<T[]> {
	return runInDurableObject(stub, (_: Account, { storage }) =>
		storage.sql.exec<T>(query, ...values).toArray(),
	);
}
