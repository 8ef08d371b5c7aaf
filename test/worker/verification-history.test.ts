import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { HISTORY_MS, SEEN_MS } from '../../src/core/verification/history.ts';
import { VERIFICATIONS_MAX } from '../../src/durable-objects/account/verifications/calls.ts';
import { listFacts } from '../../src/engine/refusal.ts';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import { decidedBy, renderResult, withoutAddress } from '../../src/core/verification/render.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';
import { R2VerifiedAddresses } from '../../src/storage/verify.ts';
import { HOUR_MS, MINUTE_MS, openAccount } from '../support/account-jobs.ts';
import { addressOf } from '../support/unit/mail-servers.ts';

// Verifications at the dashboard: kept for two days at most, and gone for good where that was asked for.

const PAGE = { page: 0, pageSize: 1_000 };

async function opened() {
	// Ahead, so that an alarm that is due at once does not ring by itself.
	const account = await openAccount(VERIFICATIONS_MAX + 50, Date.now() + HOUR_MS);
	const { accountId, stub, start } = account;
	const addresses = new R2VerifiedAddresses(env.BLOBS);
	const begin = async (email: string, at = start) => {
		const id = `ver_${email}`;
		await addresses.put(accountId, id, email);
		const admission = await stub.admit({
			...BY_DASHBOARD,
			category: 'default',
			windowMs: 900_000,
			now: at,
			reservation: { id, credits: 1 },
			inHistory: true,
		});
		if (admission.kind !== 'admitted') throw new Error(admission.kind);
		return { id, at, hold: admission.hold };
	};
	const end = ({ id, at, hold }: Awaited<ReturnType<typeof begin>>, email: string, said: SubStatus) => {
		const address = addressOf(email);
		const result = renderResult(address, listFacts(address), decidedBy('smtp', said), at);
		const keep = { result: withoutAddress(result), breakdown: null, answeredBy: 'mx.x.test' };
		const held = hold === undefined ? {} : { hold };
		const settlement = { reservation: { id, at }, ...held, outcome: result.status, now: at + 1_000, keep };
		return stub.settle(settlement);
	};
	const verify = async (email: string, at = start, said: SubStatus = 'accepted_email') => {
		const reservation = await begin(email, at);
		await end(reservation, email, said);
		return reservation.id;
	};
	const listed = async (now: number) => {
		const { verifications } = await stub.listVerifications({ now, ...PAGE });
		return verifications.map(({ id }) => emailOf(id));
	};
	const stored = () =>
		runInDurableObject(stub, (_: Account, { storage: { sql } }) =>
			sql
				.exec<{ id: string }>('SELECT id FROM verifications')
				.toArray()
				.map(({ id }) => emailOf(id)),
		);
	const inBucket = async () =>
		(await env.BLOBS.list({ prefix: `verifications/${accountId}/` })).objects.map(({ key }) =>
			emailOf(key.slice(key.lastIndexOf('/') + 1)),
		);
	/** Of which there are a row and an address; neither is there alone. */
	const left = async () => {
		const emails = (await stored()).toSorted();
		expect((await inBucket()).toSorted()).toEqual(emails);
		return emails;
	};
	const ringAt = async (now: number) => {
		await runInDurableObject(stub, (one: Account) => {
			one.outside = { ...one.outside, now: () => now };
		});
		await runDurableObjectAlarm(stub);
	};
	const alarmAt = () => runInDurableObject(stub, (_: Account, { storage }) => storage.getAlarm());
	return { ...account, begin, end, verify, listed, stored, inBucket, left, ringAt, alarmAt };
}

function emailOf(id: string): string {
	return id.slice('ver_'.length);
}

describe('the history', () => {
	test('has each answer with what it cost, the newest first, in pages', async () => {
		const { stub, start, verify } = await opened();
		await verify('ada@x.test', start);
		await verify('bob@x.test', start + 1, 'timeout');
		await verify('cleo@x.test', start + 2);
		const first = await stub.listVerifications({ now: start + 3, page: 0, pageSize: 2 });
		const second = await stub.listVerifications({ now: start + 3, page: 1, pageSize: 2 });
		expect([first.isKept, first.total, second.total]).toEqual([true, 3, 3]);
		expect([...first.verifications, ...second.verifications]).toMatchObject([
			{ id: 'ver_cleo@x.test', state: { kind: 'answered', answer: { charged: 1, answeredBy: 'mx.x.test' } } },
			{ id: 'ver_bob@x.test', state: { kind: 'answered', answer: { charged: 0 } } },
			{ id: 'ver_ada@x.test', state: { kind: 'answered', answer: { charged: 1 } } },
		]);
	});

	test('ends for each address after 48 hours, and the alarm deletes it then, not before', async () => {
		const { stub, start, verify, listed, left, ringAt, alarmAt } = await opened();
		const id = await verify('ada@x.test', start);
		await verify('bob@x.test', start + 60_000);
		const end = start + HISTORY_MS;
		expect(HISTORY_MS).toBe(48 * 3_600_000);
		expect(await listed(end - 1)).toEqual(['bob@x.test', 'ada@x.test']);
		expect(await listed(end)).toEqual(['bob@x.test']);
		expect(await stub.findVerification({ id, now: end - 1 })).not.toBeNull();
		expect(await stub.findVerification({ id, now: end })).toBeNull();
		await ringAt(end - 1);
		expect(await left()).toEqual(['ada@x.test', 'bob@x.test']);
		expect(await alarmAt()).toBeLessThanOrEqual(end);
		await ringAt(end);
		expect(await left()).toEqual(['bob@x.test']);
		expect(await alarmAt()).toBeLessThanOrEqual(end + 60_000);
		await ringAt(end + 60_000);
		expect(await left()).toEqual([]);
	});

	test('switched off is deleted at once; what is verified then is there for ten minutes, and is not listed', async () => {
		const { stub, start, begin, end, verify, listed, left, ringAt, alarmAt } = await opened();
		const gone = await verify('ada@x.test', start);
		const underWay = await begin('bob@x.test', start);
		await stub.keepHistory({ keep: false, now: start + 5 });
		expect(await stub.findVerification({ id: gone, now: start + 5 })).toBeNull();
		expect(await alarmAt()).toBeLessThanOrEqual(start + 5);
		await ringAt(start + 5);
		expect(await left()).toEqual(['bob@x.test']);
		await end(underWay, 'bob@x.test', 'accepted_email');
		const id = await verify('cleo@x.test', start + 10);
		expect(await stub.listVerifications({ now: start + 20, ...PAGE })).toEqual({
			isKept: false,
			verifications: [],
			total: 0,
		});
		const last = start + 10 + SEEN_MS;
		expect(await stub.findVerification({ id, now: last - 1 })).toMatchObject({ id });
		expect(await stub.findVerification({ id, now: last })).toBeNull();
		await ringAt(last - 1);
		expect(await left()).toEqual(['cleo@x.test']);
		await ringAt(last);
		expect(await left()).toEqual([]);
		await stub.keepHistory({ keep: true, now: last });
		await verify('dora@x.test', last);
		expect(await listed(last + HISTORY_MS - 1)).toEqual(['dora@x.test']);
	});

	test(`holds the newest ${VERIFICATIONS_MAX}, and no more`, async () => {
		const { stub, start, verify, stored, inBucket, ringAt } = await opened();
		await verify('p0@x.test', start);
		await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
			for (let n = 1; n < VERIFICATIONS_MAX - 1; n += 1)
				sql.exec(
					"INSERT INTO verifications VALUES (?, ?, '{}', NULL, 0, ?)",
					`ver_p${n}@x.test`,
					start + n,
					start + HISTORY_MS,
				);
		});
		await verify('the-last@x.test', start + VERIFICATIONS_MAX - 1);
		expect(await stored()).toHaveLength(VERIFICATIONS_MAX);
		expect(await stored()).toContain('p0@x.test');
		await ringAt(start + VERIFICATIONS_MAX);
		expect(await inBucket()).toContain('p0@x.test');
		await verify('one-more@x.test', start + VERIFICATIONS_MAX);
		await ringAt(start + VERIFICATIONS_MAX + MINUTE_MS);
		const kept = await stored();
		expect(kept).toHaveLength(VERIFICATIONS_MAX);
		expect(kept).toContain('one-more@x.test');
		expect(kept).not.toContain('p0@x.test');
		expect((await inBucket()).toSorted()).toEqual(['one-more@x.test', 'the-last@x.test']);
	});

	test('is deleted with the account', async () => {
		const { stub, start, verify, left, ringAt } = await opened();
		const id = await verify('ada@x.test', start);
		await stub.close({ now: start + 1 });
		expect(await stub.findVerification({ id, now: start + 1 })).toBeNull();
		await ringAt(start + 1);
		expect(await left()).toEqual([]);
	});

	test('deletes the address first, and tries again while the bucket is out', async () => {
		const { stub, start, verify, left, ringAt, alarmAt } = await opened();
		const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
		await verify('ada@x.test', start);
		await stub.keepHistory({ keep: false, now: start });
		const real = await runInDurableObject(stub, (one: Account) => {
			const { outside } = one;
			one.outside = { ...outside, forgetAddresses: () => Promise.reject(new Error('the bucket is out')) };
			return outside.forgetAddresses;
		});
		await ringAt(start);
		expect(await left()).toEqual(['ada@x.test']);
		expect(await alarmAt()).toBeLessThanOrEqual(start + MINUTE_MS);
		expect(JSON.stringify(logged.mock.calls)).toContain('addresses_not_deleted');
		logged.mockRestore();
		await runInDurableObject(stub, (one: Account) => {
			one.outside = { ...one.outside, forgetAddresses: real };
		});
		await ringAt(start + MINUTE_MS);
		expect(await left()).toEqual([]);
	});

	test('has nothing of calls with a key', async () => {
		const { stub, start, stored } = await opened();
		const reservation = { id: 'vfy_1', at: start };
		await stub.admit({
			...BY_DASHBOARD,
			category: 'default',
			windowMs: 900_000,
			now: start,
			reservation: { id: reservation.id, credits: 1 },
		});
		await stub.settle({ reservation, outcome: 'deliverable', now: start });
		expect(await stored()).toEqual([]);
	});
});

describe('a verification', () => {
	test('is under way until it has an answer, which stays the same however often it is settled', async () => {
		const { stub, start, begin, end } = await opened();
		const reservation = await begin('ada@x.test');
		const state = async () => (await stub.findVerification({ id: reservation.id, now: start }))?.state;
		expect(await state()).toEqual({ kind: 'under_way', progress: { at: 'domain' } });
		const progress = { at: 'server', host: 'mx.x.test' } as const;
		await stub.noteProgress({ id: reservation.id, progress });
		expect(await state()).toEqual({ kind: 'under_way', progress });
		await evictDurableObject(stub);
		expect(await state()).toEqual({ kind: 'under_way', progress });
		await end(reservation, 'ada@x.test', 'accepted_email');
		const answered = await state();
		expect(answered).toMatchObject({ kind: 'answered', answer: { charged: 1 } });
		await end(reservation, 'ada@x.test', 'rejected_email');
		await stub.noteProgress({ id: reservation.id, progress });
		expect(await state()).toEqual(answered);
	});
});
