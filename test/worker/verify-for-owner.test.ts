import { env } from 'cloudflare:workers';
import { assert, expect, test } from 'vitest';
import type { Breakdown } from '../../src/core/catchall/breakdown.ts';
import { SILENT } from '../../src/core/metrics/metrics.ts';
import { addressDigests } from '../../src/core/outcomes/outcome.ts';
import { decidedBy, listFacts } from '../../src/core/verification/render.ts';
import { findVerification, listVerifications, verifyForOwner } from '../../src/operations/verify/verify.ts';
import type { VerifyForOwnerServices } from '../../src/operations/verify/verify.ts';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { admissionOf, sqlIn } from '../support/account-jobs.ts';
import * as sample from '../support/dashboard/samples.ts';
import { makeIdentity, newAddress, newFormId } from '../support/identity.ts';
import { addressOf } from '../support/unit/mail-servers.ts';
import { judgementOf } from '../support/judgement-of.ts';
import { dying, wrapAll } from '../support/wrap.ts';

// An address verified at the dashboard: once for each form, whatever dies, and kept for 48 hours.

/** By then a Worker without an answer is taken for dead. */
const AT_WORK_MS = 20_000;
const PAGE = { page: 0, pageSize: 25 };

/** An account whose owner verifies addresses at the dashboard, each of which a mail server accepts. */
async function ownerWith(credits: number) {
	const identity = makeIdentity();
	const accountId = `acc_owner_${crypto.randomUUID()}`;
	const account = identity.services.accounts(accountId);
	await account.open({ now: identity.time.now, initialCredits: credits, key: null });
	const world: { breakdown: Breakdown | null } = { breakdown: null };
	const services = {
		...identity.services,
		metrics: SILENT,
		digestsOf: (...about) => addressDigests(identity.services.signingSecrets, ...about),
		config: { RATE_WINDOW_SECONDS: 900 },
		examineAddresses: async (addresses) => {
			const { breakdown } = world;
			const outcome = decidedBy('smtp', 'accepted_email');
			const judgement = breakdown === null ? null : { ...judgementOf('catch_all_valid'), breakdown };
			return addresses.map((address) => ({ lists: listFacts(address), outcome, judgement }));
		},
	} satisfies VerifyForOwnerServices;
	const address = newAddress();
	const ids = new Map<string, string>();
	const verify = async (formId: string, asked = address, with_: VerifyForOwnerServices = services) => {
		const outcome = await verifyForOwner(with_, { accountId }, { address: asked, formId });
		if ('id' in outcome) ids.set(formId, outcome.id);
		return outcome.kind;
	};
	const find = (formId: string) => findVerification(services, { accountId }, ids.get(formId) ?? '');
	return { account, accountId, address, verify, find, world, services, time: identity.time };
}

type Owner = Awaited<ReturnType<typeof ownerWith>>;

const spentBy = async ({ account }: Owner) => {
	const { totalConsumed, reservedCredits } = (await account.show()).balance;
	return [totalConsumed, reservedCredits];
};

const stored = async ({ accountId }: Owner) =>
	JSON.stringify(await sqlIn(env.ACCOUNT.getByName(accountId), 'SELECT * FROM idempotency'));

test.each([
	['a millisecond apart', 1],
	['in the same millisecond', 0],
])('a form that is sent ten times %s is charged once and leads to one answer', async (_, apartMs) => {
	const owner = await ownerWith(20);
	const { verify, find, time } = owner;
	const formId = newFormId();
	const sending = Array.from({ length: 10 }, () => {
		time.now += apartMs;
		return verify(formId);
	});
	expect(new Set(await Promise.all(sending))).toEqual(new Set(['verified']));
	expect(await verify(formId)).toBe('verified');
	expect(await find(formId)).toMatchObject({ kind: 'answered', answer: { charged: 1 } });
	expect(await spentBy(owner)).toEqual([1, 0]);
});

test('a form that a browser brought back takes another address, which is another verification', async () => {
	const owner = await ownerWith(20);
	const formId = newFormId();
	await owner.verify(formId);
	await owner.verify(formId, newAddress());
	expect(await spentBy(owner)).toEqual([2, 0]);
});

test('a form that was refused may be sent again: nothing was verified yet', async () => {
	const { account, verify, time } = await ownerWith(0);
	const formId = newFormId();
	expect(await verify(formId)).toBe('insufficient_credits');
	expect(await verify(formId)).toBe('insufficient_credits');
	await account.grant({ id: 'more', credits: 2, now: time.now });
	await account.suspend({ at: time.now });
	expect(await verify(formId)).toBe('unauthenticated');
	await account.suspend({ at: null });
	await account.setLimits({ default: 0 });
	expect(await verify(formId)).toBe('rate_limited');
	await account.setLimits({ default: 10 });
	expect(await verify(formId)).toBe('verified');
});

test('whoever looks while it is under way is told so, and after 20 s that it could not be finished', async () => {
	const { address, verify, find, services, time } = await ownerWith(1);
	const gate = Promise.withResolvers<void>();
	const begun = Promise.withResolvers<void>();
	const slow: VerifyForOwnerServices = {
		...services,
		examineAddresses: async (asked) => {
			begun.resolve();
			await gate.promise;
			return services.examineAddresses(asked);
		},
	};
	const formId = newFormId();
	const verifying = verify(formId, address, slow);
	await begun.promise;
	// Sent again meanwhile, as by a second click.
	expect(await verify(formId)).toBe('verified');
	expect(await find(formId)).toEqual({ kind: 'under_way' });
	time.now += AT_WORK_MS;
	expect(await find(formId)).toEqual({ kind: 'failed' });
	gate.resolve();
	await verifying;
	expect(await find(formId)).toMatchObject({ kind: 'answered', answer: { charged: 1 } });
});

test('answers are listed with what they cost, the newest first, and nothing of them is stored but sealed', async () => {
	const owner = await ownerWith(3);
	const { accountId, verify, find, world, services, time } = owner;
	const [ada, info] = [addressOf('ada.lovelace@gmial.com'), addressOf('info@inbox.test')];
	await verify('of ada', ada);
	time.now += 1;
	world.breakdown = sample.breakdown;
	await verify('of info', info);
	for (const trace of ['lovelace', 'gmial', 'info@', 'deliverable'])
		expect(await stored(owner)).not.toContain(trace);
	const first = await listVerifications(services, { accountId }, { page: 0, pageSize: 1 });
	const second = await listVerifications(services, { accountId }, { page: 1, pageSize: 1 });
	expect([first.total, second.total]).toEqual([2, 2]);
	expect([...first.verifications, ...second.verifications]).toMatchObject([
		{ answer: { charged: 1, result: { email: 'info@inbox.test' }, breakdown: sample.breakdown } },
		{ answer: { charged: 1, result: { email: ada.email, did_you_mean: 'ada.lovelace@gmail.com' } } },
	]);
	expect(await find('of info')).toEqual(first.verifications[0]);
});

test('an answer ends after 48 hours, and is in no list then', async () => {
	const { accountId, verify, find, services, time } = await ownerWith(2);
	const formId = newFormId();
	await verify(formId);
	time.now += 48 * HOUR_MS;
	expect(await find(formId)).not.toBeNull();
	time.now += 2 * HOUR_MS;
	expect(await find(formId)).toBeNull();
	expect((await listVerifications(services, { accountId }, PAGE)).total).toBe(0);
});

test('a call with a key is in no list, whatever its key is', async () => {
	const { account, accountId, services, time } = await ownerWith(1);
	const call = { key: 'verify form\u00a0ver_1', fingerprint: 'f' };
	const reservation = { id: 'vfy_1', at: time.now };
	await account.admit({ ...admissionOf('vfy_1', time.now), ...BY_DASHBOARD, call });
	const answer = { sealed: 'text', requestId: 'req_1' };
	await account.settle({
		reservation,
		outcome: 'deliverable',
		now: time.now,
		call: { key: call.key, calledAt: time.now, answer },
	});
	expect((await listVerifications(services, { accountId }, PAGE)).total).toBe(0);
});

test('a Worker that dies before or after any step: the same form sent again leads to one answer and one charge', async () => {
	for (const when of ['before', 'after'] as const) {
		for (const step of ['admit', 'examine', 'settle'] as const) {
			const owner = await ownerWith(1);
			const { address, verify, find, services, time } = owner;
			const wrap = dying(when, (name) => name === step);
			const mortal: VerifyForOwnerServices = {
				...services,
				examineAddresses: wrap('examine', services.examineAddresses),
				accounts: (id) => wrapAll(services.accounts(id), wrap),
			};
			const formId = newFormId();
			await expect(verify(formId, address, mortal), `${when} ${step}`).rejects.toThrow('died');
			time.now += AT_WORK_MS;
			expect(await verify(formId), `${when} ${step}`).toBe('verified');
			const found = await find(formId);
			assert(found?.kind === 'answered', `${when} ${step}`);
			expect(found.answer.charged, `${when} ${step}`).toBe(1);
			expect(await spentBy(owner), `${when} ${step}`).toEqual([1, 0]);
		}
	}
});
