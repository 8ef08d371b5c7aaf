import { GATEWAYS } from './gateways.ts';
import { HOSTING } from './hosting.ts';
import { INTERNET_PROVIDERS } from './internet-providers.ts';
import { MAILBOX_HOSTS } from './mailbox-hosts.ts';
import type { OperatorRow, SpeaksFor } from './operator-row.ts';

/** An operator that we know. */
export type OperatorName =
	| keyof typeof MAILBOX_HOSTS
	| keyof typeof INTERNET_PROVIDERS
	| keyof typeof GATEWAYS
	| keyof typeof HOSTING;

/** One row per operator, collected from the MX records of 40,000 public bodies and from vendors' documents. */
export const OPERATORS: Readonly<Record<OperatorName, OperatorRow>> = {
	...MAILBOX_HOSTS,
	...INTERNET_PROVIDERS,
	...GATEWAYS,
	...HOSTING,
};

/** Whether there is a row of that name. */
export function isOperator(name: string): name is OperatorName {
	return Object.hasOwn(OPERATORS, name);
}

/** An operator's name in results; null: it has none. */
export function wordOf(operator: OperatorName): string | null {
	const { word } = OPERATORS[operator];
	return word === undefined ? operator : word;
}

/** The party for which the operator's hosts refuse us before RCPT. */
export function speaksForOf(operator: OperatorName): SpeaksFor {
	const row = OPERATORS[operator];
	return row.speaksFor ?? (isLarge(row) || row.standsWith !== undefined ? 'operator' : 'itself');
}

/** The operator with which the operator shares one standing and one budget: itself, or another of its company. */
export function companyOf(operator: OperatorName): OperatorName {
	return OPERATORS[operator].standsWith ?? operator;
}

/** Whether its servers are one service for many customers. */
function isLarge({ kind }: OperatorRow): boolean {
	return kind === 'mailbox' || kind === 'gateway';
}

/** The words for gateways, or for all other operators, that results use; sorted. */
export function operatorWords(which: 'gateways' | 'others'): readonly string[] {
	const names = (Object.keys(OPERATORS) as OperatorName[]).filter(
		(name) => (OPERATORS[name].kind === 'gateway') === (which === 'gateways'),
	);
	return [...new Set(names.map(wordOf).filter((word) => word !== null))].toSorted();
}

/** Names that differ from their words in more than a capital first letter: other capitals, spaces or signs. */
const SPELLINGS: Readonly<Record<string, string>> = {
	abv: 'abv.bg',
	addy: 'addy.io',
	allinkl: 'ALL-INKL',
	anti_spam_premium: 'Anti-Spam Premium',
	appriver: 'AppRiver',
	att: 'AT&T',
	au: 'au',
	biglobe: 'BIGLOBE',
	bt: 'BT',
	d_fence: 'D-Fence',
	docomo: 'docomo',
	dreamhost: 'DreamHost',
	dts: 'DTS',
	easyname: 'easyname',
	europeanmx: 'EuropeanMX',
	expurgate: 'eXpurgate',
	forwardemail: 'Forward Email',
	freenet: 'freenet',
	gmx: 'GMX',
	godaddy: 'GoDaddy',
	hey: 'HEY',
	iij: 'IIJ',
	improvmx: 'ImprovMX',
	ionos: 'IONOS',
	kpn: 'KPN',
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
	softbank: 'SoftBank',
	spamexperts: 'SpamExperts',
	spamhero: 'SpamHero',
	spamtitan: 'SpamTitan',
	startmail: 'StartMail',
	strato: 'STRATO',
	talktalk: 'TalkTalk',
	telekom: 'Deutsche Telekom',
	tim: 'TIM',
	trendmicro: 'Trend Micro',
	ukr_net: 'Ukr.net',
	uol: 'UOL',
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
