import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { assert, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { findVerification } from '../../src/operations/verify/history.ts';
import { verifyForOwner } from '../../src/operations/verify/verify-for-owner.ts';
import type { VerifyForOwnerServices } from '../../src/operations/verify/verify-for-owner.ts';
import { newAddress, newFormId } from '../support/identity.ts';
import { ownerWith } from '../support/owner.ts';
import type { Owner } from '../support/owner.ts';
import { withMethods } from '../support/wrap.ts';

// The form of the Verify page, whose Worker dies at any step: the same form sent again leads to the answer, charged once.

const MINUTE_MS = 60_000;

// Each death is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

interface Method {
	(...args: never[]): Promise<unknown>;
}

interface Death {
	/** The step at which the Worker dies, from 1. */
	readonly at: number;
	readonly when: 'before' | 'after';
}

/** Services that die at a step, and do nothing from then on; `steps` counts those that were taken. */
function mortal(services: Owner['services'], { at, when }: Death) {
	const taken: string[] = [];
	const step =
		(name: string, work: Method): Method =>
		async (...args) => {
			taken.push(name);
			const nth = taken.length;
			if (nth > at || (nth === at && when === 'before')) throw new Error('died');
			const answer = await work(...args);
			if (nth === at) throw new Error('died');
			return answer;
		};
	const wrap = <T extends object>(target: T, names: readonly (keyof T & string)[]): T => {
		const steps = names.map((name) => [name, step(name, (target[name] as Method).bind(target))] as const);
		return withMethods(target, Object.fromEntries(steps) as Partial<T>);
	};
	const { verifiedAddresses, accounts, examine } = services;
	const dying: VerifyForOwnerServices = {
		...services,
		verifiedAddresses: wrap(verifiedAddresses, ['put', 'remove']),
		accounts: (id) => wrap(accounts(id), ['admit', 'settle']),
		examine: step('examine', examine) as typeof examine,
	};
	return { dying, taken };
}

const DEATHS: readonly Death[] = (['before', 'after'] as const).flatMap((when) =>
	[1, 2, 3, 4].map((at) => ({ at, when })),
);

/** Sends a form by a Worker that dies, and says how to send it again and what its page shows. */
async function sentAndDied(credits: number, death: Death) {
	const owner = await ownerWith(credits);
	const { accountId, account, services, time } = owner;
	const request = { address: newAddress(), formId: newFormId() };
	const { dying, taken } = mortal(services, death);
	const first = await verifyForOwner(dying, { accountId }, request).catch(() => null);
	if (first?.kind === 'begun') await first.ended;
	const send = async () => {
		const outcome = await verifyForOwner(services, { accountId }, request);
		if (outcome.kind === 'begun') await outcome.ended;
		return outcome;
	};
	const page = (id: string) => findVerification(services, { accountId }, { id });
	const balance = async () => (await account.show()).balance;
	return { first, taken, send, page, balance, accountId, time, request };
}

test('the form takes four steps', async () => {
	const { first, taken } = await sentAndDied(1, { at: Infinity, when: 'before' });
	expect(first?.kind).toBe('begun');
	expect(taken.toSorted()).toEqual(['admit', 'examine', 'put', 'settle']);
});

test.each(DEATHS)('dies $when step $at: the same form leads to the answer, charged once', async (death) => {
	const { send, page, balance, time, request } = await sentAndDied(1, death);
	time.now += MINUTE_MS;
	const again = await send();
	assert('id' in again);
	expect(await page(again.id)).toMatchObject({
		email: request.address.email,
		state: { kind: 'answered', answer: { charged: 1 } },
	});
	expect(await balance()).toMatchObject({ totalConsumed: 1, availableCredits: 0, reservedCredits: 0 });
	// And as often as it is sent.
	expect(await send()).toEqual({ kind: 'repeated', id: again.id });
	expect(await balance()).toMatchObject({ totalConsumed: 1 });
});

test.each(DEATHS)(
	'dies $when step $at: whoever sends the form again at once is led to a page',
	async (death) => {
		const { send, page, balance, time } = await sentAndDied(1, death);
		time.now += 2_000;
		const again = await send();
		assert('id' in again);
		const shown = await page(again.id);
		expect(['under_way', 'answered']).toContain(shown?.state.kind);
		time.now += MINUTE_MS;
		await send();
		expect(await page(again.id)).toMatchObject({ state: { kind: 'answered' } });
		expect(await balance()).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
	},
);

test.each(DEATHS)(
	'dies $when step $at: an hour later nothing is set aside, and the form still works',
	async (death) => {
		const { send, page, balance, time, accountId } = await sentAndDied(1, death);
		time.now += 60 * MINUTE_MS;
		await runInDurableObject(env.ACCOUNT.getByName(accountId), (object: Account) => {
			object.outside = { ...object.outside, now: () => time.now };
		});
		await runDurableObjectAlarm(env.ACCOUNT.getByName(accountId));
		expect(await balance()).toMatchObject({ reservedCredits: 0 });
		const again = await send();
		assert('id' in again);
		expect(await page(again.id)).toMatchObject({ state: { kind: 'answered', answer: { charged: 1 } } });
		expect(await balance()).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
	},
);

test('a Worker that everybody took for dead changes neither the answer nor the charge of the next one', async () => {
	const { accountId, account, services, time } = await ownerWith(2);
	const request = { address: newAddress(), formId: newFormId() };
	const gate = Promise.withResolvers<void>();
	const slow: VerifyForOwnerServices = {
		...services,
		examine: async (...asked) => {
			await gate.promise;
			return services.examine(...asked);
		},
	};
	const first = await verifyForOwner(slow, { accountId }, request);
	assert(first.kind === 'begun');
	time.now += MINUTE_MS;
	const second = await verifyForOwner(slow, { accountId }, request);
	assert(second.kind === 'begun');
	gate.resolve();
	await Promise.all([first.ended, second.ended]);
	expect((await account.show()).balance).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
	expect(await findVerification(services, { accountId }, { id: second.id })).toMatchObject({
		at: time.now,
		state: { kind: 'answered', answer: { charged: 1 } },
	});
});

test('a form whose answer is forgotten by now is a new verification: there is nothing left to show', async () => {
	const { accountId, account, services, time } = await ownerWith(2);
	await account.keepHistory({ keep: false, now: time.now });
	const request = { address: newAddress(), formId: newFormId() };
	const send = async () => {
		const sent = await verifyForOwner(services, { accountId }, request);
		if (sent.kind === 'begun') await sent.ended;
		return sent.kind;
	};
	expect([await send(), await send()]).toEqual(['begun', 'repeated']);
	await runInDurableObject(env.ACCOUNT.getByName(accountId), (_: Account, { storage: { sql } }) => {
		sql.exec('DELETE FROM verifications');
	});
	time.now += 60 * MINUTE_MS;
	expect(await send()).toBe('begun');
	expect((await account.show()).balance).toMatchObject({ totalConsumed: 2, reservedCredits: 0 });
});
