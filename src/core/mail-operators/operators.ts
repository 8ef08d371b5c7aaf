/** What the operator does for the domain. A hosting row may also be an Internet access or a public data centre. */
export type OperatorKind = 'mailbox' | 'gateway' | 'forwarder' | 'hosting';

/** How a mail route answers for unknown recipients: the classes that the catch-all scorecard knows. */
export type RouteClass =
	| 'validating'
	| 'hosting'
	| 'microsoft365'
	| 'seg_callahead'
	| 'seg'
	| 'blind'
	| 'unknown';

/** Who runs a mail exchanger, found by its host name. */
export interface OperatorRule {
	operator: string;
	kind: OperatorKind;
	/** The public word for `smtp_provider`; null for gateways, which hide the provider, and for parking. */
	provider: string | null;
	/** The public word for `gateway`. */
	gateway: string | null;
	routeClass: RouteClass;
}

// One row: operator, its public word, and the names of its mail servers: each with everything below it, `*` standing for
// any part of one label. Only names that nobody but the operator gives to machines, so that nobody else can speak for it
// or pass for it: an Internet provider's own domain names its subscribers' lines as well, and a hoster's its customers'
// servers, so of those the mail servers alone stand here.
type Row = readonly [operator: string, word: string, names: string];

// Reject unknown recipients unless a catch-all is set up.
const VALIDATING: readonly Row[] = [
	['google', 'google', 'l.google.com smtp.google.com aspmx*.google.com googlemail.com'],
	['outlook', 'microsoft', 'olc.protection.outlook.com pamx*.hotmail.com mx*.hotmail.com'],
	['apple', 'apple', 'mail.icloud.com mail.me.com'],
	[
		'zoho',
		'zoho',
		'zoho.com zoho.eu zoho.in zoho.com.au zoho.jp zoho.sa zohocloud.ca zohocorp.com zohomail.com',
	],
	['proton', 'proton', 'protonmail.ch proton.me'],
	['fastmail', 'fastmail', 'messagingengine.com'],
	['yandex', 'yandex', 'mx*.yandex.net mx*.yandex.ru mail.yandex.net'],
	['gmx', 'gmx', 'gmx.net gmx.com mail.com'],
	['webde', 'webde', 'web.de'],
	['rackspace', 'rackspace', 'emailsrvr.com'],
	['migadu', 'migadu', 'migadu.com'],
	['tuta', 'tuta', 'tutanota.de tutanota.com tuta.com'],
	['mailbox_org', 'mailbox_org', 'mailbox.org'],
	['posteo', 'posteo', 'posteo.de'],
	['runbox', 'runbox', 'runbox.com'],
	['startmail', 'startmail', 'startmail.com'],
	['hey', 'hey', 'hey.com'],
	['tencent', 'tencent', 'qq.com'],
	['netease', 'netease', '163.com 126.com netease.com qiye163.com'],
	['alibaba', 'alibaba', 'mxhichina.com qiye.aliyun.com mail.aliyun.com'],
	['naver', 'naver', 'naver.com worksmobile.com'],
	['kakao', 'kakao', 'daum.net hanmail.net kakao.com'],
	['lark', 'lark', 'larksuite.com feishu.cn'],
	['seznam', 'seznam', 'seznam.cz'],
	['comcast', 'comcast', 'mx*.comcast.net'],
	['orange', 'orange', 'smtp-in*.orange.fr'],
	['laposte', 'laposte', 'smtpz*.laposte.net mx*.laposte.net'],
	['free', 'free', 'mx1.free.fr mx2.free.fr'],
	['sfr', 'sfr', 'smtp-in.sfr.fr'],
	['libero', 'libero', 'smtp-in.libero.it'],
	['rediff', 'rediff', 'rediffmail.com rediffmailpro.com rediff.akadns.net'],
	['wp', 'wp', 'mx*.wp.pl mx*.o2.pl poczta.o2.pl'],
	['onet', 'onet', 'poczta.onet.pl'],
	['interia', 'interia', 'mx*.interia.pl poczta.interia.pl'],
	['intermedia', 'intermedia', 'serverdata.net intermedia.net'],
];

// Authoritative domains reject, internal relays and hybrid ones accept everything.
const MICROSOFT365: readonly Row[] = [
	[
		'microsoft365',
		'microsoft',
		'protection.outlook.com eo.outlook.com mx.microsoft protection.outlook.de protection.office365.us partner.outlook.cn',
	],
];

// A mailbox host about whose answers nothing is known, or only after it has come to trust the caller.
const UNPROVEN: readonly Row[] = [
	['telekom', 'telekom', 'mx*.t-online.de tld.t-online.de'],
	['yahoo_japan', 'yahoo', 'mail.yahoo.co.jp'],
	['facebook', 'facebook', 'vvv.facebook.com'],
	['workmail', 'amazon', 'awsapps.com'],
];

// Say 250 to every RCPT, and refuse after DATA or bounce later.
const BLIND: readonly Row[] = [
	['yahoo', 'yahoo', 'yahoodns.net mail.yahoo.com mx.aol.com'],
	['mailru', 'mailru', 'mxs.mail.ru emx.mail.ru'],
];

const FORWARDERS: readonly Row[] = [
	['cloudflare', 'cloudflare', 'mx.cloudflare.net'],
	['forwardemail', 'forwardemail', 'forwardemail.net'],
	['improvmx', 'improvmx', 'improvmx.com'],
	['simplelogin', 'simplelogin', 'mx1.simplelogin.co mx2.simplelogin.co'],
	['addy', 'addy', 'mail*.anonaddy.me mail*.anonaddy.com mail*.addy.io'],
	['namecheap_forwarding', 'namecheap', 'eforward*.registrar-servers.com'],
	['mailhop', 'dyn', 'mx.mailhop.org mx1.mailhop.org mx2.mailhop.org'],
];

// These ask the mail server behind them before they answer, and remember what it said.
const CALL_AHEAD: readonly Row[] = [
	['barracuda', 'barracuda', 'barracudanetworks.com barracuda.com cudamail.com'],
	['proofpoint_essentials', 'proofpoint', 'ppe-hosted.com'],
	[
		'spamexperts',
		'spamexperts',
		'antispamcloud.com spamexperts.com spamexperts.net spamexperts.eu mtaroutes.com',
	],
];

// Their customers choose: a list of recipients, a question to the backend, or everything.
const GATEWAYS: readonly Row[] = [
	['proofpoint', 'proofpoint', 'pphosted.com gpphosted.com'],
	['mimecast', 'mimecast', 'mimecast.com mimecast.co.za mimecast-offshore.com'],
	['cisco', 'cisco', 'iphmx.com ironport.com'],
	['symantec', 'symantec', 'messagelabs.com'],
	['trendmicro', 'trendmicro', 'trendmicro.com trendmicro.eu trendmicro.co.jp'],
	['sophos', 'sophos', 'sophos.com'],
	['fortinet', 'fortinet', 'fortimailcloud.com fortimail.com'],
	['forcepoint', 'forcepoint', 'mailcontrol.com forcepoint.com'],
	['hornetsecurity', 'hornetsecurity', 'hornetsecurity.com hornetsecurity.ch antispameurope.com'],
	['zerospam', 'hornetsecurity', 'zerospam.ca'],
	['vade', 'vade', 'vadesecure.com'],
	['area1', 'cloudflare', 'mxrecord.io mxrecord.mx'],
	['trellix', 'trellix', 'fireeyecloud.com'],
	['trustwave', 'trustwave', 'mailmarshal.cloud'],
	['libraesva', 'libraesva', 'esvacloud.com'],
	['retarus', 'retarus', 'retarus.com'],
	['nospamproxy', 'nospamproxy', 'nospamproxy.com nospamproxy.de as-scan.de'],
	['seppmail', 'seppmail', 'seppmail.cloud seppmail.com'],
	['appriver', 'appriver', 'arsmtp.com appriver.com zixmail.net'],
	['mailprotector', 'mailprotector', 'emailservice.io emailservice.cc emailservice.co'],
	['spamtitan', 'spamtitan', 'titanhq.com spamtitan.com'],
	['spamhero', 'spamhero', 'spamhero.com spamhero.net mxthunder.com mxthunder.net'],
	['vipre', 'vipre', 'mailanyone.net mx25.net mx*.electric.net comendosystems.com comendosystems.net'],
	['staysecure', 'staysecure', 'staysecuregroup.com staysecuregroup.net'],
	['mailchannels', 'mailchannels', 'mailchannels.net'],
	['mailguard', 'mailguard', 'mailguard.com.au'],
	['mailinblack', 'mailinblack', 'mailinblack.com'],
	['mailroute', 'mailroute', 'mailroute.net'],
	['securence', 'securence', 'securence.com'],
	['perception_point', 'perception_point', 'perception-point.io'],
	['heimdal', 'heimdal', 'heimdalsecurity.com'],
	['expurgate', 'expurgate', 'expurgate.net ctmail.com'],
	['ikarus', 'ikarus', 'mymailwall.com mymailwall.at'],
	['iberlayer', 'iberlayer', 'iberlayer.com'],
	['altospam', 'altospam', 'altospam.com altospam.net'],
	['anti_spam_premium', 'anti_spam_premium', 'anti-spam-premium.com'],
	['abxsec', 'abxsec', 'abxsec.com'],
	['cleanmail', 'cleanmail', 'cleanmail.ch cleanmail.eu clean-mailbox.com cleanmail.safecenter.ch'],
	['d_fence', 'd_fence', 'd-fence.eu'],
	['dts', 'dts', 'dts-security.de'],
	['europeanmx', 'europeanmx', 'europeanmx.eu'],
	['firstwave', 'firstwave', 'firstcloudsecurity.net'],
	['postini', 'postini', 'psmtp.com'],
	['iij', 'iij', 'securemx.jp'],
	['mpssec', 'mpssec', 'mpssec.net'],
	['secmail', 'secmail', 'secmail.com'],
	['secumail', 'secumail', 'secumail.de'],
	['secure_mailgate', 'secure_mailgate', 'secure-mailgate.com secure-mailgateway.com'],
	['secure_shield', 'secure_shield', 'secure-shield.at'],
	['securemx', 'securemx', 'securemx.biz'],
	['secuserve', 'secuserve', 'security-mail.net'],
	['smx', 'smx', 'smxemail.com'],
	['spambusters', 'spambusters', 'spambusters.email'],
	['spamstopshere', 'spamstopshere', 'spamh.com'],
	['spamtador', 'spamtador', 'spamtador.com'],
	['spamvor', 'spamvor', 'spamvor.com'],
	['siminn_spamvorn', 'siminn', 'spamvorn.internet.is mx-biz.simnet.is'],
	['suantispam', 'suantispam', 'suantispam.com'],
	['correo_limpio', 'telefonica', 'correolimpio.telefonica.es'],
	['topsec', 'topsec', 'topsec.com'],
	['centera', 'centera', 'centerasecurity.dk'],
];

// Shared hosting and registrars: Exim, Plesk and the like, where a default address is one click away.
const HOSTING: readonly Row[] = [
	[
		'godaddy',
		'godaddy',
		'smtp.secureserver.net mailstore1.secureserver.net smtp.europe.secureserver.net mailstore1.europe.secureserver.net smtp.asia.secureserver.net mailstore1.asia.secureserver.net',
	],
	[
		'ionos',
		'ionos',
		'mx0*.ionos.de mx0*.ionos.com mx0*.ionos.fr mx0*.ionos.es mx0*.ionos.it mx0*.ionos.co.uk mx0*.kundenserver.de mx0*.schlund.de mx0*.1and1.com mxint0*.1and1.com mx0*.1and1.fr mx0*.1and1.co.uk mx0*.1and1.es mx0*.perfora.net',
	],
	['strato', 'strato', 'smtpin.rzone.de smtp.rzone.de post.strato.de smtp.strato.de'],
	['ovh', 'ovh', 'mail.ovh.net mail.ovh.ca mx*.ovh.net mx*.ovh.ca redirect.ovh.net'],
	['hostinger', 'hostinger', 'mx1.hostinger.com mx2.hostinger.com'],
	['titan', 'titan', 'titan.email'],
	['opensrs', 'opensrs', 'hostedemail.com'],
	['endurance', 'endurance', 'mailhostbox.com'],
	['namecheap', 'namecheap', 'privateemail.com jellyfish.systems smx*.web-hosting.com'],
	['siteground', 'siteground', 'mailspamprotection.com'],
	['combell', 'combell', 'mailprotect.be'],
	['one', 'one', 'mailpod*.one.com mailpod*.g1i.one.com mx-cluster*.one.com'],
	['gandi', 'gandi', 'mail.gandi.net'],
	['infomaniak', 'infomaniak', 'mta-gw.infomaniak.ch'],
	['hostpoint', 'hostpoint', 'mail.hostpoint.ch mx*.hostpoint.ch'],
	['loopia', 'loopia', 'mailcluster.loopia.se mail2.loopia.se'],
	['mxroute', 'mxroute', 'mxrouting.net mxroute.com mxlogin.com'],
	['hetzner', 'hetzner', 'www*.your-server.de dedi*.your-server.de'],
	['allinkl', 'allinkl', 'kasserver.com'],
	['netcup', 'netcup', 'mx*.netcup.net'],
	['domainfactory', 'domainfactory', 'mx*.ispgateway.de'],
	['mittwald', 'mittwald', 'mx*.agenturserver.de'],
	['united_domains', 'united_domains', 'mx*.udag.de smx*.udag.de'],
	['goneo', 'goneo', 'mx*.goneo.de'],
	['jimdo', 'jimdo', 'mx1.jimdo.com mx2.jimdo.com'],
	['easyname', 'easyname', 'mx0*.easyname.eu mx0*.easyname.com'],
	['dreamhost', 'dreamhost', 'mail.dreamhost.com mx1.dreamhost.com mx2.dreamhost.com'],
	['stackmail', 'stackmail', 'stackmail.com'],
	['hostopia', 'hostopia', 'mx*.siteprotect.com mx*.carrierzone.com mx*.megamailservers.com'],
	['hostedmxserver', 'hostedmxserver', 'hostedmxserver.com'],
	['open_xchange', 'open_xchange', 'oxcs.net'],
	['locaweb', 'locaweb', 'mx.locaweb.com.br mx.*.locaweb.com.br'],
	['register_it', 'register_it', 'mail.register.it'],
	['aruba', 'aruba', 'mx*.aruba.it'],
	['register_com', 'register_com', 'mx*.register.com'],
	['beget', 'beget', 'mx1.beget.com mx2.beget.com mx1.beget.ru mx2.beget.ru'],
	['timeweb', 'timeweb', 'mx1.timeweb.ru mx2.timeweb.ru'],
	['reg_ru', 'reg_ru', 'mx1.hosting.reg.ru mx2.hosting.reg.ru'],
	['cdmon', 'cdmon', 'mail*.cdmon.net mx*.cdmon.net'],
	['serviciodecorreo', 'serviciodecorreo', 'serviciodecorreo.es'],
	['kagoya', 'kagoya', 'dmail.kagoya.net mgws*.kagoya.net'],
	['pair', 'pair', 'mail*.pair.com qs*.pair.com vqs*.pair.com'],
	['zone', 'zone', 'zonemx.eu'],
	['elkdata', 'elkdata', 'mail*.elkdata.ee mx*.elkdata.ee'],
	['cologlobal', 'cologlobal', 'mx1.cologlobal.com mx2.cologlobal.com'],
	['exclusivehosting', 'exclusivehosting', 'mx1.exclusivehosting.net mx2.exclusivehosting.net'],
	['ixwebhosting', 'ixwebhosting', 'mail*.ixwebhosting.com'],
	['liquidnet', 'liquidnet', 'mx*.supremebox.com'],
	['hallo_cloud', 'hallo_cloud', 'r*.hallo.cloud'],
	['hiway', 'hiway', 'hades.hiway.at kerberos.hiway.at kratos.hiway.at'],
	['node4web', 'node4web', 'mailbox.node4web.at smtp.node4web.at'],
	['viennaweb', 'viennaweb', 'bulletproof.viennaweb.at'],
];

// Internet access providers, public data centres and inbound APIs: what they answer is anybody's guess.
const OTHERS: readonly Row[] = [
	['amazon_ses', 'amazon', 'inbound-smtp.*.amazonaws.com amazonses.com'],
	['mailgun', 'mailgun', 'mxa.mailgun.org mxb.mailgun.org mxa.eu.mailgun.org mxb.eu.mailgun.org'],
	['sendgrid', 'sendgrid', 'mx.sendgrid.net'],
	['a1', 'a1', 'mx*.a1.net smx*.a1.net securemx.a1.net mx*.lix.aon.at'],
	['bon', 'bon', 'mx*.bon.at'],
	['magenta', 'magenta', 'mx.mymagenta.business'],
	['cablelink', 'cablelink', 'mx-in.cablelink.at'],
	['kabelplus', 'kabelplus', 'kpm*.kabelplus.at'],
	['flashnet', 'flashnet', 'spambox*.flashnet.at mailbackup.flashnet.at'],
	['lgbs', 'lgbs', 'bari.lgbs.at'],
	['mynet', 'mynet', 'mx*.mynet.at'],
	['net4you', 'net4you', 'mx1.net4you.net mx2.net4you.net'],
	['riepert', 'riepert', 'antispam*.riepert.at'],
	['ris', 'ris', 'mail.ris.at lmail*.ris.at'],
	['styrion', 'styrion', 'mx*.styrion.net'],
	['wvnet', 'wvnet', 'smtpgate.wvnet.at esg.wvnet.eu'],
	['ewetel', 'ewetel', 'mx*.ewetel.de bmx*.ewetel.de'],
	['simnet', 'simnet', 'mx-biz-*.simnet.is'],
	['telia', 'telia', 'cmx.telia.ee mail.telia.com'],
	['telstra', 'telstra', 'postoffice.telstra.net'],
	['asp_bgld', 'asp_bgld', 'smtp.asp-bgld.at'],
	['cnv', 'cnv', 'mail.cnv.at'],
	[
		'gemdat',
		'gemdat',
		'mxgateway.gemdatnoe.at mxgw.gemdatnoe.at mailrelay.gemserver.at mailrelay.noe.gemserver.at mailw.gemserver.at',
	],
	['salzburg', 'salzburg', 'smtp.salzburg.at'],
	['wien', 'wien', 'mx01.wien.gv.at mx02.wien.gv.at'],
];

// Parked and misspelt domains: everything is accepted and nobody reads it.
const PARKING: readonly Row[] = [
	['above', '', 'park-mx.above.com'],
	['h_email', '', 'h-email.net'],
];

function rulesOf(kind: OperatorKind, routeClass: RouteClass, rows: readonly Row[]): [string, OperatorRule][] {
	return rows.flatMap(([operator, word, names]) => {
		const gateway = kind === 'gateway' ? word : null;
		const provider = kind === 'gateway' || word === '' ? null : word;
		const rule: OperatorRule = { operator, kind, provider, gateway, routeClass };
		return names.split(' ').map((name): [string, OperatorRule] => [name, rule]);
	});
}

/** The names of mail servers and their operators, from the MX records of 40,000 public bodies and vendors' documents. */
export const OPERATORS: ReadonlyMap<string, OperatorRule> = new Map([
	...rulesOf('mailbox', 'validating', VALIDATING),
	...rulesOf('mailbox', 'microsoft365', MICROSOFT365),
	...rulesOf('mailbox', 'unknown', UNPROVEN),
	...rulesOf('mailbox', 'blind', BLIND),
	...rulesOf('forwarder', 'validating', FORWARDERS),
	...rulesOf('gateway', 'seg_callahead', CALL_AHEAD),
	...rulesOf('gateway', 'seg', GATEWAYS),
	...rulesOf('hosting', 'hosting', HOSTING),
	...rulesOf('hosting', 'unknown', OTHERS),
	...rulesOf('hosting', 'unknown', PARKING),
]);
