import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusesQuestions } from '../../../src/core/lists/consent.ts';
import { lookUpMail } from '../../../src/engine/look-up-mail.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';

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
	expect(refusesQuestions([record])).toBe(refuses);
	expect(refusesQuestions(['v=spf1 -all', record])).toBe(refuses);
});

test('no text of strangers breaks it, and none without the version refuses', () => {
	const pieces = fc.constantFrom('v', '=', 'ev1', ';', 'ask', 'no', ' ', '\u0000', '"', 'é', ';;;', '==');
	const hostile = fc.oneof(
		fc.string(),
		fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
	);
	fc.assert(
		fc.property(fc.array(hostile, { maxLength: 5 }), (records) => {
			if (refusesQuestions(records))
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
			const looked = { answer, ttlSeconds: 60, authenticated: false };
			return answersAfterMs > 1_000 ? new Promise<typeof looked>(() => {}) : Promise.resolve(looked);
		},
	};
	const ports = { resolver, records, clock, addressPolicy: PUBLIC_ONLY };
	const { isOptedOut } = await lookUpMail(ports, domain, 1_000);
	return { isOptedOut, asked, slept };
}

test('the record is looked up with the mail of the domain', async () => {
	expect(await look('acme.test', 0)).toMatchObject({ isOptedOut: true, asked: ['_verify.acme.test'] });
});

test('an answer waits a quarter of a second for it, not for name servers that never answer', async () => {
	expect(await look('acme.test', 60_000)).toMatchObject({ isOptedOut: undefined, slept: 250 });
});

test('the own domains of large operators cost no such question', async () => {
	expect(await look('gmail.com', 0)).toMatchObject({ isOptedOut: undefined, asked: [] });
});
