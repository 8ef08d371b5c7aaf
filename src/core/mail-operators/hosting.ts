import { UNITED_INTERNET, inBounces, UNCONFIRMED } from './operator-row.ts';
import type { OperatorRow } from './operator-row.ts';

const MX_RECORDS = 'the MX records of 40,000 public bodies';
const hosting = {
	source: `${UNCONFIRMED}: ${MX_RECORDS} name it; how it answers is not documented`,
	date: '2026-11-21',
	kind: 'hosting',
	routeClass: 'hosting',
} as const;
const unknown = {
	...hosting,
	source: `${MX_RECORDS}; its answers are not known`,
	routeClass: 'unknown',
} as const;

/** Hosting companies, and others that host or run mail servers for customers. */
export const HOSTING = {
	// Shared hosting and registrars: Exim, Plesk and the like, where a catch-all is one click away.
	godaddy: {
		...hosting,
		name: 'GoDaddy',
		...inBounces('550 5.1.1 Recipient not found'),
		hosts:
			'smtp.secureserver.net mailstore1.secureserver.net smtp.europe.secureserver.net ' +
			'mailstore1.europe.secureserver.net smtp.asia.secureserver.net mailstore1.asia.secureserver.net',
	},
	ionos: {
		...hosting,
		name: 'IONOS',
		source: 'IONOS’s help: it blocks a source that asks for many unknown users; one company with GMX',
		date: '2026-11-23',
		tls: 'when_offered',
		standsWith: 'gmx',
		speaksFor: 'operator',
		budget: UNITED_INTERNET,
		hosts:
			'mx0*.ionos.de mx0*.ionos.com mx0*.ionos.fr mx0*.ionos.es mx0*.ionos.it mx0*.ionos.co.uk ' +
			'mx0*.kundenserver.de mx0*.schlund.de mx0*.1and1.com mxint0*.1and1.com mx0*.1and1.fr ' +
			'mx0*.1and1.co.uk mx0*.1and1.es mx0*.perfora.net',
	},
	strato: {
		...hosting,
		name: 'STRATO',
		hosts: 'smtpin.rzone.de smtp.rzone.de post.strato.de smtp.strato.de',
	},
	ovh: {
		...hosting,
		name: 'OVHcloud',
		...inBounces('550 5.1.1 User unknown'),
		hosts: 'mail.ovh.net mail.ovh.ca mx*.ovh.net mx*.ovh.ca redirect.ovh.net',
	},
	hostinger: { ...hosting, hosts: 'mx1.hostinger.com mx2.hostinger.com' },
	titan: { ...hosting, hosts: 'titan.email' },
	opensrs: {
		...hosting,
		name: 'OpenSRS',
		...inBounces('554 5.7.1 user does not exist'),
		hosts: 'hostedemail.com',
	},
	endurance: { ...hosting, hosts: 'mailhostbox.com' },
	namecheap: {
		...hosting,
		...inBounces('554 5.1.1 undeliverable address'),
		hosts: 'privateemail.com jellyfish.systems smx*.web-hosting.com',
	},
	siteground: { ...hosting, name: 'SiteGround', hosts: 'mailspamprotection.com' },
	combell: { ...hosting, hosts: 'mailprotect.be' },
	one: { ...hosting, name: 'one.com', hosts: 'mailpod*.one.com mailpod*.g1i.one.com mx-cluster*.one.com' },
	gandi: { ...hosting, hosts: 'mail.gandi.net' },
	infomaniak: { ...hosting, hosts: 'mta-gw.infomaniak.ch' },
	hostpoint: { ...hosting, hosts: 'mail.hostpoint.ch mx*.hostpoint.ch' },
	loopia: { ...hosting, hosts: 'mailcluster.loopia.se mail2.loopia.se' },
	mxroute: { ...hosting, name: 'MXroute', hosts: 'mxrouting.net mxroute.com mxlogin.com' },
	hetzner: { ...hosting, hosts: 'www*.your-server.de' },
	allinkl: { ...hosting, name: 'ALL-INKL', hosts: 'kasserver.com' },
	netcup: { ...hosting, name: 'netcup', hosts: 'mx*.netcup.net' },
	domainfactory: { ...hosting, hosts: 'mx*.ispgateway.de' },
	mittwald: { ...hosting, hosts: 'mx*.agenturserver.de' },
	united_domains: { ...hosting, hosts: 'mx*.udag.de smx*.udag.de' },
	goneo: { ...hosting, hosts: 'mx*.goneo.de' },
	jimdo: { ...hosting, hosts: 'mx1.jimdo.com mx2.jimdo.com' },
	easyname: { ...hosting, name: 'easyname', hosts: 'mx0*.easyname.eu mx0*.easyname.com' },
	dreamhost: {
		...hosting,
		name: 'DreamHost',
		hosts: 'mail.dreamhost.com mx1.dreamhost.com mx2.dreamhost.com',
	},
	stackmail: { ...hosting, hosts: 'stackmail.com' },
	hostopia: { ...hosting, hosts: 'mx*.siteprotect.com mx*.carrierzone.com mx*.megamailservers.com' },
	hostedmxserver: { ...hosting, hosts: 'hostedmxserver.com' },
	open_xchange: { ...hosting, name: 'Open-Xchange', hosts: 'oxcs.net' },
	locaweb: { ...hosting, hosts: 'mx.locaweb.com.br mx.*.locaweb.com.br' },
	register_it: { ...hosting, name: 'Register.it', hosts: 'mail.register.it' },
	aruba: { ...hosting, hosts: 'mx*.aruba.it' },
	register_com: { ...hosting, name: 'Register.com', hosts: 'mx*.register.com' },
	beget: { ...hosting, hosts: 'mx1.beget.com mx2.beget.com mx1.beget.ru mx2.beget.ru' },
	timeweb: { ...hosting, hosts: 'mx1.timeweb.ru mx2.timeweb.ru' },
	reg_ru: { ...hosting, name: 'REG.RU', hosts: 'mx1.hosting.reg.ru mx2.hosting.reg.ru' },
	cdmon: { ...hosting, hosts: 'mail*.cdmon.net mx*.cdmon.net' },
	serviciodecorreo: { ...hosting, hosts: 'serviciodecorreo.es' },
	kagoya: { ...hosting, hosts: 'dmail.kagoya.net mgws*.kagoya.net' },
	pair: { ...hosting, hosts: 'mail*.pair.com qs*.pair.com vqs*.pair.com' },
	zone: { ...hosting, hosts: 'zonemx.eu' },
	elkdata: { ...hosting, hosts: 'mail*.elkdata.ee mx*.elkdata.ee' },
	cologlobal: { ...hosting, hosts: 'mx1.cologlobal.com mx2.cologlobal.com' },
	exclusivehosting: { ...hosting, hosts: 'mx1.exclusivehosting.net mx2.exclusivehosting.net' },
	ixwebhosting: { ...hosting, hosts: 'mail*.ixwebhosting.com' },
	liquidnet: { ...hosting, hosts: 'mx*.supremebox.com' },
	hallo_cloud: { ...hosting, hosts: 'r*.hallo.cloud' },
	hiway: { ...hosting, hosts: 'hades.hiway.at kerberos.hiway.at kratos.hiway.at' },
	node4web: { ...hosting, hosts: 'mailbox.node4web.at smtp.node4web.at' },
	viennaweb: { ...hosting, hosts: 'bulletproof.viennaweb.at' },

	// Internet access providers, public data centres and inbound APIs: we know nothing about their answers.
	amazon_ses: { ...unknown, word: 'amazon', hosts: 'inbound-smtp.*.amazonaws.com amazonses.com' },
	mailgun: { ...unknown, hosts: 'mxa.mailgun.org mxb.mailgun.org mxa.eu.mailgun.org mxb.eu.mailgun.org' },
	sendgrid: { ...unknown, name: 'SendGrid', hosts: 'mx.sendgrid.net' },
	a1: { ...unknown, hosts: 'mx*.a1.net smx*.a1.net securemx.a1.net mx*.lix.aon.at' },
	bon: { ...unknown, hosts: 'mx*.bon.at' },
	magenta: { ...unknown, hosts: 'mx.mymagenta.business' },
	cablelink: { ...unknown, hosts: 'mx-in.cablelink.at' },
	kabelplus: { ...unknown, hosts: 'kpm*.kabelplus.at' },
	flashnet: { ...unknown, hosts: 'spambox*.flashnet.at mailbackup.flashnet.at' },
	lgbs: { ...unknown, hosts: 'bari.lgbs.at' },
	mynet: { ...unknown, hosts: 'mx*.mynet.at' },
	net4you: { ...unknown, hosts: 'mx1.net4you.net mx2.net4you.net' },
	riepert: { ...unknown, hosts: 'antispam*.riepert.at' },
	ris: { ...unknown, hosts: 'mail.ris.at lmail*.ris.at' },
	styrion: { ...unknown, hosts: 'mx*.styrion.net' },
	wvnet: { ...unknown, hosts: 'smtpgate.wvnet.at esg.wvnet.eu' },
	ewetel: { ...unknown, hosts: 'mx*.ewetel.de bmx*.ewetel.de' },
	simnet: { ...unknown, hosts: 'mx-biz-*.simnet.is' },
	telia: { ...unknown, hosts: 'cmx.telia.ee mail.telia.com' },
	telstra: { ...unknown, hosts: 'postoffice.telstra.net' },
	asp_bgld: { ...unknown, hosts: 'smtp.asp-bgld.at' },
	cnv: { ...unknown, hosts: 'mail.cnv.at' },
	gemdat: {
		...unknown,
		hosts:
			'mxgateway.gemdatnoe.at mxgw.gemdatnoe.at mailrelay.gemserver.at mailrelay.noe.gemserver.at ' +
			'mailw.gemserver.at',
	},
	salzburg: { ...unknown, hosts: 'smtp.salzburg.at' },
	wien: { ...unknown, hosts: 'mx01.wien.gv.at mx02.wien.gv.at' },
} as const satisfies Readonly<Record<string, OperatorRow>>;
