import { describe, expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import { OPERATORS } from '../../../src/core/mail-operators/operators.ts';

describe('one host', () => {
	test.each([
		['aspmx.l.google.com', 'google', 'google', null, 'validating'],
		['ALT1.ASPMX.L.GOOGLE.COM.', 'google', 'google', null, 'validating'],
		['gmail-smtp-in.l.google.com', 'google', 'google', null, 'validating'],
		['acme-com.mail.protection.outlook.com', 'microsoft365', 'microsoft', null, 'microsoft365'],
		['acme-com.p-v1.mx.microsoft', 'microsoft365', 'microsoft', null, 'microsoft365'],
		['outlook-com.olc.protection.outlook.com', 'outlook', 'microsoft', null, 'validating'],
		['mta5.am0.yahoodns.net', 'yahoo', 'yahoo', null, 'blind'],
		['mxs.mail.ru', 'mailru', 'mailru', null, 'blind'],
		['mx01.mail.icloud.com', 'apple', 'apple', null, 'validating'],
		['in1-smtp.messagingengine.com', 'fastmail', 'fastmail', null, 'validating'],
		['mail.protonmail.ch', 'proton', 'proton', null, 'validating'],
		['smtp.secureserver.net', 'godaddy', 'godaddy', null, 'hosting'],
		['mx00.ionos.de', 'ionos', 'ionos', null, 'hosting'],
		['route1.mx.cloudflare.net', 'cloudflare', 'cloudflare', null, 'validating'],
		['inbound-smtp.eu-west-1.amazonaws.com', 'amazon_ses', 'amazon', null, 'unknown'],
		['mxa-0050be01.gslb.pphosted.com', 'proofpoint', null, 'proofpoint', 'seg'],
		['mx1-us1.ppe-hosted.com', 'proofpoint_essentials', null, 'proofpoint', 'seg_callahead'],
		['eu-smtp-inbound-1.mimecast.com', 'mimecast', null, 'mimecast', 'seg'],
		['d1.a.ess.barracudanetworks.com', 'barracuda', null, 'barracuda', 'seg_callahead'],
		['mx1.hc686-26.c3s2.iphmx.com', 'cisco', null, 'cisco', 'seg'],
		['acme.in.tmes-anz.trendmicro.com', 'trendmicro', null, 'trendmicro', 'seg'],
		['filter10.antispamcloud.com', 'spamexperts', null, 'spamexperts', 'seg_callahead'],
		['mail.h-email.net', 'h_email', null, null, 'unknown'],
	])('%s is %s', (host, operator, smtpProvider, gateway, routeClass) => {
		expect(findMailOperator([host])).toMatchObject({ operator, smtpProvider, gateway, routeClass });
	});

	test.each([
		'evilmimecast.com',
		'mimecast.com.evil.example',
		'notgoogle.com',
		'google.co',
		'com',
		'',
		'.',
		'mail.acme.com',
		'ec2-192-0-2-1.compute.amazonaws.com',
		'x.inbound-smtp.evil.example',
		'constructor',
	])('%j is nobody we know', (host) => {
		expect(findMailOperator([host])).toBeNull();
	});
});

describe('behaviour', () => {
	test('Yahoo and Mail.ru accept everything, which proves nothing', () => {
		expect(findMailOperator(['mx-eu.mail.am0.yahoodns.net'])?.recipients).toBe('accepts_everything');
		expect(findMailOperator(['emx.mail.ru'])?.recipients).toBe('accepts_everything');
		expect(findMailOperator(['smtp.google.com'])?.recipients).toBe('checked');
		expect(findMailOperator(['acme-com.mail.protection.outlook.com'])?.recipients).toBe('unknown');
	});

	test('consumer Outlook takes one recipient at a time, Microsoft 365 several', () => {
		expect(findMailOperator(['hotmail-com.olc.protection.outlook.com'])?.perTransaction).toBe(1);
		expect(findMailOperator(['acme-com.mail.protection.outlook.com'])?.perTransaction).toBeNull();
	});

	test('SpamExperts gets 45 seconds for a RCPT', () => {
		expect(findMailOperator(['mx.antispamcloud.com'])?.rcptTimeoutMs).toBe(45_000);
		expect(findMailOperator(['smtp.google.com'])?.rcptTimeoutMs).toBeNull();
	});
});

describe('mixed sets', () => {
	const gateway = 'mxa-0050be01.gslb.pphosted.com';
	const mailbox = 'acme-com.mail.protection.outlook.com';

	test('none is known', () => {
		expect(findMailOperator([])).toBeNull();
		expect(findMailOperator(['mail.acme.com', '.'])).toBeNull();
	});

	test('a gateway in front of a known provider names both, and behaves like the gateway', () => {
		expect(findMailOperator([gateway, mailbox])).toMatchObject({
			operator: 'proofpoint',
			kind: 'gateway',
			gateway: 'proofpoint',
			smtpProvider: 'microsoft',
			routeClass: 'seg',
			recipients: 'unknown',
		});
	});

	test('a provider that prefers its own host behaves like itself', () => {
		expect(findMailOperator(['smtp.google.com', gateway])).toMatchObject({
			operator: 'google',
			kind: 'mailbox',
			gateway: 'proofpoint',
			smtpProvider: 'google',
			routeClass: 'validating',
			recipients: 'checked',
		});
	});

	test('a mailbox host is the provider, before an inbound API that sorts first', () => {
		expect(findMailOperator(['mxa.eu.mailgun.org', mailbox])).toMatchObject({
			operator: 'mailgun',
			smtpProvider: 'microsoft',
			gateway: null,
			routeClass: 'unknown',
		});
	});

	test('a backup tells who helps, but not how the unknown first host behaves', () => {
		expect(findMailOperator(['mail.acme.com', 'mta5.am0.yahoodns.net'])).toMatchObject({
			operator: 'yahoo',
			smtpProvider: 'yahoo',
			routeClass: 'unknown',
			recipients: 'unknown',
		});
	});
});

test('every ending is a host name in lower case, and every word is one', () => {
	for (const [suffix, { operator, provider, gateway, kind }] of OPERATORS) {
		expect(suffix).toMatch(/^([a-z0-9-]+\.)+[a-z]+$/);
		for (const word of [operator, provider ?? 'none', gateway ?? 'none'])
			expect(word).toMatch(/^[a-z][a-z0-9_]*$/);
		expect(kind === 'gateway').toBe(gateway !== null);
		if (kind === 'gateway') expect(provider).toBeNull();
	}
});
