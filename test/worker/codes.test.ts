import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/core/address/parse-address.ts';
import { CODE_MS, CODE_TRIES, digestOfToken } from '../../src/core/identity/tokens.ts';
import { THROTTLES } from '../../src/core/identity/throttles.ts';
import { deleteAccount, sweepIdentity } from '../../src/operations/people/settings.ts';
import { findSession, signIn } from '../../src/operations/people/sign-in.ts';
import { throttle } from '../../src/operations/people/steps/throttle.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import {
	BASE,
	ask,
	askFor,
	codeIn,
	enter,
	fullAt,
	makeIdentity,
	newAddress,
	newFormId,
	newPerson,
	rowsWith,
	type,
} from '../support/identity.ts';
import type { Identity } from '../support/identity.ts';
import { dying, wrapAll } from '../support/wrap.ts';

// Codes in mails and the attacks on them, on the real database and account objects, with a clock of the test.

/** A code of the same six digits that is another one. */
function wrong(code: string): string {
	return code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
}

/** How an attack on a code ends. */
type Attack = (
	identity: Identity,
	asked: { readonly challenge: string; readonly code: string },
) => Promise<string>;

/** One account with the credits of one trial. */
async function expectOneAccount({ services }: Identity, { email }: Address): Promise<void> {
	const found = await services.directory.findAccountsOf([email]);
	expect(found).toHaveLength(1);
	const { balance } = await services.accounts(found[0]?.id ?? '').show();
	expect(balance).toMatchObject({ balance: 100, transactionCount: 1 });
}

const kindOf = async (result: Promise<{ kind: string }>): Promise<string> => (await result).kind;

describe('a code', () => {
	test('is six digits in the mail, in its header and in its link, and no row has it or its challenge', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const { challenge, code } = await askFor(identity, address);
		const [mail] = identity.mails;
		expect(mail).toMatchObject({ to: address.email, headers: { 'OTP-Token': code } });
		expect(mail?.text).toContain(`${BASE}/dashboard/sign-in/code?code=${code}`);
		expect(await rowsWith(challenge)).toEqual([]);
		const { results } = await env.DB.prepare('SELECT * FROM codes WHERE email = ?').bind(address.email).all();
		expect(JSON.stringify(results)).not.toContain(`"${code}"`);
	});

	test('may be typed with spaces and hyphens; a slip that is no code costs no try', async () => {
		const identity = makeIdentity();
		const { challenge, code } = await askFor(identity, newAddress());
		for (let n = 0; n < CODE_TRIES + 1; n += 1)
			expect((await type(identity, { challenge, code: '12345' })).kind).toBe('wrong_code');
		const spelled = `${code.slice(0, 3)} - ${code.slice(3)}`;
		expect((await type(identity, { challenge, code: spelled })).kind).toBe('signed_in');
	});

	test('by a form that is sent twice is one mail; the same form with a corrected address is another', async () => {
		const identity = makeIdentity();
		const [formId, address] = [newFormId(), newAddress()];
		const [one, two] = [await ask(identity, address, { formId }), await ask(identity, address, { formId })];
		expect([one, two]).toMatchObject([{ isNew: true }, { isNew: false }]);
		expect(one.kind === 'sent' && two.kind === 'sent' && one.challenge === two.challenge).toBe(true);
		expect(identity.mails).toHaveLength(1);
		await ask(identity, newAddress(), { formId });
		expect(identity.mails).toHaveLength(2);
	});

	test('whose mail fails is taken back: the same form may be sent again', async () => {
		const identity = makeIdentity();
		const [formId, address] = [newFormId(), newAddress()];
		const services = {
			...identity.services,
			mailer: { requireReady: () => {}, send: () => Promise.reject(new Error('no route')) },
		};
		await expect(ask(identity, address, { formId, services })).rejects.toThrow('was not sent');
		expect(await rowsWith(address.email)).toEqual([]);
		expect(await ask(identity, address, { formId })).toMatchObject({ kind: 'sent', isNew: true });
	});

	test('is swept with its address once it ended', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		await askFor(identity, address);
		identity.time.now += CODE_MS - 1;
		await sweepIdentity(identity.services);
		expect(await rowsWith(address.email)).toEqual(['codes']);
		identity.time.now += 1;
		await sweepIdentity(identity.services);
		expect(await rowsWith(address.email)).toEqual([]);
	});

	test('is asked for with the same answer, work and mail whether the address has an account or not', async () => {
		const identity = makeIdentity();
		const [known, unknown] = [newAddress(), newAddress()];
		await newPerson(identity, known);
		const told = async (address: typeof known) => {
			const { work, services } = counted(identity.services);
			const { kind } = await ask(identity, address, { services });
			const { subject, text, headers } = identity.mails.at(-1) ?? { subject: '', text: '' };
			const code = codeIn({ text });
			expect(headers).toEqual({ 'OTP-Token': code });
			return { kind, work, mail: [subject, text].join('\n').replaceAll(code, '…') };
		};
		const ofKnown = await told(known);
		expect(ofKnown.work).toContain('people.insertCode');
		expect(await told(unknown)).toEqual(ofKnown);
	});

	/** Types the code in a browser with this challenge. */
	const withChallenge =
		(find: (id: Identity) => Promise<string | null>): Attack =>
		async (id, { code }) =>
			kindOf(type(id, { challenge: await find(id), code }));
	const after =
		(ms: number): Attack =>
		(id, asked) => {
			id.time.now += ms;
			return kindOf(type(id, asked));
		};
	const afterWrong =
		(times: number): Attack =>
		async (id, { challenge, code }) => {
			for (let n = 0; n < times; n += 1)
				expect(await kindOf(type(id, { challenge, code: wrong(code) }))).toBe('wrong_code');
			return kindOf(type(id, { challenge, code }));
		};
	const usedAgain =
		(meanwhile: (id: Identity, person: Awaited<ReturnType<typeof enter>>) => Promise<unknown>): Attack =>
		async (id, asked) => {
			await meanwhile(id, await enter(id, asked));
			return kindOf(type(id, asked));
		};
	const newestId = 'SELECT id FROM codes ORDER BY expires_at DESC, rowid DESC';

	test.each<[name: string, attack: Attack, ends: string]>([
		['in another browser, though it is right', withChallenge(async () => null), 'code_ended'],
		[
			'in a browser that asked for a code of its own',
			withChallenge(async (id) => (await askFor(id, newAddress())).challenge),
			'wrong_code',
		],
		['in a browser with an invented challenge', withChallenge(async () => 'A'.repeat(43)), 'code_ended'],
		[
			'with the digest of the database as challenge',
			withChallenge(() => env.DB.prepare(newestId).first<string>('id')),
			'code_ended',
		],
		['at its last millisecond', after(CODE_MS - 1), 'signed_in'],
		['after twenty minutes', after(CODE_MS), 'code_ended'],
		['after five wrong ones', afterWrong(CODE_TRIES), 'code_ended'],
		['after four wrong ones', afterWrong(CODE_TRIES - 1), 'signed_in'],
		[
			'guessed thirty times at once',
			async (id, { challenge, code }) => {
				const guesses = Array.from({ length: 30 }, () => kindOf(type(id, { challenge, code: wrong(code) })));
				const kinds = await Promise.all(guesses);
				return String(kinds.filter((kind) => kind === 'wrong_code').length);
			},
			String(CODE_TRIES),
		],
		[
			'used again after its session was signed out',
			usedAgain(({ services }, { token }) => services.sessions.remove(digestOfToken(token))),
			'code_ended',
		],
		[
			'used again after the account was deleted',
			usedAgain(({ services }, { signedIn }) => deleteAccount(services, signedIn)),
			'code_ended',
		],
		[
			'of a change of address, to sign in',
			async (id) => {
				const { signedIn } = await newPerson(id);
				return kindOf(type(id, await askFor(id, newAddress(), { mover: signedIn.user })));
			},
			'code_ended',
		],
	])('typed %s', async (_, attack, ends) => {
		const identity = makeIdentity();
		expect(await attack(identity, await askFor(identity, newAddress()))).toBe(ends);
	});

	test('typed twice at once opens one account and one session, with one token', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const asked = await askFor(identity, address);
		const results = await Promise.all([type(identity, asked), type(identity, asked)]);
		const tokens = results.map((result) => (result.kind === 'signed_in' ? result.token : result.kind));
		expect(tokens[0]).toBe(tokens[1]);
		const user = await identity.services.people.findByLoginName(address.email);
		expect(await identity.services.sessions.list(user?.id ?? '', identity.time.now)).toHaveLength(1);
		await expectOneAccount(identity, address);
	});

	test('typed in two browsers at once, for a new address, opens one account', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const asked = [await askFor(identity, address), await askFor(identity, address)];
		const results = await Promise.all(asked.map((each) => type(identity, each)));
		expect(results.map(({ kind }) => kind)).toEqual(['signed_in', 'signed_in']);
		await expectOneAccount(identity, address);
	});

	test('that is right ends the session which the browser had, and takes over no token it brought along', async () => {
		const identity = makeIdentity();
		const earlier = await newPerson(identity);
		const asked = await askFor(identity, newAddress());
		const browser = { client: 'here', device: 'Firefox on Linux', earlierToken: earlier.token };
		const result = await signIn(identity.services, {
			...browser,
			challenge: asked.challenge,
			typed: asked.code,
		});
		expect(result.kind === 'signed_in' && ![earlier.token, asked.challenge].includes(result.token)).toBe(
			true,
		);
		expect(await findSession(identity.services, earlier.token)).toBeNull();
	});
});

describe('guessing over many codes', () => {
	const guess = async (identity: Identity, address = newAddress(), client?: string): Promise<string> => {
		const { challenge, code } = await askFor(identity, address, { client: crypto.randomUUID() });
		return kindOf(type(identity, { challenge, code: wrong(code) }, client));
	};

	test('of one mailbox ends for a day, wherever it comes from; a right code forgives', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const { limit, windowMs } = THROTTLES.type_code.account;
		const begin = identity.time.now;
		let guesses = 0;
		for (let asks = 0; guesses < limit; asks += 1) {
			const { challenge, code } = await askFor(identity, address);
			for (let n = 0; n < CODE_TRIES && guesses < limit; n += 1, guesses += 1)
				expect((await type(identity, { challenge, code: wrong(code) })).kind).toBe('wrong_code');
			if (asks % 3 === 2) identity.time.now += HOUR_MS;
		}
		expect(await type(identity, await askFor(identity, address))).toMatchObject({ kind: 'throttled' });
		identity.time.now = begin + windowMs + HOUR_MS;
		expect(await guess(identity, address)).toBe('wrong_code');
		expect((await type(identity, await askFor(identity, address))).kind).toBe('signed_in');
		for (let n = 0; n < THROTTLES.ask_code.account.limit; n += 1)
			expect(await guess(identity, address)).toBe('wrong_code');
	});

	test('of many mailboxes ends for a network, and in all', async () => {
		const identity = makeIdentity();
		const { limit } = THROTTLES.type_code.client;
		const { challenge, code } = await askFor(identity, newAddress());
		for (let n = 0; n < limit; n += 1)
			await throttle(identity.services, 'type_code', { client: '192.0.2', account: crypto.randomUUID() });
		expect((await type(identity, { challenge, code }, '192.0.2.77')).kind).toBe('throttled');
		expect((await type(identity, { challenge, code }, '198.51.100.1')).kind).toBe('signed_in');
		const services = fullAt(identity, THROTTLES.type_code_all.account.limit);
		expect((await type({ services }, await askFor(identity, newAddress()))).kind).toBe('throttled');
	});
});

/** The services, and what was asked of them, in order. */
function counted(services: Identity['services']) {
	const work: string[] = [];
	const watched = <Port extends object>(port: string, of: Port): Port =>
		wrapAll(of, (name, method) => (...args) => {
			work.push(`${port}.${name}`);
			return method(...args);
		});
	const { people, sessions, attempts, accounts, directory, mailer } = services;
	const watching: Identity['services'] = {
		...services,
		later: () => void work.push('later'),
		people: watched('people', people),
		sessions: watched('sessions', sessions),
		attempts: watched('attempts', attempts),
		directory: watched('directory', directory),
		mailer: watched('mailer', mailer),
		accounts: (accountId) => watched('account', accounts(accountId)),
	};
	return { work, services: watching };
}

describe('a right code whose account is made half-way', () => {
	const STEPS = [
		['people', 'insert'],
		['attempts', 'count'],
		['directory', 'insertAccount'],
		['people', 'useCode'],
		['sessions', 'find'],
	] as const;
	const cases = STEPS.flatMap(([port, step]) =>
		(['before', 'after'] as const).flatMap((when) => [
			[when, port, step, 'the same code'] as const,
			[when, port, step, 'another code'] as const,
		]),
	);

	test.each(cases)('by a death %s %s.%s is finished by %s, and grants once', async (when, port, step, by) => {
		const identity = makeIdentity();
		const address = newAddress();
		const asked = await askFor(identity, address);
		const wrap = dying(when, (name, [, window]) => {
			// Only the window of the trial is as long as this one.
			const isTrial = ((window as { windowMs?: number } | undefined)?.windowMs ?? 0) >= 90 * DAY_MS;
			return name === step && (step !== 'count' || isTrial);
		});
		const services = { ...identity.services, [port]: wrapAll<object>(identity.services[port], wrap) };
		await expect(type({ services }, asked)).rejects.toThrow('died');
		const next = by === 'the same code' ? asked : await askFor(identity, address);
		expect((await type(identity, next)).kind).toBe('signed_in');
		await expectOneAccount(identity, address);
	});
});
