import { describe, expect, test } from 'vitest';
import {
	isDisposable,
	isFreeProvider,
	isNoReply,
	isPrivacyRelay,
	isRole,
} from '../../../src/core/lists/domain-kinds.ts';

describe('disposable', () => {
	test.each([
		'mailinator.com',
		'MAILINATOR.com',
		'sub.mailinator.com',
		'a.b.guerrillamail.com',
		'yopmail.com',
	])('%s is', (domain) => {
		expect(isDisposable(domain)).toBe(true);
	});

	test.each(['xmailinator.org', 'mailinator.com.example', 'com', '', 'gmail.com', 'royal.net', 'x.dns.army'])(
		'%j is not',
		(domain) => {
			expect(isDisposable(domain)).toBe(false);
		},
	);
});

const WELL_KNOWN =
	'gmail.com googlemail.com yahoo.com ymail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com aol.com ' +
	'gmx.de gmx.net web.de mail.com mail.ru yandex.ru yandex.com zoho.com proton.me protonmail.com pm.me tutanota.com ' +
	'fastmail.com hey.com mozmail.com duck.com qq.com 163.com naver.com libero.it orange.fr laposte.net t-online.de';

describe('free providers', () => {
	test.each(WELL_KNOWN.split(' '))('%s is free and not disposable', (domain) => {
		expect(isFreeProvider(domain)).toBe(true);
		expect(isFreeProvider(domain.toUpperCase())).toBe(true);
		expect(isDisposable(domain)).toBe(false);
	});

	test.each(['mailinator.com', 'cloudflare.com', 'mail.gmail.com', 'com', ''])('%j is not', (domain) => {
		expect(isFreeProvider(domain)).toBe(false);
	});
});

describe('privacy relays', () => {
	test.each(['duck.com', 'privaterelay.appleid.com', 'ada.anonaddy.com', 'ada.33mail.com', 'MOZMAIL.com'])(
		'%s is one, and not disposable',
		(domain) => {
			expect(isPrivacyRelay(domain)).toBe(true);
			expect(isDisposable(domain)).toBe(false);
		},
	);

	test.each(['appleid.com', 'notduck.com', 'firefox.com'])('%s is none', (domain) => {
		expect(isPrivacyRelay(domain)).toBe(false);
	});
});

// RFC 2142 §3-§5, and what the list lacked.
const ROLES =
	'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp';

describe('roles', () => {
	test.each(
		`${ROLES} dpo bounce admin INFO info+lists "info" customer.service human_resources noreply`.split(' '),
	)('%s is one', (localPart) => {
		expect(isRole(localPart)).toBe(true);
	});

	test.each(['ada', 'ada.info', 'paris', 'no', '2024', '123', '+info', '', 'constructor'])(
		'%j is none',
		(localPart) => {
			expect(isRole(localPart)).toBe(false);
		},
	);
});

describe('no-reply', () => {
	test.each([
		'noreply',
		'no-reply',
		'no_reply',
		'No.Reply',
		'donotreply',
		'do-not-reply',
		'do_not_reply',
		'dontreply',
		'mailer-daemon',
		'MAILER-DAEMON',
		'news-noreply',
		'noreply-apps',
		'no-reply2',
		'noreply+x',
		'autoreply',
		'ne-pas-repondre',
		'nicht-antworten',
		'devnull',
		'no-replies',
		'"noreply"',
	])('%s', (localPart) => {
		expect(isNoReply(localPart)).toBe(true);
	});

	test.each(['reply', 'noreplyson', 'nora', 'ada', 'replies', 'casino.reply', 'info', 'nobody'])(
		'not %s',
		(localPart) => {
			expect(isNoReply(localPart)).toBe(false);
		},
	);
});
