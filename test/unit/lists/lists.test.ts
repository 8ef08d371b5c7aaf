import * as fc from 'fast-check';
import {
	isDisposable,
	isFreeProvider,
	isNoReply,
	isPrivacyRelay,
	isRole,
} from '../../../src/core/lists/domain-kinds.ts';
import { suggestDomain } from '../../../src/core/lists/typos.ts';
import { readFacts } from '../../support/unit/facts.ts';
import { expect, test, describe } from 'vitest';

const WELL_KNOWN =
	'gmail.com googlemail.com yahoo.com ymail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com aol.com ' +
	'gmx.de gmx.net web.de mail.com mail.ru yandex.ru yandex.com zoho.com proton.me protonmail.com pm.me tutanota.com ' +
	'fastmail.com hey.com mozmail.com duck.com qq.com 163.com naver.com libero.it orange.fr laposte.net t-online.de';
// RFC 2142 §3-§5, and what the list lacked.
const ROLES =
	'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp ' +
	'dpo bounce admin INFO info+lists "info" customer.service human_resources noreply';
const NO_REPLIES =
	'noreply no-reply no_reply No.Reply donotreply do-not-reply do_not_reply dontreply mailer-daemon MAILER-DAEMON ' +
	'news-noreply noreply-apps no-reply2 noreply+x autoreply ne-pas-repondre nicht-antworten devnull no-replies "noreply"';

test.each<[string, (text: string) => boolean, string, string]>([
	[
		'disposable',
		isDisposable,
		'mailinator.com MAILINATOR.com sub.mailinator.com a.b.guerrillamail.com yopmail.com',
		`xmailinator.org mailinator.com.example com royal.net sify.com 21cn.com x.dns.army duck.com opayq.com ${WELL_KNOWN}`,
	],
	[
		'free',
		isFreeProvider,
		`${WELL_KNOWN} ${WELL_KNOWN.toUpperCase()}`,
		'mailinator.com cloudflare.com mail.gmail.com com',
	],
	[
		'a privacy relay',
		isPrivacyRelay,
		'duck.com privaterelay.appleid.com ada.anonaddy.com ada.33mail.com MOZMAIL.com',
		'appleid.com notduck.com firefox.com',
	],
	['a role', isRole, ROLES, 'ada ada.info paris no 2024 123 +info constructor'],
	['a no-reply', isNoReply, NO_REPLIES, 'reply noreplyson nora ada replies casino.reply info nobody'],
])('what is %s', (_, is, those, others) => {
	expect(those.split(' ').filter((one) => !is(one))).toEqual([]);
	expect(['', ...others.split(' ')].filter(is)).toEqual([]);
});

// Goal: no real mailbox provider, public body or relay is ever called disposable or a misspelling.
const PROBES = readFacts('list-probes');

function domainsOf(kind: string): string[] {
	return PROBES.filter((probe) => probe.kind === kind).map((probe) => probe.domain);
}

describe('real domains', () => {
	test.each(['mailbox_provider', 'organisation', 'privacy_relay'])(
		'no %s is disposable or corrected',
		(kind) => {
			const domains = domainsOf(kind);
			expect(domains.length).toBeGreaterThan(10);
			expect(domains.filter(isDisposable)).toEqual([]);
			expect(domains.filter((domain) => suggestDomain(domain) !== null)).toEqual([]);
		},
	);

	test('every disposable one is caught, with whatever stands before it', () => {
		const domains = domainsOf('disposable');
		expect(domains.filter((domain) => !isDisposable(domain))).toEqual([]);
		expect(domains.filter((domain) => !isDisposable(`mx1.${domain}`))).toEqual([]);
	});

	test('every privacy relay is one, and no mailbox provider is', () => {
		expect(domainsOf('privacy_relay').filter((domain) => !isPrivacyRelay(domain))).toEqual([]);
		expect(domainsOf('mailbox_provider').filter(isPrivacyRelay)).toEqual([]);
	});
});

const GMAIL = `gmial.com gmal.com gmail.con gmai.com gmaill.com gamil.com gnail.com gmsil.com gmail.co gmail.cm
	gmail.om gmail.comm gmailcom GMIAL.com`;

const OTHERS = `hotmial.com>hotmail.com hotmal.fr>hotmail.fr hotmail.co>hotmail.com outlok.com>outlook.com
	outloook.com>outlook.com yaho.com>yahoo.com yahooo.com>yahoo.com ayhoo.com>yahoo.com yaho.co.uk>yahoo.co.uk
	iclod.com>icloud.com protonmial.com>protonmail.com comcast.ne>comcast.net live.con>live.com aol.con>aol.com`;

test.each([
	...words(GMAIL).map((typed) => [typed, 'gmail.com']),
	...words(OTHERS).map((pair) => pair.split('>')),
] as [string, string][])('%s was probably meant to be %s', (typed, meant) => {
	expect(suggestDomain(typed)).toBe(meant);
});

// Known, or a company of its own; and two slips are too many to guess.
const LEFT_ALONE = `gmail.com ymail.com mail.com email.com gmx.at yahoo.cl hotmail.be duck.com gail.com cloud.com
	hmail.com mailinator.com live.co love.com gmx.co gmail.de gmail.example.com gmil.con gmaaail.com
	x.com com example.com`;

test.each([...words(LEFT_ALONE), ''])('%j is left alone', (typed) => {
	expect(suggestDomain(typed)).toBeNull();
});

test('a suggestion is always a known provider and never the domain itself', () => {
	const letter = fc.constantFrom(...'agmilhotyuckdne.'.split(''));
	fc.assert(
		fc.property(
			fc.string({ unit: letter, maxLength: 8 }),
			fc.constantFrom('.com', '.net', '.con'),
			(name, end) => {
				const suggestion = suggestDomain(name + end);
				if (suggestion === null) return;
				expect(isFreeProvider(suggestion)).toBe(true);
				expect(suggestion).not.toBe(name + end);
				expect(suggestDomain(suggestion)).toBeNull();
			},
		),
	);
});

function words(text: string): string[] {
	return text.split(/\s+/);
}
