import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/core/address/parse-address.ts';
import { TRIAL_AGAIN } from '../../src/core/identity/throttles.ts';
import { deleteAccount } from '../../src/operations/people/settings.ts';
import { findSession } from '../../src/operations/people/sign-in.ts';
import { addressOf, askFor, makeIdentity, newAddress, newPerson, type } from '../support/identity.ts';
import type { Identity } from '../support/identity.ts';

// What a new account begins with, on the real database and account objects.

const HOUR_MS = 3_600_000;

/** The credits that a new person begins with, whose account is deleted again. */
async function creditsOfPerson(identity: Identity, address: Address): Promise<number> {
	const { signedIn } = await newPerson(identity, address);
	const { accountId } = signedIn.user;
	const { balance } = await identity.services.accounts(accountId).show();
	await deleteAccount(identity.services, signedIn);
	return balance.totalPurchased;
}

test('an operator’s account whose making died half-way is opened by the person who takes it over', async () => {
	const identity = makeIdentity();
	const address = newAddress();
	const id = `acc_half_${crypto.randomUUID()}`;
	await identity.services.directory.insertAccount({ id, email: address.email, createdAt: 1 });
	const { signedIn } = await newPerson(identity, address);
	expect(signedIn.user.accountId).toBe(id);
	expect((await identity.services.accounts(id).show()).balance).toMatchObject({ balance: 0 });
});

describe('trial credits', () => {
	test('that are not given again are spoken of', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const first = await type(identity, await askFor(identity, address));
		expect(first).toMatchObject({ kind: 'signed_in', trial: 'granted' });
		const signedIn = await findSession(identity.services, first.kind === 'signed_in' ? first.token : '');
		if (signedIn === null) throw new Error('nobody is signed in');
		await deleteAccount(identity.services, signedIn);
		const second = await type(identity, await askFor(identity, address));
		expect(second).toMatchObject({ kind: 'signed_in', trial: 'had' });
	});

	test('come once to a mailbox: not again by deleting the account, nor under a tag', async () => {
		const identity = makeIdentity();
		const name = `person-${crypto.randomUUID().slice(0, 8)}`;
		expect(await creditsOfPerson(identity, addressOf(`${name}@inbox.test`))).toBe(100);
		expect(await creditsOfPerson(identity, addressOf(`${name}@inbox.test`))).toBe(0);
		expect(await creditsOfPerson(identity, addressOf(`${name}+again@Inbox.test`))).toBe(0);
		expect(await creditsOfPerson(identity, addressOf(`${name}@elsewhere.test`))).toBe(100);
	});

	test('come to three accounts of one owner’s domain, then on request; a provider’s customers are not counted', async () => {
		const identity = makeIdentity();
		const owned = `owned-${crypto.randomUUID().slice(0, 8)}.test`;
		const trials: string[] = [];
		for (const domain of [owned, `eu.${owned}`, owned, `us.${owned}`]) {
			const address = addressOf(`p${crypto.randomUUID().slice(0, 8)}@${domain}`);
			const asked = await askFor(identity, address);
			const first = await type(identity, asked);
			trials.push(first.kind === 'signed_in' ? String(first.trial) : first.kind);
			const user = await identity.services.people.findByLoginName(address.email);
			const { balance } = await identity.services.accounts(user?.accountId ?? '').show();
			expect(balance.totalPurchased).toBe(trials.length <= 3 ? 100 : 0);
		}
		expect(trials.at(-1)).toBe('on_request');
		for (let n = 0; n < 5; n += 1) expect(await creditsOfPerson(identity, newAddress())).toBe(100);
	});

	test('go to the address as it was typed, and so do mails', async () => {
		const identity = makeIdentity();
		const address = addressOf(`A.${crypto.randomUUID().slice(0, 8)}+shop@GoogleMail.com`);
		const { signedIn } = await newPerson(identity, address);
		expect(signedIn.user.email).toBe(address.email);
		expect(identity.mails.at(-1)?.to).toBe(address.email);
		expect((await identity.services.accounts(signedIn.user.accountId).show()).balance.balance).toBe(100);
	});

	test('come again when it was long ago', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		expect(await creditsOfPerson(identity, address)).toBe(100);
		// The window begins with the account, and ends up to five hours late.
		identity.time.now += TRIAL_AGAIN.windowMs - HOUR_MS;
		expect(await creditsOfPerson(identity, address)).toBe(0);
		identity.time.now += 6 * HOUR_MS;
		expect(await creditsOfPerson(identity, address)).toBe(100);
	});
});
