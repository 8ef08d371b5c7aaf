import { CAREFUL, UNCONFIRMED } from './operator-row.ts';
import type { OperatorRow } from './operator-row.ts';

const IN_DNS = 'MX records of the provider’s domains; its answers are not known';

const validating = {
	kind: 'mailbox',
	routeClass: 'validating',
	ownDomainsOnly: true,
	source: `${UNCONFIRMED}: no public document says how it answers; our own observation is needed`,
	date: '2026-11-23',
} as const;
const NAME_ALONE = 'the provider’s own domain; neither its mail hosts’ names nor its answers are confirmed';

// The row only gives the provider a name and one standing, and claims nothing about its answers.
const named = {
	kind: 'mailbox',
	routeClass: 'unknown',
	source: IN_DNS,
	date: '2026-11-23',
} as const;

const ownOnly = { ...named, ownDomainsOnly: true } as const;

/** Internet access and telephone providers with mailboxes for their customers, at their own domains. */
export const INTERNET_PROVIDERS = {
	comcast: {
		...validating,
		hosts: 'mx*.comcast.net',
		source:
			'"550 5.1.1 Not our Customer" in public bounce collections; its mailboxes move to Yahoo in 2025-26 ' +
			'(egressif.com, 2026-06), so it proves nothing where it accepts an invented recipient',
	},
	orange: {
		...validating,
		hosts: 'smtp-in*.orange.fr',
		source:
			'Orange’s error codes OFR_416 and OFR_417; KumoMTA’s shaping rules: 2 connections for the provider, TLS',
		tls: 'when_offered',
		budget: { ...CAREFUL, recipientsPerConnection: 20 },
	},
	laposte: { ...validating, name: 'La Poste', hosts: 'smtpz*.laposte.net mx*.laposte.net' },
	free: { ...validating, hosts: 'mx1.free.fr mx2.free.fr' },
	sfr: { ...validating, name: 'SFR', hosts: 'smtp-in.sfr.fr' },
	libero: { ...validating, hosts: 'smtp-in.libero.it smtp-in.virgilio.it smtp-in.iol.it' },

	// Answers that depend on who asks.
	telekom: {
		...named,
		name: 'Deutsche Telekom',
		hosts: 'mx*.t-online.de tld.t-online.de',
		source:
			'postmaster.t-online.de: it takes mail only from hosts that it has let in, with an imprint at the HELO name; ' +
			'spamresource.com 2020-06. Until then its answers are about us',
		tls: 'when_offered',
		budget: CAREFUL,
	},
	docomo: {
		...ownOnly,
		name: 'docomo',
		hosts: 'mfsmax.docomo.ne.jp',
		source:
			'note.com/sendmagic, akisoftware.com and sisimai: the same "550 Unknown user" for a missing mailbox and for a ' +
			'recipient’s filter; many unknown users lead to a block',
		replyHabits: ['calls_filtered_unknown', 'calls_full_too_much_data'],
		budget: CAREFUL,
	},
	au: {
		...ownOnly,
		name: 'au',
		hosts: 'lsean.ezweb.ne.jp msmx.au.com',
		source:
			'note.com/sendmagic, akisoftware.com and sisimai: the same "550 User unknown" for a missing mailbox and for a ' +
			'recipient’s filter; many unknown users lead to a block',
		replyHabits: ['calls_filtered_unknown'],
		budget: CAREFUL,
	},
	softbank: {
		...validating,
		name: 'SoftBank',
		hosts: 'mx.softbank.ne.jp',
		source: 'note.com/sendmagic: "550 Invalid recipient" only if the mailbox does not exist',
		budget: CAREFUL,
	},

	// Cox and AT&T have moved, or are moving, to Yahoo's hosts, and are Yahoo there.
	att: { ...ownOnly, name: 'AT&T', hosts: 'al-ip4-mx-vip*.prodigy.net ff-ip4-mx-vip*.prodigy.net' },
	charter: { ...ownOnly, hosts: 'mx*.charter.net msg.pkvw.co.charter.net' },
	cloudfilter: {
		...named,
		hosts: 'mx.a.cloudfilter.net',
		source: 'MX records of Cox, eir, Shaw and others, which rent it; its answers are not known',
	},
	kpn: { ...named, name: 'KPN', hosts: 'mx*.kpnmail.nl' },
	ziggo: { ...named, hosts: 'mxin*.ziggo.nl' },
	telenet: { ...named, hosts: 'mx*.telenet-ops.be' },
	netvigator: { ...ownOnly, hosts: 'mx*.netvigator.com' },
	ukr_net: {
		...ownOnly,
		name: 'Ukr.net',
		hosts: 'mxs.ukr.net',
		source: 'sisimai’s samples: "550 not used" in reply to RCPT; whether it always checks is not known',
	},
	bt: { ...ownOnly, name: 'BT', hosts: 'mx.bt.prod.cloud.openwave.ai' },
	atmail: {
		...named,
		hosts: 'atmailcloud.com',
		source: 'MX records of Virgin Media, iiNet and Optus, which rent it; its answers are not known',
	},
	talktalk: { ...ownOnly, name: 'TalkTalk', hosts: 'tt.xion.oxcs.net' },
	freenet: { ...named, name: 'freenet', hosts: 'mx.freenet.de' },
	tiscali: { ...ownOnly, hosts: 'etb-*.mail.tiscali.it etb.mail.tiscali.it imp.mail.tiscali.it' },
	bigpond: { ...ownOnly, hosts: 'extmail.bigpond.com' },
	norlys: { ...named, hosts: 'mx10.norlys.dk mx20.norlys.dk' },
	rambler: { ...ownOnly, hosts: 'mxs.rambler.ru mx.rambler.ru' },
	sina: { ...named, hosts: 'freemx*.sinamail.sina.com.cn' },
	// Their mail hosts' names are unconfirmed; a wrong one matches nothing.
	bluewin: {
		...named,
		hosts: 'mx*.bluewin.ch mx*.lb.bluewin.ch',
		source: 'postmaster.bluewin.ch: it defers source addresses without a history; its answers are not known',
		budget: CAREFUL,
	},
	biglobe: { ...named, name: 'BIGLOBE', hosts: 'mx*.biglobe.ne.jp', source: NAME_ALONE },
	centrum: { ...named, hosts: 'mx*.centrum.cz mx*.atlas.cz mx*.centrum.sk', source: NAME_ALONE },
	uol: { ...named, name: 'UOL', hosts: 'mx.uol.com.br mx*.bol.com.br mx.uhserver.com' },
	terra: { ...named, hosts: 'mx.terra.com.br mx.terraempresas.com.br' },
	china_mobile: { ...named, hosts: 'mx*.mail.139.com' },
	abv: { ...named, name: 'abv.bg', hosts: 'pmx.abv.bg appsmx*.abv.bg' },
	sapo: { ...named, hosts: 'mx.ptmail.sapo.pt' },
	tim: { ...named, name: 'TIM', hosts: 'mx.tim.it smtp.aliceposta.it' },
	sohu: { ...named, hosts: 'sohumx*.sohu.com sohumx.h.a.sohu.com' },
} as const satisfies Readonly<Record<string, OperatorRow>>;
