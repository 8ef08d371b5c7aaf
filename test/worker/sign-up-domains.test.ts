import { describe, expect, test } from 'vitest';
import type { MailRoute } from '../../src/core/dns/find-mail-exchangers.ts';
import { THROTTLES } from '../../src/core/identity/throttles.ts';
import { ServiceError } from '../../src/errors.ts';
import { signUp } from '../../src/operations/people/sign-up.ts';
import { BASE, PASSWORD, addressOf, makeIdentity, newFormId } from '../support/identity.ts';
import type { Identity } from '../support/identity.ts';

// We are a verifier: a sign-up whose confirmation could never arrive is refused, with a word that helps.

let people = 0;

async function signUpAt(identity: Identity, domain: string, services = identity.services, client?: string) {
	people += 1;
	const address = addressOf(`person${people}@${domain}`);
	const visit = {
		formId: newFormId(),
		visitor: null,
		work: null,
		base: BASE,
		client: client ?? crypto.randomUUID(),
	};
	const result = await signUp(services, { ...visit, address, password: PASSWORD, keepsAddress: true });
	await identity.settled();
	return result.kind;
}

describe('a domain', () => {
	test.each<[name: string, route: MailRoute, kind: string]>([
		['that does not exist', { kind: 'no_such_domain' }, 'no_mail'],
		['that says it takes no mail (RFC 7505)', { kind: 'null_mx' }, 'no_mail'],
		['with neither mail hosts nor addresses', { kind: 'no_mail_host' }, 'no_mail'],
		['whose DNS does not answer', { kind: 'undetermined', cause: 'timeout' }, 'look_in_mail'],
		['whose DNS fails', { kind: 'undetermined', cause: 'server_failure' }, 'look_in_mail'],
		['that is its own mail host', { kind: 'hosts', hosts: ['a.test'], implicit: true }, 'look_in_mail'],
	])('%s', async (_, route, kind) => {
		const identity = makeIdentity();
		identity.routes.set('a.test', route);
		expect(await signUpAt(identity, 'a.test')).toBe(kind);
		expect(identity.mails).toHaveLength(kind === 'no_mail' ? 0 : 1);
	});

	test('is let pass while no resolver can be reached: that is our outage, and proves nothing', async () => {
		const identity = makeIdentity();
		const lookUpMail = (): Promise<never> =>
			Promise.reject(new ServiceError('upstream_unavailable', 'No DNS resolver can be reached'));
		expect(await signUpAt(identity, 'a.test', { ...identity.services, lookUpMail })).toBe('look_in_mail');
	});

	test('of throw-away addresses is refused only where the service is told so', async () => {
		const identity = makeIdentity();
		expect(await signUpAt(identity, 'mailinator.com')).toBe('disposable');
		const open = { ...identity.services, refusesDisposable: false };
		expect(await signUpAt(identity, 'mailinator.com', open)).toBe('look_in_mail');
	});
});

describe('the DNS', () => {
	test('is asked by nobody who is over the limit of sign-ups', async () => {
		const identity = makeIdentity();
		const asked: string[] = [];
		const services = {
			...identity.services,
			lookUpMail: async (...about: Parameters<typeof identity.services.lookUpMail>) => {
				asked.push(about[0].domain);
				return identity.services.lookUpMail(...about);
			},
		};
		const { limit } = THROTTLES.sign_up.client;
		const kinds: string[] = [];
		for (let n = 0; n <= limit; n += 1)
			kinds.push(await signUpAt(identity, `d${n}.test`, services, 'one place'));
		expect(kinds.filter((kind) => kind === 'throttled')).toHaveLength(1);
		expect(asked).toHaveLength(limit);
	});

	test('is asked so often an hour for all anonymous visitors together; beyond it a sign-up is let pass', async () => {
		const identity = makeIdentity();
		identity.routes.set('gone.test', { kind: 'no_such_domain' });
		const { attempts } = identity.services;
		const full = { ...identity.services, attempts: { ...attempts, count: attempts.count.bind(attempts) } };
		full.attempts.count = async (key, throttle, now) =>
			throttle.limit === THROTTLES.look_up_sign_up.account.limit
				? { admitted: false, endsAt: now + 1 }
				: attempts.count(key, throttle, now);
		expect(await signUpAt(identity, 'gone.test')).toBe('no_mail');
		expect(await signUpAt(identity, 'gone.test', full)).toBe('look_in_mail');
	});
});

test('mails to one domain’s owner are thirty an hour, under however many names below it', async () => {
	const identity = makeIdentity();
	const kinds: string[] = [];
	for (let n = 0; n < 31; n += 1) kinds.push(await signUpAt(identity, `team${n % 3}.flooded.test`));
	expect(kinds.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'look_in_mail'));
	expect(kinds[30]).toBe('throttled');
	expect(identity.mails).toHaveLength(30);
	expect(await signUpAt(identity, 'calm.test')).toBe('look_in_mail');
});

test('three mails an hour go to one mailbox, however its tags are spelled', async () => {
	const identity = makeIdentity();
	const visit = { visitor: null, work: null, base: BASE, password: PASSWORD, keepsAddress: true };
	const kinds: string[] = [];
	for (const tag of ['', '+a', '+b', '+c']) {
		const address = addressOf(`tagged${tag}@inbox.test`);
		const browser = { formId: newFormId(), client: crypto.randomUUID() };
		kinds.push((await signUp(identity.services, { ...visit, ...browser, address })).kind);
	}
	expect(kinds).toEqual(['look_in_mail', 'look_in_mail', 'look_in_mail', 'throttled']);
});
