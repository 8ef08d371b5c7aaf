import { describe, expect, test } from 'vitest';
import { measure } from '../../../src/core/catchall/signals.ts';
import type { AddressFacts, DomainPolicies } from '../../../src/core/catchall/signals.ts';

/** Every signal that moves something: `spf:ok` 1. */
function weights(changes: Partial<AddressFacts>): Record<string, number> {
	const { signals } = measure({
		localPart: 'jane.doe',
		roleAccount: false,
		noReply: false,
		policies: { spf: 'several', dmarc: null },
		...changes,
	});
	const moving = signals.filter(({ points }) => points !== 0);
	expect(new Set(moving.map(({ label }) => label)).size).toBe(moving.length);
	return Object.fromEntries(moving.map(({ label, points }) => [label, points]));
}

describe('the domain', () => {
	test.each<[DomainPolicies['spf'], Record<string, number>]>([
		['ok', { 'spf:ok': 1 }],
		['several', {}],
		['missing', { 'spf:missing': -2 }],
		['sends_no_mail', { 'spf:sends_no_mail': -10 }],
		[null, {}],
	])('SPF %s', (spf, expected) => {
		expect(weights({ policies: { spf, dmarc: null } })).toEqual(expected);
	});

	test.each<[DomainPolicies['dmarc'], Record<string, number>]>([
		['enforced', { 'dmarc:enforced': 2 }],
		['monitored', { 'dmarc:monitored': 1 }],
		['missing', { 'dmarc:missing': -2 }],
		[null, {}],
	])('DMARC %s', (dmarc, expected) => {
		expect(weights({ policies: { spf: null, dmarc } })).toEqual(expected);
	});
});

describe('the local part', () => {
	test.each<[string, Partial<AddressFacts>, Record<string, number>]>([
		['jane.doe', {}, {}],
		['Info', { roleAccount: true }, { role: 5 }],
		['webmaster', { roleAccount: true }, { role: 2 }],
		['noreply', { roleAccount: true, noReply: true }, { noreply: -8 }],
		['test', {}, { placeholder: -35 }],
		['Test123', {}, { placeholder: -35 }],
		['testament', {}, {}],
		['asdfgh', {}, { placeholder: -35 }],
		['deadbeefdeadbeef', {}, { hash_like: -35 }],
		['deadbeefdeadbee', {}, {}],
		['123e4567-e89b-12d3-a456-426614174000', {}, { hash_like: -35, digits: -10, length: -8 }],
		['123', {}, { digits: -16 }],
		['jane123', {}, {}],
		['jane1234', {}, { digits: -10 }],
		['j', {}, { length: -10 }],
		['a'.repeat(30), {}, { hash_like: -35 }],
		['z'.repeat(30), {}, {}],
		['z'.repeat(31), {}, { length: -8 }],
		['jane+news', {}, { plus_tag: -4 }],
		['test+jane1234', {}, { placeholder: -35, plus_tag: -4 }],
		['+jane', {}, {}],
	])('%s', (localPart, changes, expected) => {
		expect(weights({ ...changes, localPart })).toEqual(expected);
	});
});

test.each<[DomainPolicies, readonly string[]]>([
	[{ spf: 'ok', dmarc: 'missing' }, ['mailbox', 'auth']],
	[{ spf: null, dmarc: 'enforced' }, ['mailbox']],
	[{ spf: 'ok', dmarc: null }, ['mailbox']],
])('policies count as looked at when both could be read: %j', (policies, measured) => {
	const facts = { localPart: 'ada', roleAccount: false, noReply: false, policies };
	expect([...measure(facts).measured]).toEqual(measured);
});
