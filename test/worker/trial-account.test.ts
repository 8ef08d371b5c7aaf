import { expect, test } from 'vitest';
import { isMailProvider, ownerDigest } from '../../src/core/identity/login-name.ts';
import { LEASE_MS, admissionOf, jobOf, openAccount } from '../support/account-jobs.ts';

// Accounts that never paid share one part of what mail operators accept, so the account says so with each request.

test('an account is on trial until it has credits that are not those of its trial', async () => {
	const { stub, start: now } = await openAccount(0);
	await stub.grant({ id: 'trial usr_1', credits: 100, now });
	let calls = 0;
	const isTrial = async (): Promise<readonly unknown[]> => {
		calls += 1;
		const admission = await stub.admit(admissionOf(`ver_${calls}`, now));
		const jobId = `job_${calls}`;
		await stub.openJob(jobOf(now, [1], { jobId }));
		const claim = await stub.claimPart({ jobId, part: 0, token: 'a', now, leaseMs: LEASE_MS });
		return [admission, claim].map((said) => ('payer' in said ? said.payer?.isTrial : null));
	};
	expect(await isTrial()).toEqual([true, true]);
	await stub.grant({ id: 'order-1', credits: 1_000, now });
	expect(await isTrial()).toEqual([false, false]);
	await stub.grant({ id: 'refund 1', credits: -1_000, now });
	expect(await isTrial()).toEqual([true, true]);
});

test.each([
	['the domain of its address', 'ada@sub.x.test', 'bob@x.test', true],
	['no owner at a provider for everybody', 'ada@gmail.com', 'bob@gmail.com', false],
])('an account says with each request that it belongs to %s', async (_, email, other, isKnown) => {
	const ownerOf = (address: string) => ownerDigest(address, isMailProvider);
	const { stub, start: now } = await openAccount(5, Date.now(), ownerOf(email));
	const admission = await stub.admit(admissionOf('ver_1', now));
	const owner = 'payer' in admission ? admission.payer?.owner : null;
	expect(owner).toBe(ownerOf(other) ?? undefined);
	expect(owner !== undefined).toBe(isKnown);
});
