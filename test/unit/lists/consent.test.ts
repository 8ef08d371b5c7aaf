import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConsent } from '../../../src/core/lists/consent.ts';
import { ALONE, examineAddresses } from '../../../src/engine/examine-address.ts';
import { lookUpMail } from '../../../src/engine/look-up-mail.ts';
import type { Question } from '../../../src/engine/question.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { NO_DOUBT } from '../../support/unit/fake-standing.ts';
import { addressOf, fakeRandomness } from '../../support/unit/mail-servers.ts';

// What an owner publishes at _verify.example.com.

test.each<[string, boolean]>([
	['v=ev1; ask=no', true],
	['V=EV1;ASK=NO', true],
	[' v = ev1 ; contact=postmaster@acme.test ; ask = no ; ', true],
	['v=ev1; ask=yes', false],
	['v=ev1', false],
	['v=ev2; ask=no', false],
	['ask=no; v=ev1', false],
	['ask=no', false],
	['v=ev1; ask=nope', false],
	['v=ev1 ask=no', false],
	['v=spf1 -all', false],
	['', false],
	[`v=ev1; ${'x'.repeat(1_100)}; ask=no`, false],
])('%j asks to be left alone: %s', (record, refuses) => {
	expect(readConsent([record]).mayAsk).toBe(!refuses);
	expect(readConsent(['v=spf1 -all', record]).mayAsk).toBe(!refuses);
});

test.each<[string[], number | null]>([
	[['v=ev1; rate=30'], 30],
	[['v=ev1; ask=yes; RATE = 30 '], 30],
	[['v=ev1; rate=30', 'v=ev1; rate=10'], 10],
	// So slow that a list would wait for days.
	[['v=ev1; rate=1'], 6],
	[['v=ev1; rate=ten'], null],
	[['v=ev1; rate=-1'], null],
	[['v=ev1; rate=1e9'], null],
	[['rate=30'], null],
	[['v=ev1'], null],
])('%j wishes for %s addresses a minute', (records, perMinute) => {
	expect(readConsent(records)).toEqual({ mayAsk: true, perMinute });
});

test('a rate of none is a no', () => {
	expect(readConsent(['v=ev1; rate=0']).mayAsk).toBe(false);
});

test('no text of strangers breaks it, and none without the version refuses', () => {
	const pieces = fc.constantFrom('v', '=', 'ev1', ';', 'ask', 'no', ' ', '\u0000', '"', 'é', ';;;', '==');
	const hostile = fc.oneof(
		fc.string(),
		fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
	);
	fc.assert(
		fc.property(fc.array(hostile, { maxLength: 5 }), (records) => {
			if (!readConsent(records).mayAsk)
				expect(records.some((record) => /^\s*v\s*=\s*ev1\s*;/i.test(record))).toBe(true);
		}),
	);
});

/** Looks up a domain whose record at _verify answers after a time; says what was looked up there, and how long it took. */
async function look(domain: string, answersAfterMs: number) {
	const zone = { mx: ['10 mx.acme.test'] };
	const resolver = fakeResolver({ [domain]: zone, 'mx.acme.test': { a: ['198.51.101.7'] } });
	const asked: string[] = [];
	let slept = 0;
	const clock = {
		now: () => 0,
		sleep: (ms: number) => {
			slept = ms;
			// The shorter of two sleeps ends first.
			return ms < answersAfterMs ? Promise.resolve() : new Promise<void>(() => {});
		},
	};
	const records = {
		look: (name: string) => {
			asked.push(name);
			const answer = { kind: 'records', records: ['v=ev1; ask=no'] } as const;
			const looked = { answer, ttlSeconds: 60 };
			return answersAfterMs > 1_000 ? new Promise<typeof looked>(() => {}) : Promise.resolve(looked);
		},
	};
	const ports = { resolver, records, clock, addressPolicy: PUBLIC_ONLY };
	const { consent } = await lookUpMail(ports, domain, 1_000);
	return { mayAsk: consent?.mayAsk, asked, slept };
}

test('the record is looked up with the mail of the domain', async () => {
	expect(await look('acme.test', 0)).toMatchObject({ mayAsk: false, asked: ['_verify.acme.test'] });
});

test('an answer waits a quarter of a second for it, not for name servers that never answer', async () => {
	expect(await look('acme.test', 60_000)).toMatchObject({ mayAsk: undefined, slept: 250 });
});

test('the own domains of large operators cost no such question', async () => {
	expect(await look('gmail.com', 0)).toMatchObject({ mayAsk: true, asked: [] });
});

test.each([
	['a call', false, 0, 30],
	['a call, but not if it is late', false, 1, undefined],
	['a list', true, 0, 30],
	['a list, late as well', true, 1, 30],
] as const)('the wish for a rate goes with the question of %s', async (_, isForList, late, wished) => {
	const asked: (number | undefined)[] = [];
	const answer = { kind: 'records', records: ['v=ev1; rate=30'] } as const;
	// Late: after all that calls wait for.
	const sleep = (ms: number): Promise<void> => new Promise((end) => void (ms <= 250 && setImmediate(end)));
	const ports = {
		...fakeLookups(),
		clock: { ...fakeClock(), sleep },
		resolver: fakeResolver({ 'x.test': { mx: ['10 mx1.x.test'] }, 'mx1.x.test': { a: ['8.8.8.1'] } }),
		records: {
			look: async () => {
				for (let turn = 0; turn < 5 * late; turn += 1) await new Promise<void>(setImmediate);
				return { answer, ttlSeconds: 60 };
			},
		},
		prober: {
			ask: ({ perMinute }: Question) => {
				asked.push(perMinute);
				const answers = [{ kind: 'no_connect', egress: 'e', tried: 1 } as const];
				return Promise.resolve({ answers, trace: [], tried: [] });
			},
		},
		randomness: fakeRandomness(),
		domainMemory: NO_DOUBT,
		addressPolicy: PUBLIC_ONLY,
		disposable: { has: () => Promise.resolve(false) },
	};
	const settings = { budgetMs: 15_000 };
	const mail = await lookUpMail(ports, 'x.test', ports.clock.now() + settings.budgetMs, isForList);
	const manner = { ...ALONE, asker: 'acc_1', mail, ownOutcomeOf: () => null };
	await examineAddresses(ports, settings, [addressOf('ada@x.test')], manner);
	expect(asked).toEqual([wished]);
});
