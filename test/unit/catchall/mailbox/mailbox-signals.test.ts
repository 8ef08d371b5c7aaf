import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	isPersonType,
	MAILBOX_WEIGHTS,
	mailboxSignals,
} from '../../../../src/core/catchall/mailbox/mailbox-signals.ts';

const ACME = { domain: 'acme.example' };

/** The findings, with their points: `role:info +5`. */
function found(localPart: string, facts = ACME): Record<string, number> {
	const signals = mailboxSignals(localPart, facts);
	return Object.fromEntries(signals.map(({ label, points }) => [label, points]));
}

const NOTHING = { 'shape:other': 0 };

describe('names', () => {
	test.each<[string, Record<string, number>]>([
		['peter.schmidt', { 'shape:first.last': 4 }],
		['Peter.Schmidt', { 'shape:first.last': 4 }],
		['peter_schmidt', { 'shape:first_last': 4 }],
		['peter-schmidt', { 'shape:names': 4 }],
		['peterschmidt', { 'shape:firstlast': 4 }],
		['schmidt.peter', { 'shape:last.first': 4 }],
		['peter.m.schmidt', { 'shape:names': 4 }],
		['jean-pierre.dupont', { 'shape:first.last': 4 }],
		['peter.schmidt2', { 'shape:first.last': 4 }],
		['jörg.müller', { 'shape:first.last': 4 }],
		['joerg.mueller', { 'shape:first.last': 4 }],
		['łukasz.wiśniewski', { 'shape:first.last': 4 }],
		['p.schmidt', { 'shape:f.last': 3 }],
		['pschmidt', { 'shape:flast': 3 }],
		['schmidtp', { 'shape:lastf': 3 }],
		['peter.s', { 'shape:first.l': 3 }],
		['peter', { 'shape:first': 2 }],
		['schmidt', { 'shape:last': 2 }],
		['peter.oberhuemer', { 'shape:first.last': 2 }],
		['p_schmidt', { 'shape:name': 2 }],
		// An unknown name costs nothing.
		['oberhuemer', NOTHING],
		['mlindqvistsson.oberhuemer', NOTHING],
		['q.oberhuemer', NOTHING],
		['иван.петров', NOTHING],
		['王小明', NOTHING],
		['p.s', NOTHING],
		['~!', NOTHING],
	])('%s', (localPart, expected) => {
		expect(found(localPart)).toEqual(expected);
	});
});

describe('roles', () => {
	test.each<[string, Record<string, number>]>([
		...['info', 'contact', 'office', 'hello', 'sales', 'support', 'admin'].map(
			(role): [string, Record<string, number>] => [role, { [`role:${role}`]: 5 }],
		),
		['INFO', { 'role:info': 5 }],
		['info+shop', { 'role:info': 5, plus_tag: -4 }],
		['webmaster', { 'role:webmaster': 2 }],
		['billing', { 'role:billing': 2 }],
		['noreply', { 'role:noreply': -8 }],
		['no.reply2', { 'role:noreply': -8 }],
		['infos.weber', { 'shape:first.last': 2 }],
	])('%s', (localPart, expected) => {
		expect(found(localPart)).toEqual(expected);
	});
});

describe('names that are no person’s', () => {
	test.each<[string, Record<string, number>]>([
		['xkqzvwpt', { 'gibberish:strong': -30 }],
		['xkqzvw', { 'gibberish:weak': -12 }],
		['xkqz7v8w9p1t', { 'gibberish:strong': -30, 'digits:4+': -10 }],
		['xkqz7v8w9p1', { 'gibberish:weak': -12, 'digits:4+': -10 }],
		['test', { placeholder: -35 }],
		['Test123', { placeholder: -35 }],
		['test+peter1234', { placeholder: -35, plus_tag: -4 }],
		['no-email', { placeholder: -35 }],
		['none', { placeholder: -35 }],
		['xxx', { placeholder: -35 }],
		['aaaa', { placeholder: -35 }],
		['asdf', { placeholder: -35 }],
		['asdfghjk', { placeholder: -35 }],
		['sdfgh', { placeholder: -35 }],
		['deadbeefdeadbeef', { hash_like: -35 }],
		['u-0f3a9c2d4e5b6071', { hash_like: -35 }],
		['123E4567-e89b-12d3-a456-426614174000', { hash_like: -35 }],
		['bounce+peter=other.example', { hash_like: -35, plus_tag: -4 }],
		['bounces-123456', { hash_like: -35 }],
		['prvs=0123456789=peter', { hash_like: -35 }],
		['SRS0=abcd=xy=other.example=peter', { hash_like: -35 }],
	])('%s', (localPart, expected) => {
		expect(found(localPart)).toEqual(expected);
	});

	test.each([
		['testament', 'longer than the word'],
		['tessa.tester', 'a surname'],
		['n.a', 'initials'],
		['wert', 'keys in a row, and a name'],
		['xx', 'two letters'],
		['deadbeefdeadbee', 'fifteen hexadecimal digits'],
		['hrblck', 'a short name of a company'],
	])('%s is not: %s', (localPart) => {
		expect(Object.values(found(localPart)).every((points) => points > -15)).toBe(true);
		expect(found(localPart)).not.toHaveProperty('placeholder');
		expect(found(localPart)).not.toHaveProperty('hash_like');
	});

	test('a mailbox named after its domain is no gibberish', () => {
		expect(found('xkqzvwpt', { domain: 'xkqzvwpt.co.example' })).toEqual(NOTHING);
		expect(found('xkqz.vwpt', { domain: 'mail.xkqz-vwpt.example' })).toEqual(NOTHING);
		expect(found('xkqzvwpt', { domain: 'xkqzvwp.example' })).toEqual({ 'gibberish:strong': -30 });
	});
});

describe('digits, length and tag', () => {
	test.each<[string, Record<string, number>]>([
		['peter123', { 'shape:first': 2 }],
		['peter1234', { 'shape:first': 2, 'digits:4+': -10 }],
		['p1e2t3e4r', { 'digits:4+': -10 }],
		['123', { 'digits:all': -16 }],
		['12-34', { 'digits:all': -16 }],
		['7', { 'digits:all': -16, 'length:1': -10 }],
		['j', { 'length:1': -10 }],
		['jo', { 'shape:first': 2 }],
		[`oberhuemer.${'oberhuemer'.repeat(2).slice(1)}`, NOTHING],
		[`oberhuemer.${'oberhuemer'.repeat(2)}`, { 'length:30+': -8 }],
		['peter.schmidt+news', { 'shape:first.last': 4, plus_tag: -4 }],
		['+peter', NOTHING],
		['"peter.schmidt"', { 'shape:first.last': 4 }],
	])('%s', (localPart, expected) => {
		expect(found(localPart)).toEqual(expected);
	});
});

test('every weight decides the points of some local part', () => {
	const examples = [
		'peter.schmidt pschmidt peter info billing noreply xkqzvwpt xkqzvw test deadbeefdeadbeef peter1234 123 j',
		`oberhuemer.${'oberhuemer'.repeat(2)} peter+news`,
	]
		.join(' ')
		.split(' ');
	const total = (): number[] =>
		examples.map((one) => mailboxSignals(one, ACME).reduce((sum, { points }) => sum + points, 0));
	const before = total();
	for (const finding of Object.keys(MAILBOX_WEIGHTS) as (keyof typeof MAILBOX_WEIGHTS)[]) {
		MAILBOX_WEIGHTS[finding] += 5;
		const moved = total();
		MAILBOX_WEIGHTS[finding] -= 5;
		expect(moved, finding).not.toEqual(before);
	}
	expect(total()).toEqual(before);
});

const localPart = fc.oneof(
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
	fc.stringMatching(/^[A-Za-z0-9._+=-]{1,64}$/),
	fc.constantFrom('__proto__', 'constructor', 'info', 'test', 'Peter.Schmidt'),
);

test('whatever the local part: one signal of a kind, no address in a text, neutral only when alone', () => {
	fc.assert(
		fc.property(localPart, (text) => {
			const signals = mailboxSignals(text, ACME);
			expect(signals.length).toBeGreaterThan(0);
			expect(new Set(signals.map(({ label }) => label)).size).toBe(signals.length);
			expect(signals.filter(({ points }) => points === 0).length).toBe(
				signals[0]?.label === 'shape:other' ? 1 : 0,
			);
			for (const { group, text: sentence } of signals) {
				expect(group).toBe('mailbox');
				expect(sentence).toMatch(/^[A-Z][^@]*\.$/);
			}
			expect(signals).toEqual(mailboxSignals(text, ACME));
		}),
	);
});

test('letter case and a plus tag change nothing but the tag itself', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[a-z0-9._-]{1,40}$/), fc.stringMatching(/^[g-z]{0,6}$/), (text, tag) => {
			expect(mailboxSignals(text.toUpperCase(), ACME)).toEqual(mailboxSignals(text, ACME));
			fc.pre(!/^bounces?/.test(text));
			const tagged = mailboxSignals(`${text}+${tag}`, ACME).filter(({ label }) => label !== 'plus_tag');
			const plain = mailboxSignals(text, ACME).filter(({ points }) => points !== 0);
			expect(tagged).toEqual(plain);
		}),
	);
});

test.each([
	['peter.schmidt', true],
	['oberhuemer', true],
	['иван', true],
	['info', false],
	['noreply', false],
	['test', false],
	['xkqzvwpt', false],
	['deadbeefdeadbeef', false],
	['1234', false],
])('%s belongs to a person: %s', (text, expected) => {
	expect(isPersonType(text, ACME)).toBe(expected);
});
