import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/core/address/parse-address.ts';
import { TRIAL_AGAIN, THROTTLES } from '../../src/core/identity/throttles.ts';
import { deleteAccount } from '../../src/operations/people/settings.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { ask, fullAt, makeIdentity, newAddress, newPerson } from '../support/identity.ts';
import { addressOf } from '../support/unit/mail-servers.ts';
import type { Identity } from '../support/identity.ts';
import type { MailRoute } from '../../src/core/dns/find-mail-exchangers.ts';
import { ServiceError } from '../../src/errors.ts';

// What a new account begins with, on the real database and account objects.

/** The credits that a new person begins with, and what is said of them; who is `leaving` deletes the account again. */
async function trialOf(identity: Identity, address: Address, leaving: 'leaving' | 'staying' = 'leaving') {
	const { signedIn, trial } = await newPerson(identity, address);
	const { balance } = await identity.services.accounts(signedIn.user.accountId).show();
	if (leaving === 'leaving') await deleteAccount(identity.services, signedIn);
	return [trial, balance.totalPurchased];
}

const GRANTED = ['granted', 100];
const HAD = ['had', 0];

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
	test('come once to a mailbox, and are spoken of: not again by deleting the account, nor under a tag', async () => {
		const identity = makeIdentity();
		const name = `person-${crypto.randomUUID().slice(0, 8)}`;
		expect(await trialOf(identity, addressOf(`${name}@inbox.test`))).toEqual(GRANTED);
		expect(await trialOf(identity, addressOf(`${name}@inbox.test`))).toEqual(HAD);
		expect(await trialOf(identity, addressOf(`${name}+again@Inbox.test`))).toEqual(HAD);
		expect(await trialOf(identity, addressOf(`${name}@elsewhere.test`))).toEqual(GRANTED);
	});

	test('come to three accounts of one owner’s domain, then on request; a provider’s customers are not counted', async () => {
		const identity = makeIdentity();
		const owned = `owned-${crypto.randomUUID().slice(0, 8)}.test`;
		const trials = [];
		for (const domain of [owned, `eu.${owned}`, owned, `us.${owned}`]) {
			const address = addressOf(`p${crypto.randomUUID().slice(0, 8)}@${domain}`);
			trials.push(await trialOf(identity, address, 'staying'));
		}
		expect(trials).toEqual([GRANTED, GRANTED, GRANTED, ['on_request', 0]]);
		for (let n = 0; n < 5; n += 1) expect(await trialOf(identity, newAddress())).toEqual(GRANTED);
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
		expect(await trialOf(identity, address)).toEqual(GRANTED);
		// The window begins with the account, and ends up to five hours late.
		identity.time.now += TRIAL_AGAIN.windowMs - HOUR_MS;
		expect(await trialOf(identity, address)).toEqual(HAD);
		identity.time.now += 6 * HOUR_MS;
		expect(await trialOf(identity, address)).toEqual(GRANTED);
	});
});

// We are a verifier: a sign-up whose confirmation could never arrive is refused, with a word that helps.

let people = 0;

async function askAt(identity: Identity, domain: string, how: Parameters<typeof ask>[2] = {}) {
	people += 1;
	return (await ask(identity, addressOf(`person${people}@${domain}`), how)).kind;
}

describe('a domain', () => {
	test.each<[name: string, route: MailRoute, kind: string]>([
		['that does not exist', { kind: 'no_such_domain' }, 'no_mail'],
		['that says it takes no mail (RFC 7505)', { kind: 'null_mx' }, 'no_mail'],
		['with neither mail hosts nor addresses', { kind: 'no_mail_host' }, 'no_mail'],
		['whose DNS does not answer', { kind: 'undetermined', cause: 'timeout' }, 'sent'],
		['whose DNS fails', { kind: 'undetermined', cause: 'server_failure' }, 'sent'],
		['that is its own mail host', { kind: 'hosts', hosts: ['a.test'], implicit: true }, 'sent'],
	])('%s', async (_, route, kind) => {
		const identity = makeIdentity();
		identity.routes.set('a.test', route);
		expect(await askAt(identity, 'a.test')).toBe(kind);
		expect(identity.mails).toHaveLength(kind === 'no_mail' ? 0 : 1);
	});

	test('is let pass while no resolver can be reached: that is our outage, and proves nothing', async () => {
		const identity = makeIdentity();
		const lookUpMail = (): Promise<never> =>
			Promise.reject(new ServiceError('upstream_unavailable', 'No DNS resolver can be reached'));
		expect(await askAt(identity, 'a.test', { services: { ...identity.services, lookUpMail } })).toBe('sent');
	});

	test('of throw-away addresses is refused only where the service is told so', async () => {
		const identity = makeIdentity();
		expect(await askAt(identity, 'mailinator.com')).toBe('disposable');
		const open = { ...identity.services, refusesDisposable: false };
		expect(await askAt(identity, 'mailinator.com', { services: open })).toBe('sent');
	});
});

describe('the DNS', () => {
	test('is asked by nobody who is over the limit of sign-ups', async () => {
		const identity = makeIdentity();
		const { limit } = THROTTLES.ask_code.client;
		const kinds: string[] = [];
		for (let n = 0; n <= limit; n += 1)
			kinds.push(await askAt(identity, `d${n}.test`, { client: 'one place' }));
		expect(kinds.filter((kind) => kind === 'throttled')).toHaveLength(1);
		expect(identity.lookedUp).toHaveLength(limit);
	});

	test('is asked so often an hour for all anonymous visitors together; beyond it a sign-up is let pass', async () => {
		const identity = makeIdentity();
		identity.routes.set('gone.test', { kind: 'no_such_domain' });
		expect(await askAt(identity, 'gone.test')).toBe('no_mail');
		const services = fullAt(identity, THROTTLES.look_up_domain.account.limit);
		expect(await askAt(identity, 'gone.test', { services })).toBe('sent');
	});
});

test('mails to one domain’s owner are thirty an hour, under however many names below it', async () => {
	const identity = makeIdentity();
	const kinds: string[] = [];
	for (let n = 0; n < 31; n += 1) kinds.push(await askAt(identity, `team${n % 3}.flooded.test`));
	expect(kinds.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'sent'));
	expect(kinds[30]).toBe('throttled');
	expect(identity.mails).toHaveLength(30);
	expect(await askAt(identity, 'calm.test')).toBe('sent');
});

test('three mails an hour go to one mailbox, however its tags are spelled, to sign in or to move there', async () => {
	const identity = makeIdentity();
	const { signedIn } = await newPerson(identity);
	const kinds: string[] = [];
	for (const [tag, mover] of [
		['', null],
		['+a', signedIn.user],
		['+b', null],
		['+c', null],
		['+d', signedIn.user],
	] as const)
		kinds.push((await ask(identity, addressOf(`tagged${tag}@inbox.test`), { mover })).kind);
	expect(kinds).toEqual(['sent', 'sent', 'sent', 'throttled', 'throttled']);
});

test('a customer whose domain became known as disposable still signs in', async () => {
	const identity = makeIdentity();
	const address = addressOf(`p${crypto.randomUUID().slice(0, 8)}@mailinator.com`);
	const open = { ...identity.services, refusesDisposable: false };
	await newPerson({ ...identity, services: open }, address);
	expect((await ask(identity, address)).kind).toBe('sent');
});
