import { describe, expect, test } from 'vitest';
import { requestPasswordReset } from '../../src/operations/people/reset-password.ts';
import { signIn } from '../../src/operations/people/sign-in.ts';
import { signUp } from '../../src/operations/people/sign-up.ts';
import { BASE, makeIdentity, newAddress, newFormId, newPerson } from '../support/identity.ts';
import type { Identity } from '../support/identity.ts';
import type { Address } from '../../src/core/address/parse-address.ts';

// Who has an account is nobody's business: neither the answer tells, nor how long it takes. Instead of time, which other
// work changes, the work is counted: each hash of a password and each look into the database.

type Services = Identity['services'];

/** The services, and what was asked of them, in order. What happens after the answer is not waited for. */
function counted(services: Services) {
	const work: string[] = [];
	const watched = <Port extends object>(name: string, port: Port): Port =>
		new Proxy(port, {
			get(target, method) {
				const found: unknown = Reflect.get(target, method);
				if (typeof found !== 'function') return found;
				return (...parts: unknown[]): unknown => {
					work.push(`${name}.${String(method)}`);
					return Reflect.apply(found, target, parts);
				};
			},
		});
	const { passwords, people, sessions, attempts, accounts } = services;
	const watching: Services = {
		...services,
		later: () => void work.push('later'),
		people: watched('people', people),
		sessions: watched('sessions', sessions),
		attempts: watched('attempts', attempts),
		accounts: (accountId) => watched('account', accounts(accountId)),
		passwords: {
			isCrowded: () => passwords.isCrowded(),
			inLine: async (who, doIt) => passwords.inLine(who, async (turn) => doIt(watched('password', turn))),
		},
	};
	return { work, watching };
}

const BROWSER = { device: 'Firefox on Linux', browserToken: null };
type Ask = (services: Services, address: Address) => Promise<unknown>;

const ASKS: Readonly<Record<string, Ask>> = {
	'signing in with a wrong password': (services, address) =>
		signIn(services, {
			...BROWSER,
			address,
			password: 'not the right one',
			client: crypto.randomUUID(),
			formId: newFormId(),
			earlierToken: null,
			challengeAnswer: null,
			work: null,
		}),
	'asking for a new password': (services, address) =>
		requestPasswordReset(services, {
			address,
			client: crypto.randomUUID(),
			browserToken: null,
			formId: newFormId(),
			base: BASE,
		}),
	'signing up': (services, address) =>
		signUp(services, {
			address,
			password: 'vellum otter quilt',
			keepsAddress: false,
			work: null,
			client: crypto.randomUUID(),
			formId: newFormId(),
			visitor: 'a browser',
			base: BASE,
		}),
};

describe.each(Object.keys(ASKS))('%s', (name) => {
	test('is answered alike, and after the same work, whether the address has an account or not', async () => {
		const identity = makeIdentity();
		const [known, unknown] = [newAddress(), newAddress()];
		await newPerson(identity, known);
		const told = async (address: Address) => {
			const { work, watching } = counted(identity.services);
			const answer = await ASKS[name]!(watching, address);
			return { answer, work };
		};
		const ofKnown = await told(known);
		expect(ofKnown.work.length).toBeGreaterThan(1);
		expect(await told(unknown)).toEqual(ofKnown);
	});
});

test('signing in costs one hash, whatever the address is', async () => {
	const identity = makeIdentity();
	const { work, watching } = counted(identity.services);
	await ASKS['signing in with a wrong password']!(watching, newAddress());
	expect(work.filter((what) => what.startsWith('password.'))).toEqual(['password.isRight']);
});
