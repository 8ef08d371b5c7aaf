import { GATEWAY_BUDGET } from './operator-row.ts';
import type { OperatorRow } from './operator-row.ts';

const known = {
	source: 'vendors’ documents, and the MX records of 40,000 public bodies',
	date: '2026-11-21',
} as const;
const callAhead = { ...known, kind: 'gateway', routeClass: 'seg_callahead' } as const;
const gateway = { ...known, kind: 'gateway', routeClass: 'seg' } as const;
const mimecast = { ...gateway, word: 'mimecast' } as const;

/** Secure e-mail gateways, in front of mailboxes hosted elsewhere. */
export const GATEWAYS = {
	// These ask the mail server behind them before they answer, and cache its reply.
	barracuda: {
		...callAhead,
		hosts: 'barracudanetworks.com barracuda.com cudamail.com',
		source: 'KumoMTA’s shaping rules: TLS, 10 connections, 15 deliveries each',
		date: '2026-11-23',
		tls: 'when_offered',
		budget: { ...GATEWAY_BUDGET, recipientsPerConnection: 15 },
	},
	proofpoint_essentials: { ...callAhead, word: 'proofpoint', hosts: 'ppe-hosted.com' },
	spamexperts: {
		...callAhead,
		name: 'SpamExperts',
		hosts: 'antispamcloud.com spamexperts.com spamexperts.net spamexperts.eu mtaroutes.com',
		// It asks the server behind it at each RCPT, and verifiers wait 45 s for that. It greylists new senders for 20 min.
		slowestReplyMs: 45_000,
	},

	// Their customers choose: accept a list of recipients, ask the backend, or accept everything.
	proofpoint: { ...gateway, hosts: 'pphosted.com gpphosted.com', speaksFor: 'customer' },
	// Mimecast counts by region. We keep one standing a region.
	mimecast: { ...gateway, hosts: 'mimecast.com mimecast-offshore.com' },
	mimecast_eu: { ...mimecast, hosts: 'eu-smtp-inbound-*.mimecast.com' },
	mimecast_de: { ...mimecast, hosts: 'de-smtp-inbound-*.mimecast.com' },
	mimecast_us: { ...mimecast, hosts: 'us-smtp-inbound-*.mimecast.com usb-smtp-inbound-*.mimecast.com' },
	mimecast_au: { ...mimecast, hosts: 'au-smtp-inbound-*.mimecast.com' },
	mimecast_za: { ...mimecast, hosts: 'za-smtp-inbound-*.mimecast.co.za mimecast.co.za' },
	cisco: { ...gateway, hosts: 'iphmx.com ironport.com', speaksFor: 'customer' },
	symantec: { ...gateway, hosts: 'messagelabs.com' },
	trendmicro: { ...gateway, name: 'Trend Micro', hosts: 'trendmicro.com trendmicro.eu trendmicro.co.jp' },
	sophos: { ...gateway, hosts: 'sophos.com' },
	fortinet: { ...gateway, hosts: 'fortimailcloud.com fortimail.com', speaksFor: 'customer' },
	forcepoint: { ...gateway, hosts: 'mailcontrol.com forcepoint.com' },
	hornetsecurity: { ...gateway, hosts: 'hornetsecurity.com hornetsecurity.ch antispameurope.com' },
	zerospam: { ...gateway, word: 'hornetsecurity', hosts: 'zerospam.ca' },
	vade: { ...gateway, hosts: 'vadesecure.com' },
	area1: { ...gateway, word: 'cloudflare', hosts: 'mxrecord.io mxrecord.mx' },
	trellix: { ...gateway, hosts: 'fireeyecloud.com' },
	trustwave: { ...gateway, hosts: 'mailmarshal.cloud' },
	libraesva: { ...gateway, hosts: 'esvacloud.com', speaksFor: 'customer' },
	retarus: { ...gateway, hosts: 'retarus.com' },
	nospamproxy: { ...gateway, name: 'NoSpamProxy', hosts: 'nospamproxy.com nospamproxy.de as-scan.de' },
	seppmail: { ...gateway, name: 'SEPPmail', hosts: 'seppmail.cloud seppmail.com' },
	appriver: { ...gateway, name: 'AppRiver', hosts: 'arsmtp.com appriver.com zixmail.net' },
	mailprotector: { ...gateway, hosts: 'emailservice.io emailservice.cc emailservice.co' },
	spamtitan: { ...gateway, name: 'SpamTitan', hosts: 'titanhq.com spamtitan.com', speaksFor: 'customer' },
	spamhero: { ...gateway, name: 'SpamHero', hosts: 'spamhero.com spamhero.net mxthunder.com mxthunder.net' },
	vipre: {
		...gateway,
		name: 'VIPRE',
		hosts: 'mailanyone.net mx25.net mx*.electric.net comendosystems.com comendosystems.net',
	},
	staysecure: { ...gateway, hosts: 'staysecuregroup.com staysecuregroup.net' },
	mailchannels: { ...gateway, name: 'MailChannels', hosts: 'mailchannels.net' },
	mailguard: { ...gateway, name: 'MailGuard', hosts: 'mailguard.com.au' },
	mailinblack: { ...gateway, hosts: 'mailinblack.com', speaksFor: 'customer' },
	mailroute: { ...gateway, hosts: 'mailroute.net' },
	securence: { ...gateway, hosts: 'securence.com' },
	perception_point: { ...gateway, hosts: 'perception-point.io' },
	heimdal: { ...gateway, hosts: 'heimdalsecurity.com' },
	expurgate: { ...gateway, name: 'eXpurgate', hosts: 'expurgate.net ctmail.com' },
	ikarus: { ...gateway, hosts: 'mymailwall.com mymailwall.at' },
	iberlayer: { ...gateway, hosts: 'iberlayer.com' },
	altospam: { ...gateway, hosts: 'altospam.com altospam.net' },
	anti_spam_premium: { ...gateway, name: 'Anti-Spam Premium', hosts: 'anti-spam-premium.com' },
	abxsec: { ...gateway, hosts: 'abxsec.com' },
	cleanmail: { ...gateway, hosts: 'cleanmail.ch cleanmail.eu clean-mailbox.com cleanmail.safecenter.ch' },
	d_fence: { ...gateway, name: 'D-Fence', hosts: 'd-fence.eu' },
	dts: { ...gateway, name: 'DTS', hosts: 'dts-security.de' },
	europeanmx: { ...gateway, name: 'EuropeanMX', hosts: 'europeanmx.eu' },
	firstwave: { ...gateway, hosts: 'firstcloudsecurity.net', speaksFor: 'customer' },
	postini: { ...gateway, hosts: 'psmtp.com' },
	iij: { ...gateway, name: 'IIJ', hosts: 'securemx.jp' },
	mpssec: { ...gateway, hosts: 'mpssec.net' },
	secmail: { ...gateway, hosts: 'secmail.com' },
	secumail: { ...gateway, hosts: 'secumail.de' },
	secure_mailgate: { ...gateway, hosts: 'secure-mailgate.com secure-mailgateway.com' },
	secure_shield: { ...gateway, hosts: 'secure-shield.at' },
	securemx: { ...gateway, hosts: 'securemx.biz' },
	secuserve: { ...gateway, hosts: 'security-mail.net' },
	smx: { ...gateway, name: 'SMX', hosts: 'smxemail.com' },
	spambusters: { ...gateway, hosts: 'spambusters.email' },
	spamstopshere: { ...gateway, hosts: 'spamh.com' },
	spamtador: { ...gateway, hosts: 'spamtador.com' },
	spamvor: { ...gateway, hosts: 'spamvor.com' },
	siminn_spamvorn: { ...gateway, word: 'siminn', hosts: 'spamvorn.internet.is mx-biz.simnet.is' },
	suantispam: { ...gateway, hosts: 'suantispam.com' },
	correo_limpio: { ...gateway, word: 'telefonica', hosts: 'correolimpio.telefonica.es' },
	topsec: { ...gateway, hosts: 'topsec.com' },
	centera: { ...gateway, hosts: 'centerasecurity.dk' },
} as const satisfies Readonly<Record<string, OperatorRow>>;
