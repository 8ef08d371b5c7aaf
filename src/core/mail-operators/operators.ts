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

/** Who runs a mail exchanger, found by the end of its host name. */
export interface OperatorRule {
	operator: string;
	kind: OperatorKind;
	/** The public word for `smtp_provider`; null for gateways, which hide the provider, and for parking. */
	provider: string | null;
	/** The public word for `gateway`. */
	gateway: string | null;
	routeClass: RouteClass;
}

// One row: operator, the public word when it is another one, and host name endings on label boundaries.
type Row = readonly [operator: string, word: string, suffixes: string];

// Reject unknown recipients unless a catch-all is set up.
const VALIDATING: readonly Row[] = [
	['google', 'google', 'google.com googlemail.com'],
	['outlook', 'microsoft', 'olc.protection.outlook.com hotmail.com'],
	['apple', 'apple', 'icloud.com apple.com'],
	[
		'zoho',
		'zoho',
		'zoho.com zoho.eu zoho.in zoho.com.au zoho.jp zoho.sa zohocloud.ca zohocorp.com zohomail.com',
	],
	['proton', 'proton', 'protonmail.ch proton.me'],
	['fastmail', 'fastmail', 'messagingengine.com'],
	['yandex', 'yandex', 'yandex.net yandex.ru'],
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
	['alibaba', 'alibaba', 'mxhichina.com aliyun.com'],
	['naver', 'naver', 'naver.com worksmobile.com'],
	['kakao', 'kakao', 'daum.net hanmail.net kakao.com'],
	['lark', 'lark', 'larksuite.com feishu.cn'],
	['seznam', 'seznam', 'seznam.cz'],
	['comcast', 'comcast', 'comcast.net'],
	['orange', 'orange', 'orange.fr wanadoo.fr'],
	['laposte', 'laposte', 'laposte.net'],
	['free', 'free', 'free.fr'],
	['sfr', 'sfr', 'sfr.fr'],
	['libero', 'libero', 'libero.it'],
	['rediff', 'rediff', 'rediffmail.com rediff.com rediffmailpro.com'],
	['wp', 'wp', 'wp.pl o2.pl'],
	['onet', 'onet', 'onet.pl'],
	['interia', 'interia', 'interia.pl'],
	['intermedia', 'intermedia', 'serverdata.net intermedia.net'],
];

// Authoritative domains reject, internal relays and hybrid ones accept everything.
const MICROSOFT365: readonly Row[] = [
	[
		'microsoft365',
		'microsoft',
		'protection.outlook.com eo.outlook.com mx.microsoft protection.outlook.de outlook.de ' +
			'protection.office365.us partner.outlook.cn',
	],
];

// A mailbox host about whose answers nothing is known, or only after it has come to trust the caller.
const UNPROVEN: readonly Row[] = [
	['telekom', 'telekom', 't-online.de'],
	['yahoo_japan', 'yahoo', 'yahoo.co.jp'],
	['facebook', 'facebook', 'facebook.com'],
	['workmail', 'amazon', 'awsapps.com'],
];

// Say 250 to every RCPT, and refuse after DATA or bounce later.
const BLIND: readonly Row[] = [
	['yahoo', 'yahoo', 'yahoodns.net yahoo.com aol.com'],
	['mailru', 'mailru', 'mail.ru'],
];

const FORWARDERS: readonly Row[] = [
	['cloudflare', 'cloudflare', 'mx.cloudflare.net'],
	['forwardemail', 'forwardemail', 'forwardemail.net'],
	['improvmx', 'improvmx', 'improvmx.com'],
	['simplelogin', 'simplelogin', 'simplelogin.co'],
	['addy', 'addy', 'anonaddy.me anonaddy.com addy.io'],
	['namecheap_forwarding', 'namecheap', 'registrar-servers.com'],
	['mailhop', 'dyn', 'mailhop.org'],
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
	['vipre', 'vipre', 'mailanyone.net mx25.net electric.net comendosystems.com comendosystems.net'],
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
	['godaddy', 'godaddy', 'secureserver.net'],
	[
		'ionos',
		'ionos',
		'ionos.de ionos.com ionos.fr ionos.es ionos.it ionos.co.uk kundenserver.de schlund.de 1and1.com 1and1.fr ' +
			'1and1.co.uk 1and1.es perfora.net',
	],
	['strato', 'strato', 'rzone.de strato.de'],
	['ovh', 'ovh', 'ovh.net ovh.ca'],
	['hostinger', 'hostinger', 'hostinger.com'],
	['titan', 'titan', 'titan.email'],
	['opensrs', 'opensrs', 'hostedemail.com'],
	['endurance', 'endurance', 'mailhostbox.com'],
	['namecheap', 'namecheap', 'privateemail.com jellyfish.systems web-hosting.com'],
	['siteground', 'siteground', 'mailspamprotection.com'],
	['combell', 'combell', 'mailprotect.be'],
	['one', 'one', 'one.com'],
	['gandi', 'gandi', 'gandi.net'],
	['infomaniak', 'infomaniak', 'infomaniak.ch'],
	['hostpoint', 'hostpoint', 'hostpoint.ch'],
	['loopia', 'loopia', 'loopia.se'],
	['mxroute', 'mxroute', 'mxrouting.net mxroute.com mxlogin.com'],
	['hetzner', 'hetzner', 'your-server.de'],
	['allinkl', 'allinkl', 'kasserver.com'],
	['netcup', 'netcup', 'netcup.net'],
	['domainfactory', 'domainfactory', 'ispgateway.de'],
	['mittwald', 'mittwald', 'agenturserver.de'],
	['united_domains', 'united_domains', 'udag.de'],
	['goneo', 'goneo', 'goneo.de'],
	['jimdo', 'jimdo', 'jimdo.com'],
	['easyname', 'easyname', 'easyname.eu easyname.com'],
	['dreamhost', 'dreamhost', 'dreamhost.com'],
	['stackmail', 'stackmail', 'stackmail.com'],
	['hostopia', 'hostopia', 'siteprotect.com carrierzone.com megamailservers.com'],
	['hostedmxserver', 'hostedmxserver', 'hostedmxserver.com'],
	['open_xchange', 'open_xchange', 'oxcs.net'],
	['locaweb', 'locaweb', 'locaweb.com.br'],
	['register_it', 'register_it', 'register.it'],
	['aruba', 'aruba', 'aruba.it'],
	['register_com', 'register_com', 'register.com'],
	['beget', 'beget', 'beget.com beget.ru'],
	['timeweb', 'timeweb', 'timeweb.ru'],
	['reg_ru', 'reg_ru', 'reg.ru'],
	['cdmon', 'cdmon', 'cdmon.net'],
	['serviciodecorreo', 'serviciodecorreo', 'serviciodecorreo.es'],
	['kagoya', 'kagoya', 'kagoya.net'],
	['pair', 'pair', 'pair.com'],
	['zone', 'zone', 'zonemx.eu'],
	['elkdata', 'elkdata', 'elkdata.ee'],
	['cologlobal', 'cologlobal', 'cologlobal.com'],
	['exclusivehosting', 'exclusivehosting', 'exclusivehosting.net'],
	['ixwebhosting', 'ixwebhosting', 'ixwebhosting.com'],
	['liquidnet', 'liquidnet', 'supremebox.com'],
	['hallo_cloud', 'hallo_cloud', 'hallo.cloud'],
	['hiway', 'hiway', 'hiway.at'],
	['node4web', 'node4web', 'node4web.at'],
	['viennaweb', 'viennaweb', 'viennaweb.at'],
];

// Internet access providers, public data centres and inbound APIs: what they answer is anybody's guess.
const OTHERS: readonly Row[] = [
	['amazon_ses', 'amazon', 'inbound-smtp.amazonaws.com amazonses.com'],
	['mailgun', 'mailgun', 'mailgun.org'],
	['sendgrid', 'sendgrid', 'sendgrid.net'],
	['a1', 'a1', 'a1.net aon.at'],
	['bon', 'bon', 'bon.at'],
	['magenta', 'magenta', 'mymagenta.business'],
	['cablelink', 'cablelink', 'cablelink.at'],
	['kabelplus', 'kabelplus', 'kabelplus.at'],
	['flashnet', 'flashnet', 'flashnet.at'],
	['lgbs', 'lgbs', 'lgbs.at'],
	['mynet', 'mynet', 'mynet.at'],
	['net4you', 'net4you', 'net4you.net'],
	['riepert', 'riepert', 'riepert.at'],
	['ris', 'ris', 'ris.at'],
	['styrion', 'styrion', 'styrion.net'],
	['wvnet', 'wvnet', 'wvnet.at wvnet.eu'],
	['ewetel', 'ewetel', 'ewetel.de'],
	['simnet', 'simnet', 'simnet.is'],
	['telia', 'telia', 'telia.ee telia.com'],
	['telstra', 'telstra', 'telstra.net'],
	['asp_bgld', 'asp_bgld', 'asp-bgld.at'],
	['cnv', 'cnv', 'cnv.at'],
	['gemdat', 'gemdat', 'gemdatnoe.at gemserver.at'],
	['salzburg', 'salzburg', 'salzburg.at'],
	['wien', 'wien', 'wien.gv.at'],
];

// Parked and misspelt domains: everything is accepted and nobody reads it.
const PARKING: readonly Row[] = [
	['above', '', 'above.com'],
	['h_email', '', 'h-email.net'],
];

function rulesOf(kind: OperatorKind, routeClass: RouteClass, rows: readonly Row[]): [string, OperatorRule][] {
	return rows.flatMap(([operator, word, suffixes]) => {
		const gateway = kind === 'gateway' ? word : null;
		const provider = kind === 'gateway' || word === '' ? null : word;
		const rule: OperatorRule = { operator, kind, provider, gateway, routeClass };
		return suffixes.split(' ').map((suffix): [string, OperatorRule] => [suffix, rule]);
	});
}

/** Host name endings and their operators, from the MX records of 40,000 public bodies and vendors' documents. */
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
