import { describe, expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import { partyNameOf, partyOfHost, partyOfName } from '../../../src/core/outages/parties.ts';

const giants = (hosts: readonly string[]): boolean[] =>
	hosts.map((host) => partyOfHost(host, '192.0.2.1', findMailOperator([host])).isGiant);

describe('mail hosts', () => {
	test.each([
		['of one owner', 'mx1.shop.co.uk', '192.0.2.1', 'mx2.shop.co.uk', '198.51.100.1', true],
		['that are one server', 'mx.shop.test', '192.0.2.1', 'mx.other.test', '192.0.2.1', true],
		['of two owners and two servers', 'mx.shop.co.uk', '192.0.2.1', 'mx.other.co.uk', '192.0.2.2', false],
	])('%s', (_, host, address, other, otherAddress, related) => {
		const { parties } = partyOfHost(host, address, null);
		const others = partyOfHost(other, otherAddress, null).parties;
		expect(parties.some((party) => others.includes(party))).toBe(related);
	});

	test.each([
		['mx2.shop.co.uk', false, 'shop.co.uk'],
		['aspmx2.googlemail.com', false, 'google'],
		['google.com', true, 'google.com'],
	])('%s (implicit: %s) is known as %s', (host, implicit, name) => {
		expect(partyNameOf(host, implicit)).toBe(name);
	});

	test('of large providers and gateways are giants, those of hosters and of anybody are not', () => {
		expect(giants(['aspmx.l.google.com', 'mx1.emailsrvr.com', 'mxa-001.gslb.pphosted.com'])).toEqual([
			true,
			true,
			true,
		]);
		expect(giants(['mx.shop.test', 'mx.google.com.shop.test'])).toEqual([false, false]);
	});
});

test('names are those of who registered them; large providers and their mail hosts are giants', () => {
	expect(partyOfName('mail.shop.co.uk')).toEqual({ parties: ['shop.co.uk'], isGiant: false });
	expect(['gmail.com', 'aspmx.l.google.com', 'yahoo.fr'].map((name) => partyOfName(name).isGiant)).toEqual([
		true,
		true,
		true,
	]);
	// Thousands of providers have free mailboxes; most of them are dead.
	expect(['mailinator.com', 'gmail.com.shop.test'].map((name) => partyOfName(name).isGiant)).toEqual([
		false,
		false,
	]);
});
