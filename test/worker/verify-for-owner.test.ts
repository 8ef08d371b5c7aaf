import { assert, expect, test, vi } from 'vitest';
import { findVerification, listVerifications } from '../../src/operations/verify/history.ts';
import { verifyForOwner } from '../../src/operations/verify/verify-for-owner.ts';
import type { VerifyForOwnerServices } from '../../src/operations/verify/verify-for-owner.ts';
import * as sample from '../support/dashboard/samples.ts';
import { addressOf, newAddress, newFormId } from '../support/identity.ts';
import { ownerWith } from '../support/owner.ts';
import { eventually } from '../support/patience.ts';

// An address verified at the dashboard: once for each form, and only what was begun counts as sent.

test.each([
	['a millisecond apart', 1, 1],
	// The account takes them for one call that is repeated on its way.
	['in the same millisecond', 0, 10],
])('a form that is sent ten times %s is charged once and leads to one answer', async (_, apartMs, begun) => {
	const { account, verify, find, time } = await ownerWith(20);
	const formId = newFormId();
	const sending = Array.from({ length: 10 }, () => {
		time.now += apartMs;
		return verify(formId);
	});
	const kinds = await Promise.all(sending);
	expect(kinds.filter((kind) => kind === 'begun')).toHaveLength(begun);
	expect(await verify(formId)).toBe('repeated');
	expect((await find(formId))?.state).toMatchObject({ kind: 'answered', answer: { charged: 1 } });
	expect((await account.show()).balance).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
});

test('a form that a browser brought back takes another address, which is another verification', async () => {
	const { account, verify } = await ownerWith(20);
	const formId = newFormId();
	expect(await verify(formId)).toBe('begun');
	expect(await verify(formId, newAddress())).toBe('begun');
	expect((await account.show()).balance).toMatchObject({ totalConsumed: 2, reservedCredits: 0 });
});

test('a form that was refused may be sent again: nothing was verified yet', async () => {
	const { account, addresses, verify, time } = await ownerWith(0);
	const formId = newFormId();
	expect(await verify(formId)).toBe('insufficient_credits');
	expect(await verify(formId)).toBe('insufficient_credits');
	await account.grant({ id: 'more', credits: 2, now: time.now });
	await account.suspend({ at: time.now });
	expect(await verify(formId)).toBe('shut');
	await account.suspend({ at: null });
	await account.setLimits({ default: 0 });
	expect(await verify(formId)).toBe('rate_limited');
	expect(await addresses()).toBe(0);
	await account.setLimits({ default: 10 });
	expect(await verify(formId)).toBe('begun');
	expect(await verify(formId)).toBe('repeated');
});

test('the address stands in the bucket, and the account keeps the answer without it', async () => {
	const { accountId, verify, find, world, services } = await ownerWith(2);
	const [ada, info] = [addressOf('ada.lovelace@gmial.com'), addressOf('info@inbox.test')];
	const role = { signal: 'role', effect: 5, text: 'Nearly every company has a mailbox of this name.' };
	const breakdown = {
		...sample.breakdown,
		mailbox: { score: 5, signals: ['role'] },
		explanations: [role],
	};
	await verify('of ada', ada);
	world.breakdown = breakdown;
	await verify('of info', info);
	const kept = JSON.stringify([(await find('of ada'))?.state, (await find('of info'))?.state]);
	expect(kept).toContain('answered');
	for (const trace of ['lovelace', 'info']) expect(kept).not.toContain(trace);
	const { verifications } = await listVerifications(services, { accountId }, { page: 0, pageSize: 9 });
	const whole = new Map(
		verifications.map(({ email, state }) => [email, state.kind === 'answered' ? state.answer : null]),
	);
	expect(whole.get(ada.email)?.result).toMatchObject({
		email: 'ada.lovelace@gmial.com',
		did_you_mean: 'ada.lovelace@gmail.com',
	});
	expect(whole.get(info.email)).toMatchObject({ result: { email: 'info@inbox.test' }, breakdown });
	const [first] = verifications;
	assert(first !== undefined);
	expect(await findVerification(services, { accountId }, { id: first.id })).toEqual(first);
	await services.verifiedAddresses.remove(accountId, [first.id]);
	expect(await findVerification(services, { accountId }, { id: first.id })).toBeNull();
	expect((await listVerifications(services, { accountId }, { page: 0, pageSize: 9 })).verifications).toEqual(
		verifications.slice(1),
	);
});

test('a form whose address could not be stored costs nothing, and may be sent again', async () => {
	const { account, accountId, address, verify, services } = await ownerWith(1);
	const formId = newFormId();
	const put = () => Promise.reject(new Error('the bucket is out'));
	const without = { ...services, verifiedAddresses: { ...services.verifiedAddresses, put } };
	await expect(verifyForOwner(without, { accountId }, { address, formId })).rejects.toThrow('bucket');
	expect((await account.show()).balance).toMatchObject({ availableCredits: 1, reservedCredits: 0 });
	expect(await verify(formId)).toBe('begun');
});

test('a failure of ours sets the credit free, and says so in place of an answer', async () => {
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	const { account, address, verify, find, world } = await ownerWith(1);
	world.isOut = true;
	const failed = newFormId();
	expect(await verify(failed)).toBe('begun');
	expect((await find(failed))?.state).toEqual({ kind: 'failed' });
	expect((await account.show()).balance).toMatchObject({ availableCredits: 1, reservedCredits: 0 });
	expect(JSON.stringify(logged.mock.calls)).toContain('verification_failed');
	expect(JSON.stringify(logged.mock.calls)).not.toContain(address.email);
	logged.mockRestore();
	world.isOut = false;
	const formId = newFormId();
	expect(await verify(formId)).toBe('begun');
	expect((await find(formId))?.state).toMatchObject({ kind: 'answered' });
});

test('whoever looks while it is under way sees the step that is being taken', async () => {
	const { accountId, account, address, services, time } = await ownerWith(1);
	const gate = Promise.withResolvers<void>();
	const slow: VerifyForOwnerServices = {
		...services,
		examine: async (asked, asker, options) => {
			const route = { kind: 'hosts', hosts: ['mx.x.test'], implicit: false } as const;
			options?.trace?.({ step: 'route', route, operator: null });
			await gate.promise;
			return services.examine(asked, asker, options);
		},
	};
	const formId = newFormId();
	const outcome = await verifyForOwner(slow, { accountId }, { address, formId });
	assert(outcome.kind === 'begun');
	const state = async () => (await account.findVerification({ id: outcome.id, now: time.now }))?.state;
	await eventually(async () =>
		expect(await state()).toEqual({
			kind: 'under_way',
			progress: { at: 'server', host: 'mx.x.test' },
		}),
	);
	gate.resolve();
	await outcome.ended;
	expect(await state()).toMatchObject({ kind: 'answered' });
});
