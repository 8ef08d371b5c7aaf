import {
	CAREFUL,
	GATEWAY_BUDGET,
	HOST_BUDGET,
	UNITED_INTERNET,
	inBounces,
	UNCONFIRMED,
} from './operator-row.ts';
import type { Budget, OperatorRow } from './operator-row.ts';

const unconfirmed = {
	source: `${UNCONFIRMED}: no public document says how it answers; our own observation is needed`,
	date: '2026-11-23',
} as const;
const validating = { ...unconfirmed, kind: 'mailbox', routeClass: 'validating' } as const;
const unproven = { ...unconfirmed, kind: 'mailbox', routeClass: 'unknown' } as const;
const blind = { ...unconfirmed, kind: 'mailbox', routeClass: 'blind' } as const;
const forwarder = { ...unconfirmed, kind: 'forwarder', routeClass: 'validating' } as const;

const TOUCHY: Budget = { ...HOST_BUDGET, recipientsPerMinute: 60, recipientsPerDay: 10_000 };

// Banned senders, and the reputation of an address (learn.microsoft.com, "NDR error codes"). An administrator's own rule
// refuses with 5.7.1 or 5.7.900-999.
const MICROSOFT_ABOUT_SOURCES = /^5\.7\.6(?:0[6-9]|[1-4]\d) |^4\.7\.65[01] /;

/** Mailbox providers, and services that forward to them. */
export const MAILBOX_HOSTS = {
	// They reject unknown recipients unless a catch-all is set up.
	google: {
		...validating,
		hosts: 'l.google.com smtp.google.com aspmx*.google.com googlemail.com',
		source:
			'Google’s error codes; KumoMTA’s shaping rules: 5 connections, 50 deliveries each, TLS. The budget of a day has ' +
			'no public source',
		sourceStatuses: /^4\.7\.28 /,
		// Its rate limits are lower for callers without TLS.
		tls: 'when_offered',
		// gmail.com and Workspace share their servers, and our reputation with them.
		budget: { ...HOST_BUDGET, connections: 4 },
		plusTags: true,
		publicMail: { domains: 'gmail.com googlemail.com', ignoresDots: true },
	},
	outlook: {
		...validating,
		word: 'microsoft',
		hosts: 'olc.protection.outlook.com pamx*.hotmail.com mx*.hotmail.com',
		source:
			'Microsoft’s sender policies forbid “namespace mining” (asking without sending), so its ' +
			'answers count until it stops giving them. AfterShip issue 72: the second recipient gets 452 4.5.3',
		perTransaction: 1,
		// It has no customers who could write that it is on a list.
		sourceStatuses: /^5\.7\.6(?:0[6-9]|[1-4]\d) |^4\.7\.65[01] |\(S31\d\d\)/,
		budget: { ...TOUCHY, recipientsPerConnection: 30 },
		replyHabits: ['denies_access_to_unknown'],
		plusTags: true,
		publicMail: { domains: 'outlook.* hotmail.* live.* msn.* windowslive.com' },
	},
	apple: {
		...validating,
		hosts: 'mail.icloud.com mail.me.com',
		source: 'KumoMTA’s shaping rules: 10 connections, 5 deliveries each; 5.1.1 and 5.1.6 in public bounces',
		budget: { ...TOUCHY, connections: 4, recipientsPerConnection: 5 },
		plusTags: true,
		publicMail: { domains: 'icloud.com me.com mac.com' },
	},
	zoho: {
		...validating,
		source: 'bounces in sisimai/set-of-emails: "550 5.1.1 User does not exist" in reply to RCPT',
		hosts: 'zoho.com zoho.eu zoho.in zoho.com.au zoho.jp zoho.sa zohocloud.ca zohocorp.com zohomail.com',
		plusTags: true,
	},
	proton: {
		...validating,
		...inBounces('550 5.1.1 Recipient address rejected: Address does not exist'),
		hosts: 'protonmail.ch proton.me',
		plusTags: true,
	},
	fastmail: { ...validating, hosts: 'messagingengine.com', plusTags: true },
	yandex: {
		...validating,
		hosts: 'mx*.yandex.net mx*.yandex.ru mail.yandex.net',
		source: 'Yandex’s help: "550 5.7.1 No such user!"',
		plusTags: true,
		replyHabits: ['calls_unknown_policy'],
	},
	gmx: {
		...validating,
		name: 'GMX',
		hosts: 'gmx.net gmx.com mail.com',
		source: 'postmaster.gmx.net; KumoMTA’s shaping rules: 4 connections, 20 deliveries each, TLS',
		tls: 'when_offered',
		budget: UNITED_INTERNET,
		publicMail: { domains: 'gmx.*' },
	},
	webde: {
		...validating,
		name: 'WEB.DE',
		hosts: 'web.de',
		source: 'postmaster.web.de; KumoMTA’s shaping rules: 4 connections, 20 deliveries each, TLS',
		tls: 'when_offered',
		standsWith: 'gmx',
		budget: UNITED_INTERNET,
		publicMail: { domains: 'web.de' },
	},
	rackspace: { ...validating, hosts: 'emailsrvr.com' },
	migadu: { ...validating, hosts: 'migadu.com', plusTags: true },
	tuta: { ...validating, hosts: 'tutanota.de tutanota.com tuta.com' },
	mailbox_org: { ...validating, name: 'mailbox.org', hosts: 'mailbox.org', plusTags: true },
	posteo: { ...validating, hosts: 'posteo.de', plusTags: true },
	runbox: { ...validating, hosts: 'runbox.com', plusTags: true },
	startmail: { ...validating, name: 'StartMail', hosts: 'startmail.com' },
	hey: { ...validating, name: 'HEY', hosts: 'hey.com' },
	tencent: {
		...validating,
		hosts: 'qq.com',
		source: 'service.mail.qq.com; KumoMTA’s shaping rules: 4 connections, 8 deliveries each, TLS',
		tls: 'when_offered',
		budget: { ...CAREFUL, recipientsPerConnection: 8 },
	},
	netease: {
		...validating,
		name: 'NetEase',
		hosts: '163.com 126.com netease.com qiye163.com',
		source: 'NetEase’s error codes; KumoMTA’s shaping rules: 4 connections, 7 deliveries each, TLS',
		tls: 'when_offered',
		budget: { ...CAREFUL, recipientsPerConnection: 7 },
	},
	alibaba: { ...validating, hosts: 'mxhichina.com qiye.aliyun.com mail.aliyun.com' },
	naver: { ...validating, hosts: 'naver.com worksmobile.com' },
	kakao: { ...validating, hosts: 'daum.net hanmail.net kakao.com' },
	lark: { ...validating, hosts: 'larksuite.com feishu.cn' },
	seznam: {
		...validating,
		source: 'napoveda.seznam.cz: 5.1.1 where the user has no mailbox',
		hosts: 'seznam.cz',
	},
	rediff: { ...validating, hosts: 'rediffmail.com rediffmailpro.com rediff.akadns.net' },
	wp: { ...validating, name: 'Wirtualna Polska', hosts: 'mx*.wp.pl mx*.o2.pl poczta.o2.pl' },
	onet: {
		...validating,
		source: 'bounces in tests on GitHub: "550 5.1.1 User unknown" in reply to RCPT',
		hosts: 'poczta.onet.pl',
	},
	interia: { ...validating, hosts: 'mx*.interia.pl poczta.interia.pl' },
	intermedia: { ...validating, hosts: 'serverdata.net intermedia.net' },

	// Authoritative domains reject unknown recipients; internal relay and hybrid ones accept everything.
	microsoft365: {
		name: 'Microsoft 365',
		kind: 'mailbox',
		routeClass: 'microsoft365',
		source: 'Microsoft’s documents on accepted domains and Directory-Based Edge Blocking',
		date: '2026-11-21',
		word: 'microsoft',
		hosts:
			'protection.outlook.com eo.outlook.com mx.microsoft protection.outlook.de ' +
			'protection.office365.us partner.outlook.cn',
		sourceStatuses: MICROSOFT_ABOUT_SOURCES,
		budget: GATEWAY_BUDGET,
		plusTags: true,
		replyHabits: ['denies_access_to_unknown'],
	},

	// We know nothing about their answers, or they answer honestly only to callers that they trust.
	facebook: { ...unproven, hosts: 'vvv.facebook.com' },
	workmail: { ...unproven, word: 'amazon', hosts: 'awsapps.com' },

	// They say 250 to every RCPT, and refuse after DATA or bounce later.
	yahoo: {
		...blind,
		hosts: 'yahoodns.net mail.yahoo.com mx.aol.com',
		source:
			'truemail-go issue 91, sisimai: a missing mailbox is refused after DATA. AT&T’s and Cox’s domains are here too',
		publicMail: { domains: 'yahoo.* aol.* ymail.com rocketmail.com' },
	},
	yahoo_japan: {
		...blind,
		word: 'yahoo',
		hosts: 'mail.yahoo.co.jp',
		publicMail: { domains: 'yahoo.co.jp' },
		source:
			'tuono034s issue 3575 and a Postfix log: "doesn’t have a yahoo.co.jp account" in reply to the end of DATA',
	},
	mailru: {
		...blind,
		name: 'Mail.ru',
		hosts: 'mxs.mail.ru emx.mail.ru',
		publicMail: { domains: 'mail.ru bk.ru inbox.ru list.ru' },
		source: 'sisimai and an administrator’s log of 2026-08: a missing mailbox is refused after DATA',
	},

	// Forwarders, which know their recipients.
	cloudflare: { ...forwarder, ...inBounces('550 5.1.1 Address does not exist'), hosts: 'mx.cloudflare.net' },
	forwardemail: { ...forwarder, name: 'Forward Email', hosts: 'forwardemail.net' },
	improvmx: { ...forwarder, name: 'ImprovMX', hosts: 'improvmx.com' },
	simplelogin: { ...forwarder, name: 'SimpleLogin', hosts: 'mx1.simplelogin.co mx2.simplelogin.co' },
	addy: { ...forwarder, name: 'addy.io', hosts: 'mail*.anonaddy.me mail*.anonaddy.com mail*.addy.io' },
	namecheap_forwarding: { ...forwarder, word: 'namecheap', hosts: 'eforward*.registrar-servers.com' },
	mailhop: { ...forwarder, word: 'dyn', hosts: 'mx.mailhop.org mx1.mailhop.org mx2.mailhop.org' },
} as const satisfies Readonly<Record<string, OperatorRow>>;
