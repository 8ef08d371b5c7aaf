import { WHEN } from '../behaviour.ts';
import type { Scene } from './scene.ts';
import { rowsOf, samplesOf } from './scene.ts';

// Replies of real providers and gateways, as their servers give them: from postmaster pages, vendors' documents and collected bounces.

/** One reply. */
export interface ProviderRow {
	/** A domain with a mail host of its own under the provider's real name, and the address that is asked about. */
	readonly scene: Scene;
	/** The public words; null where the result names none. */
	readonly gateway: string | null;
	readonly smtpProvider: string | null;
}

// `name | mailbox and promise | when | reply` below `provider, end of its hosts' names`. In a reply, `\n` ends a line.
const MAILBOX_HOSTS = String.raw`
microsoft olc.protection.outlook.com
	outlook-listed | ada unknown probe_blocked | all | 550 5.7.1 Unfortunately, messages from [192.0.2.25] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.
	outlook-unknown | nobody undeliverable rejected_email | strangers | 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).
	outlook-throttled | ada unknown probe_blocked | all | 451 4.7.650 The mail server [192.0.2.25] has been temporarily rate limited due to IP reputation.
microsoft mail.protection.outlook.com
	m365-edge | nobody undeliverable rejected_email no | strangers | 550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT036.eop-EUR03.prod.protection.outlook.com]
	m365-edge-unsigned | nobody undeliverable rejected_email no | strangers | 550 5.4.1 [{rcpt}]: Recipient address rejected: Access denied
	m365-banned | ada unknown probe_blocked | all | 550 5.7.606 Access denied, banned sending IP [192.0.2.25]. To request removal from this list please visit https://sender.office.com/
	m365-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {rcpt} not found by SMTP address lookup
	m365-members-only | ada unknown antispam_system | members | 550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed
	m365-tenant | ada unknown unavailable_smtp | all | 550 5.7.64 TenantAttribution; Relay Access Denied
	m365-relay | ada unknown catch_all_unresolved yes | all | 250 2.1.5 Ok
google aspmx.l.google.com
	google-unknown | nobody undeliverable rejected_email no | strangers | 550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550-5.1.1 unnecessary spaces. For more information, go to\n550 5.1.1  https://support.google.com/mail/?p=NoSuchUser ffacd0b85a97d-gsmtp
	google-full | ada risky mailbox_full | members | 452-4.2.2 The recipient's inbox is out of storage space. Please direct the\n452-4.2.2 recipient to\n452 4.2.2  https://support.google.com/mail/?p=OverQuotaTemp ffacd0b85a97d-gsmtp
	google-full-for-good | ada risky mailbox_full | members | 552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the\n552 5.2.2  https://support.google.com/mail/?p=OverQuotaPerm ffacd0b85a97d-gsmtp
	google-disabled | ada undeliverable mailbox_disabled | members | 550-5.2.1 The email account that you tried to reach is inactive. For more\n550 5.2.1  information, go to https://support.google.com/mail/?p=DisabledUser ffacd0b85a97d-gsmtp
	google-later | ada unknown rate_limited | greeting | 421 4.7.0 Try again later, closing connection. (EHLO) ffacd0b85a97d-gsmtp
	google-busy | ada deliverable accepted_email no | members | 450-4.2.1 The user you are trying to contact is receiving mail too quickly.\n450 4.2.1  https://support.google.com/mail/?p=ReceivingRate ffacd0b85a97d-gsmtp
yahoo am0.yahoodns.net
	// It says yes to everybody, so it is not asked.
	yahoo-deferred | ada unknown accepts_everything | mail | 421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes
	yahoo-all | ada unknown accepts_everything open | all | 250 recipient <{rcpt}> ok
apple mail.icloud.com
	icloud-inactive | ada undeliverable mailbox_disabled | members | 550 5.1.1 <{rcpt}>: inactive email address
	icloud-full | ada risky mailbox_full | members | 552 5.2.2 <{rcpt}>: user is over quota
	icloud-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.1 <{rcpt}>: user does not exist
gmx mx00.gmx.net
	gmx-unknown | nobody undeliverable rejected_email no | strangers | 550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0103&i=ip&v=192.0.2.25
	gmx-policy | ada unknown rate_limited | all | 450-Requested mail action not taken: mailbox unavailable\n450-Reject due to policy violations\n450 For explanation visit https://postmaster.gmx.net/en/error-messages
	gmx-listed | ada unknown probe_blocked | greeting | 554-gmx.net (mxgmx116) Nemesis ESMTP Service not available\n554-No SMTP service\n554-IP address is block listed.\n554 For explanation visit https://postmaster.gmx.net/en/case?c=r0601
telekom mx00.t-online.de
	telekom-unlisted | ada unknown probe_blocked | greeting | 554 IP=192.0.2.25 - None/bad reputation. Ask your postmaster for help or to contact tobr@rx.t-online.de for reset. (NOWL)
orange smtp-in.orange.fr
	orange-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]
	orange-full | ada risky mailbox_full | members | 552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]
	orange-busy | ada unknown rate_limited | greeting | 421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR005_104 [104]
docomo mfsmax.docomo.ne.jp
	docomo-unknown | nobody unknown filtered_or_missing | strangers | 550 Unknown user {rcpt}
	docomo-known | ada deliverable accepted_email no | strangers | 550 Unknown user {rcpt}
	docomo-full | ada risky mailbox_full | members | 552 Too much mail data
softbank mx.softbank.ne.jp
	softbank-unknown | nobody undeliverable rejected_email no | strangers | 550 Invalid recipient: <{rcpt}>
yahoo mail.yahoo.co.jp
	yahoo-japan-all | ada unknown accepts_everything open | all | 250 recipient <{rcpt}> ok
mailru mxs.mail.ru
	mailru-all | ada unknown accepts_everything open | all | 250 2.1.5 Ok
yandex mx.yandex.ru
	yandex-unknown | nobody undeliverable rejected_email no | strangers | 550 5.7.1 No such user!
tencent mx3.qq.com
	qq-frequency | ada unknown rate_limited | all | 550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?id=20022
	qq-unknown | nobody undeliverable rejected_email no | strangers | 550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?id=20022
netease mxmail.netease.com
	netease-reputation | ada unknown rate_limited | mail | 421 HL:REP 163 mx12,PMCowABH1,1 http://mail.163.com/help/help_spam_16.htm?ip=192.0.2.25
	netease-unknown | nobody undeliverable rejected_email no | strangers | 550 User not found: {rcpt}
comcast mxge.comcast.net
	comcast-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.1 Not our Customer
	comcast-moved | ada unknown accepts_everything open | all | 250 2.1.5 recipient ok
	comcast-reverse | ada unknown probe_blocked | greeting | 421 4.7.0 Reverse DNS failure: Try again later
zoho mx.zoho.com
	zoho-policy | ada unknown antispam_system | all | 541 5.4.1 Mail rejected by destination domain
godaddy mailstore1.secureserver.net
	godaddy-harvest | ada unknown rate_limited | all | 554 p3plibsmtp02-06.prod.phx3.secureserver.net bizsmtp IB113. Your IP has sent too many invalid recipients.
	godaddy-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.1 <{rcpt}> Recipient not found. <http://x.co/irbounce>
naver mx1.naver.com
	naver-inactive | ada undeliverable mailbox_disabled | members | 550 5.2.1 RACT qk2hdj {rcpt} Mailbox is inactive
rackspace mx1.emailsrvr.com
	rackspace-pointer | ada unknown probe_blocked | all | 450 4.7.1 Client host rejected: cannot find your hostname, no PTR [192.0.2.25]
`;

const GATEWAYS = String.raw`
proofpoint gslb.pphosted.com
	proofpoint-user | ada deliverable accepted_email no | strangers | 550 5.1.1 <{rcpt}>... User unknown
	proofpoint-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.1 <{rcpt}>... User unknown
	proofpoint-no-such-user | nobody undeliverable rejected_email | strangers | 550 5.1.1 No such user - pp
	proofpoint-all | ada unknown catch_all_unresolved yes | all | 250 2.1.5 Ok
	proofpoint-blocked | ada unknown probe_blocked | greeting | 554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.25
	proofpoint-reputation | ada unknown probe_blocked | mail | 550 5.7.0 Message refused by Proofpoint Reputation Services
proofpoint ppe-hosted.com
	essentials-invalid | nobody undeliverable rejected_email no | strangers | 550 5.7.1 <{rcpt}>: Recipient address rejected: User email address is marked as invalid.
	essentials-user | ada deliverable accepted_email no | strangers | 550 5.7.1 <{rcpt}>: Recipient address rejected: User email address is marked as invalid.
mimecast eu.mimecast.com
	mimecast-unknown | nobody undeliverable rejected_email no | strangers | 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [rQ0aMTOCMzGz5yz0.uk302]
	mimecast-deferred | ada unknown greylisted | all | 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451
	// Its default for unknown internal users is a 451: an accepted target differs from every stranger.
	mimecast-strangers-deferred | ada deliverable accepted_email open | strangers | 451 Recipient temporarily unavailable
	mimecast-all | ada unknown catch_all_unresolved yes | all | 250 2.1.5 Ok
	mimecast-reputation | ada unknown probe_blocked | all | 550 csi.mimecast.org Poor Reputation Sender - envelope rejected
	mimecast-place | ada unknown probe_blocked | greeting | 554 Host network not allowed - https://community.mimecast.com/docs/DOC-1369#554
barracuda ess.barracudanetworks.com
	barracuda-unknown | nobody undeliverable rejected_email no | strangers | 550 cuda_nsu 5.1.1 <{rcpt}>: Recipient address rejected: User unknown
	barracuda-no-such-user | nobody undeliverable rejected_email | strangers | 550 No such user ({rcpt})
	barracuda-blocked | ada unknown probe_blocked | all | 550 permanent failure for one or more recipients ({rcpt}:blocked)
cisco iphmx.com
	cisco-unknown | nobody undeliverable rejected_email no | strangers | 550 #5.1.0 Address rejected.
	cisco-harvest | ada unknown rate_limited | all | 550 Too many invalid recipients
	// Its directory is asked in the conversation, and our invented recipient uses up what it allows.
	cisco-harvest-later | ada deliverable accepted_email open | strangers | 550 Too many invalid recipients
	cisco-reputation | ada unknown probe_blocked | greeting | 554-esa1.hc1234.iphmx.com\n554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.
	cisco-access | ada unknown probe_blocked | all | 550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.
	cisco-all | ada unknown catch_all_unresolved yes | all | 250 2.1.5 Ok
symantec cluster1.eu.messagelabs.com
	symantec-unknown | nobody undeliverable rejected_email no | strangers | 550-Invalid recipient <{rcpt}>\n550 (#5.1.1)
	symantec-all | ada unknown catch_all_unresolved yes | all | 250 2.1.5 Ok
trendmicro tmes.trendmicro.eu
	trend-blocked | ada unknown probe_blocked | all | 550 5.7.1 <{rcpt}>: Recipient address rejected: blocked using Trend Micro Email Reputation Service
	trend-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.1 <{rcpt}>: Recipient address rejected: User unknown
sophos eu-central-1.prod.hydra.sophos.com
	sophos-unknown | nobody undeliverable rejected_email no | strangers | 550 5.1.1 <{rcpt}>: Recipient address rejected: Mailbox not found
	sophos-all | ada unknown catch_all_unresolved yes | all | 250 2.1.5 Ok
spamexperts antispamcloud.com
	spamexperts-unknown | nobody undeliverable rejected_email no | strangers | 550 Recipient verify failed: no such user here
	// It asks the server behind it first. Other servers would have been given up by then.
	spamexperts-callout | ada deliverable accepted_email open | callout | 10500
fortinet fortimailcloud.com
	// Only the shape of a name is taken: whoever is taken, it is no catch-all and no proof.
	fortinet-mixed | ada unknown catch_all_unresolved | dotted | 550 5.1.1 User unknown
	fortinet-refuses-to-say | ada unknown gateway_protected | all | 550 5.7.1 Access denied
proofpoint ppe-hosted.com
	exchange-behind-proofpoint | nobody undeliverable rejected_email no | strangers | 550 5.4.1 Recipient address rejected: Access denied. [DB5EUR03FT036.eop-EUR03.prod.protection.outlook.com]
`;

/** All of them. */
export const PROVIDER_ROWS: readonly ProviderRow[] = [
	...providersOf(MAILBOX_HOSTS, (smtpProvider) => ({ smtpProvider, gateway: null })),
	...providersOf(GATEWAYS, (gateway) => ({ smtpProvider: null, gateway })),
];

function providersOf(
	table: string,
	known: (provider: string) => Pick<ProviderRow, 'gateway' | 'smtpProvider'>,
): readonly ProviderRow[] {
	let [provider, mx] = ['', ''];
	return rowsOf(table).flatMap(([name = '', promised, when = '', reply = '']) => {
		if (promised === undefined) {
			[provider = '', mx = ''] = name.split(' ');
			return [];
		}
		const domain = `${name}.test`;
		const samples = samplesOf(promised, domain);
		const plays = new Map(Object.entries(WHEN)).get(when)?.(reply.replaceAll(String.raw`\n`, '\n'));
		if (plays === undefined) throw new Error(`${name}: nothing is said ${when}`);
		const mail = [{ preference: 10, host: `${name}.${mx}`, plays }];
		const scene = { domain, does: `As ${mx} does it.`, mail, samples };
		return [{ scene, ...known(provider) }];
	});
}
