import { accept } from '../../behaviour.ts';
import { deliverable, risky, undeliverable, unknown } from '../../expectation.ts';
import type { ProviderRow } from './row.ts';
import { atGreeting, atMail, ofAll, ofMembers, ofStrangers } from './row.ts';

type Row = Pick<ProviderRow, 'name' | 'behaviour' | 'expect' | 'local'>;

const unknownUser = undeliverable('rejected_email');
const full = risky('mailbox_full');

function at(smtpProvider: string, mx: string, rows: readonly Row[]): ProviderRow[] {
	return rows.map((row) => ({ ...row, smtpProvider, mx, gateway: null }));
}

/** Mailbox providers and how they answer a probe, from their postmaster pages and collected bounces. */
export const MAILBOX_HOST_ROWS: readonly ProviderRow[] = [
	...at('microsoft', 'olc.protection.outlook.com', [
		{
			name: 'outlook-listed',
			behaviour: ofAll(
				"550 5.7.1 Unfortunately, messages from [192.0.2.25] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.",
			),
			expect: unknown('probe_blocked'),
		},
		{
			name: 'outlook-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'),
			expect: unknownUser,
		},
		{
			name: 'outlook-throttled',
			behaviour: ofAll(
				'451 4.7.650 The mail server [192.0.2.25] has been temporarily rate limited due to IP reputation.',
			),
			expect: unknown('probe_blocked'),
		},
	]),
	...at('microsoft', 'mail.protection.outlook.com', [
		{
			name: 'm365-edge',
			local: 'nobody',
			behaviour: ofStrangers(
				'550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT036.eop-EUR03.prod.protection.outlook.com]',
			),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'm365-edge-unsigned',
			local: 'nobody',
			behaviour: ofStrangers('550 5.4.1 [{rcpt}]: Recipient address rejected: Access denied'),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'm365-banned',
			behaviour: ofAll(
				'550 5.7.606 Access denied, banned sending IP [192.0.2.25]. To request removal from this list please visit https://sender.office.com/',
			),
			expect: unknown('probe_blocked'),
		},
		{
			name: 'm365-unknown',
			local: 'nobody',
			behaviour: ofStrangers(
				'550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {rcpt} not found by SMTP address lookup',
			),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'm365-members-only',
			behaviour: ofMembers(
				'550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed',
			),
			expect: unknown('antispam_system'),
		},
		{
			name: 'm365-tenant',
			behaviour: ofAll('550 5.7.64 TenantAttribution; Relay Access Denied'),
			expect: unknown('unavailable_smtp'),
		},
		{
			name: 'm365-relay',
			behaviour: { rcpt: accept },
			expect: { ...unknown('catch_all_unresolved'), catch_all: true },
		},
	]),
	...at('google', 'aspmx.l.google.com', [
		{
			name: 'google-unknown',
			local: 'nobody',
			behaviour: ofStrangers(
				"550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550-5.1.1 unnecessary spaces. For more information, go to\n550 5.1.1  https://support.google.com/mail/?p=NoSuchUser ffacd0b85a97d-gsmtp",
			),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'google-full',
			behaviour: ofMembers(
				"452-4.2.2 The recipient's inbox is out of storage space. Please direct the\n452-4.2.2 recipient to\n452 4.2.2  https://support.google.com/mail/?p=OverQuotaTemp ffacd0b85a97d-gsmtp",
			),
			expect: full,
		},
		{
			name: 'google-full-for-good',
			behaviour: ofMembers(
				"552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the\n552 5.2.2  https://support.google.com/mail/?p=OverQuotaPerm ffacd0b85a97d-gsmtp",
			),
			expect: full,
		},
		{
			name: 'google-disabled',
			behaviour: ofMembers(
				'550-5.2.1 The email account that you tried to reach is inactive. For more\n550 5.2.1  information, go to https://support.google.com/mail/?p=DisabledUser ffacd0b85a97d-gsmtp',
			),
			expect: undeliverable('mailbox_disabled'),
		},
		{
			name: 'google-later',
			behaviour: atGreeting('421 4.7.0 Try again later, closing connection. (EHLO) ffacd0b85a97d-gsmtp'),
			expect: unknown('rate_limited'),
		},
		{
			name: 'google-busy',
			behaviour: ofMembers(
				'450-4.2.1 The user you are trying to contact is receiving mail too quickly.\n450 4.2.1  https://support.google.com/mail/?p=ReceivingRate ffacd0b85a97d-gsmtp',
			),
			expect: deliverable(),
		},
	]),
	...at('yahoo', 'am0.yahoodns.net', [
		{
			name: 'yahoo-deferred',
			behaviour: atMail(
				'421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
			),
			// It says yes to everybody, so it is not asked.
			expect: unknown('accepts_everything'),
		},
		{
			name: 'yahoo-all',
			behaviour: ofAll('250 recipient <{rcpt}> ok'),
			expect: { ...unknown('accepts_everything'), catch_all: null },
		},
	]),
	...at('apple', 'mail.icloud.com', [
		{
			name: 'icloud-inactive',
			behaviour: ofMembers('550 5.1.1 <{rcpt}>: inactive email address'),
			expect: undeliverable('mailbox_disabled'),
		},
		{
			name: 'icloud-full',
			behaviour: ofMembers('552 5.2.2 <{rcpt}>: user is over quota'),
			expect: full,
		},
		{
			name: 'icloud-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.1.1 <{rcpt}>: user does not exist'),
			expect: { ...unknownUser, catch_all: false },
		},
	]),
	...at('gmx', 'mx00.gmx.net', [
		{
			name: 'gmx-unknown',
			local: 'nobody',
			behaviour: ofStrangers(
				'550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0103&i=ip&v=192.0.2.25',
			),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'gmx-policy',
			behaviour: ofAll(
				'450-Requested mail action not taken: mailbox unavailable\n450-Reject due to policy violations\n450 For explanation visit https://postmaster.gmx.net/en/error-messages',
			),
			expect: unknown('rate_limited'),
		},
		{
			name: 'gmx-listed',
			behaviour: atGreeting(
				'554-gmx.net (mxgmx116) Nemesis ESMTP Service not available\n554-No SMTP service\n554-IP address is block listed.\n554 For explanation visit https://postmaster.gmx.net/en/case?c=r0601',
			),
			expect: unknown('probe_blocked'),
		},
	]),
	...at('telekom', 'mx00.t-online.de', [
		{
			name: 'telekom-unlisted',
			behaviour: atGreeting(
				'554 IP=192.0.2.25 - None/bad reputation. Ask your postmaster for help or to contact tobr@rx.t-online.de for reset. (NOWL)',
			),
			expect: unknown('probe_blocked'),
		},
	]),
	...at('orange', 'smtp-in.orange.fr', [
		{
			name: 'orange-unknown',
			local: 'nobody',
			behaviour: ofStrangers(
				'550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]',
			),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'orange-full',
			behaviour: ofMembers('552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]'),
			expect: full,
		},
		{
			name: 'orange-busy',
			behaviour: atGreeting(
				'421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR005_104 [104]',
			),
			expect: unknown('rate_limited'),
		},
	]),
	...at('docomo', 'mfsmax.docomo.ne.jp', [
		{
			name: 'docomo-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 Unknown user {rcpt}'),
			expect: unknown('filtered_or_missing'),
		},
		{
			name: 'docomo-known',
			behaviour: ofStrangers('550 Unknown user {rcpt}'),
			expect: { ...deliverable(), catch_all: false },
		},
		{
			name: 'docomo-full',
			behaviour: ofMembers('552 Too much mail data'),
			expect: full,
		},
	]),
	...at('softbank', 'mx.softbank.ne.jp', [
		{
			name: 'softbank-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 Invalid recipient: <{rcpt}>'),
			expect: { ...unknownUser, catch_all: false },
		},
	]),
	...at('yahoo', 'mail.yahoo.co.jp', [
		{
			name: 'yahoo-japan-all',
			behaviour: ofAll('250 recipient <{rcpt}> ok'),
			expect: { ...unknown('accepts_everything'), catch_all: null },
		},
	]),
	...at('mailru', 'mxs.mail.ru', [
		{
			name: 'mailru-all',
			behaviour: { rcpt: accept },
			expect: { ...unknown('accepts_everything'), catch_all: null },
		},
	]),
	...at('yandex', 'mx.yandex.ru', [
		{
			name: 'yandex-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.7.1 No such user!'),
			expect: { ...unknownUser, catch_all: false },
		},
	]),
	...at('tencent', 'mx3.qq.com', [
		{
			name: 'qq-frequency',
			behaviour: ofAll('550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?id=20022'),
			expect: unknown('rate_limited'),
		},
		{
			name: 'qq-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?id=20022'),
			expect: { ...unknownUser, catch_all: false },
		},
	]),
	...at('netease', 'mxmail.netease.com', [
		{
			name: 'netease-reputation',
			behaviour: atMail(
				'421 HL:REP 163 mx12,PMCowABH1,1 http://mail.163.com/help/help_spam_16.htm?ip=192.0.2.25',
			),
			expect: unknown('rate_limited'),
		},
		{
			name: 'netease-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 User not found: {rcpt}'),
			expect: { ...unknownUser, catch_all: false },
		},
	]),
	...at('comcast', 'mxge.comcast.net', [
		{
			name: 'comcast-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.1.1 Not our Customer'),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'comcast-moved',
			behaviour: ofAll('250 2.1.5 recipient ok'),
			expect: { ...unknown('accepts_everything'), catch_all: null },
		},
		{
			name: 'comcast-reverse',
			behaviour: atGreeting('421 4.7.0 Reverse DNS failure: Try again later'),
			expect: unknown('probe_blocked'),
		},
	]),
	...at('zoho', 'mx.zoho.com', [
		{
			name: 'zoho-policy',
			behaviour: ofAll('541 5.4.1 Mail rejected by destination domain'),
			expect: unknown('antispam_system'),
		},
	]),
	...at('godaddy', 'mailstore1.secureserver.net', [
		{
			name: 'godaddy-harvest',
			behaviour: ofAll(
				'554 p3plibsmtp02-06.prod.phx3.secureserver.net bizsmtp IB113. Your IP has sent too many invalid recipients.',
			),
			expect: unknown('rate_limited'),
		},
		{
			name: 'godaddy-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.1.1 <{rcpt}> Recipient not found. <http://x.co/irbounce>'),
			expect: { ...unknownUser, catch_all: false },
		},
	]),
	...at('naver', 'mx1.naver.com', [
		{
			name: 'naver-inactive',
			behaviour: ofMembers('550 5.2.1 RACT qk2hdj {rcpt} Mailbox is inactive'),
			expect: undeliverable('mailbox_disabled'),
		},
	]),
	...at('rackspace', 'mx1.emailsrvr.com', [
		{
			name: 'rackspace-pointer',
			behaviour: ofAll('450 4.7.1 Client host rejected: cannot find your hostname, no PTR [192.0.2.25]'),
			expect: unknown('probe_blocked'),
		},
	]),
];
