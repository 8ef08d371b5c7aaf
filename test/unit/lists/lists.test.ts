import { expect, test } from 'vitest';
import {
	isDisposable,
	isFreeProvider,
	isNoReply,
	isPrivacyRelay,
	isRole,
} from '../../../src/core/lists/domain-kinds.ts';

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
		`xmailinator.org mailinator.com.example com royal.net x.dns.army duck.com ada.anonaddy.com ${WELL_KNOWN}`,
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
