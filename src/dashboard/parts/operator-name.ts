// Names that a capital alone does not make.
const NAMES: Readonly<Record<string, string>> = {
	a1: 'A1',
	addy: 'addy.io',
	allinkl: 'ALL-INKL',
	amazon: 'Amazon',
	gmx: 'GMX',
	godaddy: 'GoDaddy',
	h_email: 'h-email',
	improvmx: 'ImprovMX',
	ionos: 'IONOS',
	mailbox_org: 'mailbox.org',
	mailru: 'Mail.ru',
	mxroute: 'MXroute',
	netease: 'NetEase',
	onet: 'Onet',
	ovh: 'OVHcloud',
	qq: 'QQ Mail',
	reg_ru: 'REG.RU',
	register_com: 'Register.com',
	register_it: 'Register.it',
	seppmail: 'SEPPmail',
	sfr: 'SFR',
	simplelogin: 'SimpleLogin',
	siteground: 'SiteGround',
	spamexperts: 'SpamExperts',
	spamtitan: 'SpamTitan',
	telekom: 'Deutsche Telekom',
	trendmicro: 'Trend Micro',
	vipre: 'VIPRE',
	webde: 'WEB.DE',
	wp: 'Wirtualna Polska',
};

/** What people call a mail operator or gateway: `google`, Google; `perception_point`, Perception Point. */
export function operatorName(word: string): string {
	return (
		NAMES[word] ??
		word
			.split('_')
			.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
			.join(' ')
	);
}
