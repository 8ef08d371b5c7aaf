import { accept } from '../../behaviour.ts';
import { deliverable, risky, undeliverable, unknown } from '../../expectation.ts';
import type { ProviderRow, Reply } from './row.ts';
import { known, missing } from './row.ts';

const unknownUser = undeliverable('rejected_email');
const full = risky('mailbox_full');

function at(smtpProvider: string, mx: string, rows: readonly Reply[]): ProviderRow[] {
	return rows.map((row) => ({ ...row, smtpProvider, mx, gateway: null }));
}

/** Mailbox providers and how they answer a probe, from their postmaster pages and collected bounces. */
export const MAILBOX_HOST_ROWS: readonly ProviderRow[] = [
	...at('microsoft', 'olc.protection.outlook.com', [
		known('outlook-listed', unknown('probe_blocked')).ofAll(
			"550 5.7.1 Unfortunately, messages from [192.0.2.25] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.",
		),
		missing('outlook-unknown', unknownUser).ofStrangers(
			'550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
		),
		known('outlook-throttled', unknown('probe_blocked')).ofAll(
			'451 4.7.650 The mail server [192.0.2.25] has been temporarily rate limited due to IP reputation.',
		),
	]),
	...at('microsoft', 'mail.protection.outlook.com', [
		missing('m365-edge').ofStrangers(
			'550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT036.eop-EUR03.prod.protection.outlook.com]',
		),
		missing('m365-edge-unsigned').ofStrangers(
			'550 5.4.1 [{rcpt}]: Recipient address rejected: Access denied',
		),
		known('m365-banned', unknown('probe_blocked')).ofAll(
			'550 5.7.606 Access denied, banned sending IP [192.0.2.25]. To request removal from this list please visit https://sender.office.com/',
		),
		missing('m365-unknown').ofStrangers(
			'550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {rcpt} not found by SMTP address lookup',
		),
		known('m365-members-only', unknown('antispam_system')).ofMembers(
			'550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed',
		),
		known('m365-tenant', unknown('unavailable_smtp')).ofAll(
			'550 5.7.64 TenantAttribution; Relay Access Denied',
		),
		known('m365-relay', { ...unknown('catch_all_unresolved'), catch_all: true }).plays({ rcpt: accept }),
	]),
	...at('google', 'aspmx.l.google.com', [
		missing('google-unknown').ofStrangers(
			"550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550-5.1.1 unnecessary spaces. For more information, go to\n550 5.1.1  https://support.google.com/mail/?p=NoSuchUser ffacd0b85a97d-gsmtp",
		),
		known('google-full', full).ofMembers(
			"452-4.2.2 The recipient's inbox is out of storage space. Please direct the\n452-4.2.2 recipient to\n452 4.2.2  https://support.google.com/mail/?p=OverQuotaTemp ffacd0b85a97d-gsmtp",
		),
		known('google-full-for-good', full).ofMembers(
			"552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the\n552 5.2.2  https://support.google.com/mail/?p=OverQuotaPerm ffacd0b85a97d-gsmtp",
		),
		known('google-disabled', undeliverable('mailbox_disabled')).ofMembers(
			'550-5.2.1 The email account that you tried to reach is inactive. For more\n550 5.2.1  information, go to https://support.google.com/mail/?p=DisabledUser ffacd0b85a97d-gsmtp',
		),
		known('google-later', unknown('rate_limited')).atGreeting(
			'421 4.7.0 Try again later, closing connection. (EHLO) ffacd0b85a97d-gsmtp',
		),
		known('google-busy', deliverable()).ofMembers(
			'450-4.2.1 The user you are trying to contact is receiving mail too quickly.\n450 4.2.1  https://support.google.com/mail/?p=ReceivingRate ffacd0b85a97d-gsmtp',
		),
	]),
	...at('yahoo', 'am0.yahoodns.net', [
		// It says yes to everybody, so it is not asked.
		known('yahoo-deferred', unknown('accepts_everything')).atMail(
			'421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
		),
		known('yahoo-all', { ...unknown('accepts_everything'), catch_all: null }).ofAll(
			'250 recipient <{rcpt}> ok',
		),
	]),
	...at('apple', 'mail.icloud.com', [
		known('icloud-inactive', undeliverable('mailbox_disabled')).ofMembers(
			'550 5.1.1 <{rcpt}>: inactive email address',
		),
		known('icloud-full', full).ofMembers('552 5.2.2 <{rcpt}>: user is over quota'),
		missing('icloud-unknown').ofStrangers('550 5.1.1 <{rcpt}>: user does not exist'),
	]),
	...at('gmx', 'mx00.gmx.net', [
		missing('gmx-unknown').ofStrangers(
			'550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0103&i=ip&v=192.0.2.25',
		),
		known('gmx-policy', unknown('rate_limited')).ofAll(
			'450-Requested mail action not taken: mailbox unavailable\n450-Reject due to policy violations\n450 For explanation visit https://postmaster.gmx.net/en/error-messages',
		),
		known('gmx-listed', unknown('probe_blocked')).atGreeting(
			'554-gmx.net (mxgmx116) Nemesis ESMTP Service not available\n554-No SMTP service\n554-IP address is block listed.\n554 For explanation visit https://postmaster.gmx.net/en/case?c=r0601',
		),
	]),
	...at('telekom', 'mx00.t-online.de', [
		known('telekom-unlisted', unknown('probe_blocked')).atGreeting(
			'554 IP=192.0.2.25 - None/bad reputation. Ask your postmaster for help or to contact tobr@rx.t-online.de for reset. (NOWL)',
		),
	]),
	...at('orange', 'smtp-in.orange.fr', [
		missing('orange-unknown').ofStrangers(
			'550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]',
		),
		known('orange-full', full).ofMembers(
			'552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]',
		),
		known('orange-busy', unknown('rate_limited')).atGreeting(
			'421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR005_104 [104]',
		),
	]),
	...at('docomo', 'mfsmax.docomo.ne.jp', [
		missing('docomo-unknown', unknown('filtered_or_missing')).ofStrangers('550 Unknown user {rcpt}'),
		known('docomo-known', { ...deliverable(), catch_all: false }).ofStrangers('550 Unknown user {rcpt}'),
		known('docomo-full', full).ofMembers('552 Too much mail data'),
	]),
	...at('softbank', 'mx.softbank.ne.jp', [
		missing('softbank-unknown').ofStrangers('550 Invalid recipient: <{rcpt}>'),
	]),
	...at('yahoo', 'mail.yahoo.co.jp', [
		known('yahoo-japan-all', { ...unknown('accepts_everything'), catch_all: null }).ofAll(
			'250 recipient <{rcpt}> ok',
		),
	]),
	...at('mailru', 'mxs.mail.ru', [
		known('mailru-all', { ...unknown('accepts_everything'), catch_all: null }).plays({ rcpt: accept }),
	]),
	...at('yandex', 'mx.yandex.ru', [missing('yandex-unknown').ofStrangers('550 5.7.1 No such user!')]),
	...at('tencent', 'mx3.qq.com', [
		known('qq-frequency', unknown('rate_limited')).ofAll(
			'550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?id=20022',
		),
		missing('qq-unknown').ofStrangers(
			'550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?id=20022',
		),
	]),
	...at('netease', 'mxmail.netease.com', [
		known('netease-reputation', unknown('rate_limited')).atMail(
			'421 HL:REP 163 mx12,PMCowABH1,1 http://mail.163.com/help/help_spam_16.htm?ip=192.0.2.25',
		),
		missing('netease-unknown').ofStrangers('550 User not found: {rcpt}'),
	]),
	...at('comcast', 'mxge.comcast.net', [
		missing('comcast-unknown').ofStrangers('550 5.1.1 Not our Customer'),
		known('comcast-moved', { ...unknown('accepts_everything'), catch_all: null }).ofAll(
			'250 2.1.5 recipient ok',
		),
		known('comcast-reverse', unknown('probe_blocked')).atGreeting(
			'421 4.7.0 Reverse DNS failure: Try again later',
		),
	]),
	...at('zoho', 'mx.zoho.com', [
		known('zoho-policy', unknown('antispam_system')).ofAll('541 5.4.1 Mail rejected by destination domain'),
	]),
	...at('godaddy', 'mailstore1.secureserver.net', [
		known('godaddy-harvest', unknown('rate_limited')).ofAll(
			'554 p3plibsmtp02-06.prod.phx3.secureserver.net bizsmtp IB113. Your IP has sent too many invalid recipients.',
		),
		missing('godaddy-unknown').ofStrangers('550 5.1.1 <{rcpt}> Recipient not found. <http://x.co/irbounce>'),
	]),
	...at('naver', 'mx1.naver.com', [
		known('naver-inactive', undeliverable('mailbox_disabled')).ofMembers(
			'550 5.2.1 RACT qk2hdj {rcpt} Mailbox is inactive',
		),
	]),
	...at('rackspace', 'mx1.emailsrvr.com', [
		known('rackspace-pointer', unknown('probe_blocked')).ofAll(
			'450 4.7.1 Client host rejected: cannot find your hostname, no PTR [192.0.2.25]',
		),
	]),
];
