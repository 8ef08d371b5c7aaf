import { SILENT } from '../../src/core/metrics/port.ts';
import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { renderResult, decidedBy } from '../../src/core/verification/render.ts';
import { listFacts } from '../../src/engine/examine-address.ts';
import { addressDigests } from '../../src/core/outcomes/address-digest.ts';
import { verifyForOwner } from '../../src/operations/verify/verify-for-owner.ts';
import type { VerifyForOwnerServices } from '../../src/operations/verify/verify-for-owner.ts';
import { makeIdentity, newAddress, newFormId } from '../support/identity.ts';

// An address verified at the dashboard: once for each form, and only what was begun counts as sent.

async function ownerWith(credits: number) {
	const identity = makeIdentity();
	const accountId = `acc_owner_${crypto.randomUUID()}`;
	const account = identity.services.accounts(accountId);
	await account.open({ now: identity.time.now, initialCredits: credits, key: null });
	const world = { isOut: false };
	const services: VerifyForOwnerServices = {
		...identity.services,
		metrics: SILENT,
		digestsOf: (of, address) => addressDigests(identity.services.signingSecrets, of, address),
		config: { RATE_WINDOW_SECONDS: 900 },
		examine: async (address) => {
			if (world.isOut) throw new ServiceError('upstream_unavailable', 'The egress is out');
			const outcome = decidedBy('smtp', 'accepted_email');
			return {
				result: renderResult(address, listFacts(address), outcome, identity.time.now),
				breakdown: null,
			};
		},
	};
	const verify = async (formId: string) =>
		(await verifyForOwner(services, { accountId }, { address: newAddress(), formId })).kind;
	return { account, verify, world, time: identity.time };
}

test('a form that is sent twice, or ten times at once, is charged once', async () => {
	const { account, verify } = await ownerWith(20);
	const formId = newFormId();
	const kinds = await Promise.all(Array.from({ length: 10 }, () => verify(formId)));
	expect(kinds.filter((kind) => kind === 'verified')).toHaveLength(1);
	expect(await verify(formId)).toBe('repeated');
	expect((await account.show()).balance).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
});

test('a form that was refused may be sent again: nothing was verified yet', async () => {
	const { account, verify, time } = await ownerWith(0);
	const formId = newFormId();
	expect(await verify(formId)).toBe('insufficient_credits');
	expect(await verify(formId)).toBe('insufficient_credits');
	await account.grant({ id: 'more', credits: 2, now: time.now });
	await account.suspend({ at: time.now });
	expect(await verify(formId)).toBe('shut');
	await account.suspend({ at: null });
	await account.setLimits({ default: 0 });
	expect(await verify(formId)).toBe('rate_limited');
	await account.setLimits({ default: 10 });
	expect(await verify(formId)).toBe('verified');
	expect(await verify(formId)).toBe('repeated');
});

test('a failure of ours sets the credit free', async () => {
	const { account, verify, world } = await ownerWith(1);
	world.isOut = true;
	await expect(verify(newFormId())).rejects.toThrow('The egress is out');
	expect((await account.show()).balance).toMatchObject({ availableCredits: 1, reservedCredits: 0 });
	world.isOut = false;
	expect(await verify(newFormId())).toBe('verified');
});
