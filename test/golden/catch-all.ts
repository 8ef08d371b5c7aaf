import { readFileSync } from 'node:fs';
import path from 'node:path';
import { accept } from '../sandbox/behaviour.ts';
import type { Behaviour, Recipient } from '../sandbox/behaviour.ts';
import type { RdapStory } from '../sandbox/rdap-server.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import { healthyNames } from '../sandbox/scenes/scene.ts';
import type { ZoneEntry } from '../sandbox/zone-lookup.ts';
import { worldOf } from './world.ts';
import type { World } from './world.ts';

// Catch-all addresses in terms of facts: a name, the way its domain's mail takes, and what is known of the domain.

/** What is known of a domain. */
interface Facts {
	readonly zone?: ZoneEntry;
	readonly names?: Readonly<Record<string, ZoneEntry>>;
	readonly age?: number;
	readonly rdap?: Partial<RdapStory>;
	/** The home page. */
	readonly page?: string;
}

const MAILS: ZoneEntry = { txt: ['v=spf1 mx ~all'] };
const dmarc = (policy: string) => ({ _dmarc: { txt: [`v=DMARC1; p=${policy}`] } });
const OWN_PAGE =
	'<html><title>Acme tools</title><p>We have made tools for gardens since 1990, and sell them.</p></html>';
const { _dmarc, ...WITHOUT_DMARC } = healthyNames('x.test');

/** By name. Left out of a row: no record, registered 5,000 days ago, no website that can be read. */
const FACTS: Readonly<Record<string, Facts>> = {
	ordinary: { zone: MAILS, names: { ...WITHOUT_DMARC, _dmarc: _dmarc ?? {} }, page: OWN_PAGE },
	bare: {},
	unknown: { zone: { silentTypes: ['TXT'] }, rdap: { fault: 'silence' } },
	unregistered: { rdap: { fault: 'unknown' } },
	newborn: { zone: MAILS, names: dmarc('none'), age: 3 },
	young: { zone: MAILS, names: dmarc('none'), age: 25 },
	'half a year': { zone: MAILS, names: dmarc('none'), age: 180 },
	'two years': { zone: MAILS, names: dmarc('none'), age: 700 },
	'two years, unprotected': { age: 700 },
	reborn: { zone: MAILS, rdap: { reregisteredDaysAgo: 20, expiresInDays: 345 } },
	parked: { zone: { ns: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], txt: ['v=spf1 -all'] }, age: 400 },
	'parked, newborn': {
		zone: { ns: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], txt: ['v=spf1 -all'] },
		age: 5,
	},
	'on hold': { zone: MAILS, rdap: { status: ['client hold'] } },
	expired: { zone: MAILS, rdap: { status: ['redemption period'], expiresInDays: -20 } },
	'pending delete': { zone: MAILS, rdap: { status: ['pending delete'], expiresInDays: -40 } },
	'sends no mail': { zone: { txt: ['v=spf1 -all'] }, names: dmarc('reject') },
	'spf alone': { zone: MAILS },
	'dmarc none': { zone: MAILS, names: dmarc('none') },
	'dmarc quarantine': { zone: MAILS, names: dmarc('quarantine') },
	'dmarc reject': { zone: MAILS, names: dmarc('reject') },
	'publishes jane.doe': { zone: MAILS, page: `${OWN_PAGE}<a href="mailto:jane.doe@{domain}">Jane Doe</a>` },
	'mta-sts too': {
		zone: MAILS,
		names: {
			...dmarc('reject'),
			'_mta-sts': { txt: ['v=STSv1; id=1'] },
			'_smtp._tls': { txt: ['v=TLSRPTv1; rua=mailto:t@x.test'] },
		},
	},
	'signed, bimi': {
		zone: MAILS,
		names: { ...dmarc('reject'), 'default._bimi': { txt: ['v=BIMI1; l=https://x.test/l.svg'] } },
	},
	wildcard: {
		zone: MAILS,
		names: { ...dmarc('none'), '*': { mx: [[10, 'mx.x.test']], a: ['198.18.255.2'] } },
	},
};

const PLAIN: Behaviour = { rcpt: accept };
const slowBy = (calloutMs: number): Behaviour => ({ rcpt: accept, calloutMs });
const isInvented = ({ mailbox }: { readonly mailbox: string }): boolean => !LISTED.has(mailbox);
/** A server that says this where it holds, and accepts otherwise. */
const saysWhere = (holds: (asked: Recipient) => boolean, reply: string): Behaviour => ({
	rcpt: (asked) => (holds(asked) ? reply : accept(asked)),
});
const listedHear = (reply: string): Behaviour => saysWhere((asked) => !isInvented(asked), reply);

/** The end of the mail host's name (null: a host of the domain's own), and how it behaves if it does not just accept. */
const ROUTES: Readonly<Record<string, readonly [suffix: string | null, behaviour?: Behaviour]>> = {
	plain: [null],
	implicit: [''],
	google: ['aspmx.l.google.com'],
	microsoft: ['mail.protection.outlook.com'],
	zoho: ['mx.zoho.com'],
	fastmail: ['in1-smtp.messagingengine.com'],
	proton: ['mail.protonmail.ch'],
	rackspace: ['mx1.emailsrvr.com'],
	proofpoint: ['gslb.pphosted.com'],
	proofpoint_essentials: ['ppe-hosted.com'],
	mimecast: ['eu-smtp-inbound-1.mimecast.com'],
	barracuda: ['ess.barracudanetworks.com'],
	cisco: ['iphmx.com'],
	spamexperts: ['antispamcloud.com'],
	sophos: ['eu-central-1.prod.hydra.sophos.com'],
	symantec: ['eu.messagelabs.com'],
	trendmicro: ['in.tmes.trendmicro.com'],
	fortinet: ['fortimailcloud.com'],
	hornetsecurity: ['hornetsecurity.com'],
	forcepoint: ['mailin.mx1.eu.forcepoint.com'],
	mailchannels: ['mx.mailchannels.net'],
	ionos: ['mx00.ionos.de'],
	ovh: ['mx1.mail.ovh.net'],
	godaddy: ['mailstore1.secureserver.net'],
	hostinger: ['mx1.hostinger.com'],
	improvmx: ['mx1.improvmx.com'],
	one_recipient: [null, saysWhere(({ index }) => index > 0, '452 4.5.3 Too many recipients')],
	slow: [null, slowBy(1_000)],
	very_slow: [null, slowBy(4_000)],
	shy: [null, saysWhere(isInvented, '450 4.2.0 Try again later')],
	greylists: [null, saysWhere(({ sinceFirstTryMs: since }) => since < 40_000, '450 4.7.1 Greylisted')],
	refuses_some: [null, saysWhere(({ mailbox }) => mailbox.startsWith('gone'), '550 5.1.1 No such user')],
	other_words: [null, listedHear('250 2.1.5 Ok, local mailbox')],
	policy: [null, listedHear('550 5.7.1 Access denied')],
	full: [null, listedHear('452 4.2.2 Mailbox full')],
};

/** Names that stand for their kind, where a table of all would say no more. */
const FEW = ['jane.doe', 'anna', 'wu', 'krzysztof', 's1234567', 'info', 'test', 'xq7zr9kk'];

function linesOf(file: string): readonly string[] {
	const text = readFileSync(path.join(import.meta.dirname, 'data', file), 'utf8');
	return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Every name of the file. */
const NAMES = linesOf('names.txt');
const LISTS = linesOf('lists.txt').map((line) => line.split('|').map((cell) => cell.trim()));
const LISTED: ReadonlySet<string> = new Set(
	[...NAMES, ...LISTS.flatMap(([, , , mailboxes = '']) => mailboxes.split(' '))].map((name) =>
		name.replace(/\+.*$/, ''),
	),
);

interface CatchAllCase {
	readonly name: string;
	readonly world: World;
	readonly emails: readonly string[];
}

/** One address each, asked about alone. */
export function catchAllAddresses(): readonly CatchAllCase[] {
	const but = (rows: object, ...names: readonly string[]) =>
		Object.keys(rows).filter((name) => !names.includes(name));
	return [
		...casesOf('ordinary', 'plain', NAMES),
		...casesOf('bare', 'plain', NAMES),
		...casesOf('ordinary', 'proofpoint', NAMES),
		...but(ROUTES, 'plain', 'proofpoint').flatMap((route) => casesOf('ordinary', route, FEW)),
		...but(FACTS, 'ordinary', 'bare').flatMap((facts) => casesOf(facts, 'plain', FEW)),
		...['dmarc reject', 'mta-sts too', 'signed, bimi', 'parked', 'unknown'].flatMap((facts) =>
			['google', 'proofpoint', 'ionos'].flatMap((route) => casesOf(facts, route, FEW)),
		),
	];
}

/** Addresses about which the account has reported what came of its own message. */
export function addressesWithOutcome(): readonly CatchAllCase[] {
	const places = [
		['ordinary', 'plain'],
		['ordinary', 'google'],
		['parked', 'plain'],
		['ordinary', 'refuses_some'],
	] as const;
	return places.flatMap(([facts, route]) => casesOf(facts, route, ['jane.doe', 'xq7zr9kk', 'gone.away']));
}

function casesOf(facts: string, route: string, names: readonly string[]): readonly CatchAllCase[] {
	const { domain, world } = placeOf(facts, route);
	return names.map((name) => ({
		name: `${route} | ${facts} | ${name}`,
		world,
		emails: [`${name}@${domain}`],
	}));
}

/** Lists whose addresses are evidence about each other. Those of another domain are not in question. */
export function catchAllLists(): readonly (CatchAllCase & { readonly others: readonly string[] })[] {
	return LISTS.map(([name = '', facts = '', route = '', mailboxes = '']) => {
		const { domain, world } = placeOf(facts, route);
		const words = mailboxes.split(' ');
		const emails = words.filter((word) => !word.includes('@')).map((mailbox) => `${mailbox}@${domain}`);
		const others = words.flatMap((word) => {
			const [, start = '', count = '0', end = ''] = /^(.*)\{(\d+)\}(@.*)$/.exec(word) ?? [];
			return Array.from({ length: Number(count) }, (_, at) => `${start}${at + 1}${end}`);
		});
		return { name, world, emails, others };
	});
}

/** Where some lists have their other addresses. */
const KNOWN: Scene = {
	domain: 'known.test',
	does: '',
	mail: [
		{
			preference: 10,
			host: 'mx.known.test',
			plays: saysWhere(({ mailbox }) => !mailbox.startsWith('yes'), '550 5.1.1 User unknown'),
		},
	],
	samples: [],
};

function placeOf(facts: string, route: string): { readonly domain: string; readonly world: World } {
	const { zone, names, age, rdap, page } = FACTS[facts] ?? raise(facts);
	const [suffix, plays = PLAIN] = ROUTES[route] ?? raise(route);
	const domain = `${`${route} ${facts}`.replaceAll(/[^a-z0-9]+/g, '-')}.test`;
	const host = suffix === null ? `mx.${domain}` : suffix === '' ? domain : `${domain.slice(0, -5)}.${suffix}`;
	const scene: Scene = {
		domain,
		does: '',
		mail: [{ preference: 10, host, plays }],
		zone: inDomain({ ...zone, ...(suffix === '' ? { mx: [] } : {}) }, domain),
		names: inDomain(names ?? {}, domain),
		...(age === undefined ? {} : { registeredDaysAgo: age }),
		...(rdap === undefined ? {} : { rdap }),
		samples: [],
	};
	const home = `https://${domain}/`;
	const site = [
		[home, page?.replaceAll('{domain}', domain) ?? ''],
		[`${home}robots.txt`, ''],
	] as const;
	return { domain, world: { ...worldOf([scene, KNOWN]), pages: new Map(page === undefined ? [] : site) } };
}

function inDomain<T extends object>(records: T, domain: string): T {
	return JSON.parse(JSON.stringify(records).replaceAll('{domain}', domain).replaceAll('x.test', domain)) as T;
}

function raise(name: string): never {
	throw new Error(`There is no row ${name}`);
}
