/** Names that differ from their words in more than a capital first letter: other capitals, spaces or signs. */
const SPELLINGS: Readonly<Record<string, string>> = {
	addy: 'addy.io',
	allinkl: 'ALL-INKL',
	anti_spam_premium: 'Anti-Spam Premium',
	appriver: 'AppRiver',
	d_fence: 'D-Fence',
	dreamhost: 'DreamHost',
	dts: 'DTS',
	easyname: 'easyname',
	europeanmx: 'EuropeanMX',
	expurgate: 'eXpurgate',
	forwardemail: 'Forward Email',
	gmx: 'GMX',
	godaddy: 'GoDaddy',
	hey: 'HEY',
	iij: 'IIJ',
	improvmx: 'ImprovMX',
	ionos: 'IONOS',
	laposte: 'La Poste',
	mailbox_org: 'mailbox.org',
	mailchannels: 'MailChannels',
	mailguard: 'MailGuard',
	mailru: 'Mail.ru',
	microsoft365: 'Microsoft 365',
	mxroute: 'MXroute',
	netcup: 'netcup',
	netease: 'NetEase',
	nospamproxy: 'NoSpamProxy',
	one: 'one.com',
	open_xchange: 'Open-Xchange',
	opensrs: 'OpenSRS',
	ovh: 'OVHcloud',
	reg_ru: 'REG.RU',
	register_com: 'Register.com',
	register_it: 'Register.it',
	sendgrid: 'SendGrid',
	seppmail: 'SEPPmail',
	sfr: 'SFR',
	simplelogin: 'SimpleLogin',
	siteground: 'SiteGround',
	smx: 'SMX',
	spamexperts: 'SpamExperts',
	spamhero: 'SpamHero',
	spamtitan: 'SpamTitan',
	startmail: 'StartMail',
	strato: 'STRATO',
	telekom: 'Deutsche Telekom',
	trendmicro: 'Trend Micro',
	vipre: 'VIPRE',
	webde: 'WEB.DE',
	wp: 'Wirtualna Polska',
};

/** The usual name of a mail operator, by its word in results: `google`, Google; `mailbox_org`, mailbox.org. */
export function displayNameOf(word: string): string {
	const known = SPELLINGS[word];
	if (known !== undefined) return known;
	return word
		.split('_')
		.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
		.join(' ');
}
