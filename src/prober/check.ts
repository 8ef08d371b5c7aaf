import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { domainOf } from '../core/address/parse-address.ts';
import type { Egress } from '../core/egress/egress.ts';
import { isAddress, isPublicAddress } from '../lib/ip-address.ts';
import { textTable } from '../lib/text.ts';
import { sleep } from '../lib/time.ts';
import { readProberConfig } from './config.ts';
import type { ProberConfig } from './config.ts';
import { EgressDialer } from './dial/egress-dialer.ts';
import { overWaysOut } from './dial/ways-out.ts';
import { sourceTowards } from './dial/source-towards.ts';
import type { SenderIdentity } from './ports.ts';
import { checkSpf } from './spf.ts';

/** How `check` is used. */
export const CHECK_USAGE = `Usage: npm run -s prober -- check [--mx HOST] [--dns ADDRESS[:PORT]] [--seen-as ADDRESS]
                                     [--page URL] [--clock URL]

Looks at what mail operators see of each source address, with the prober's own environment, and asks nobody about any
mailbox. Ends with 1 where something is wrong.

--mx       a mail host to connect to on SMTP_PORT, by name or address; else one of Gmail's
--dns      the name server to ask; else the system's
--seen-as  the address that the Internet sees, where this machine has another (NAT)
--page     the page with the imprint; else that of http://HELO_NAME/
--clock    a web server whose Date is believed`;

const OPTIONS = {
	// It has addresses of both families, and greets everybody.
	mx: { type: 'string', default: 'gmail-smtp-in.l.google.com' },
	dns: { type: 'string' },
	'seen-as': { type: 'string' },
	page: { type: 'string' },
	// Plain HTTP on purpose: with a clock that is far off no certificate would be good.
	clock: { type: 'string', default: 'http://www.cloudflare.com/' },
	help: { type: 'boolean', default: false },
} as const;

// Public addresses of both families: to find by which address this machine speaks to the Internet, no more.
const ANYWHERE = ['1.1.1.1', '2606:4700:4700::1111'];
// Lists that many mail operators ask. Each answers 127.0.0.2 and the like for a listed address.
const BLOCK_LISTS = ['zen.spamhaus.org', 'b.barracudacentral.org', 'bl.spamcop.net', 'psbl.surriel.com'];
// Spamhaus says with 127.255.255.x that it does not answer this resolver.
const NOT_ASKED = /^127\.255\.255\./;
// RFC 5782 §5: every list has the first of these on it, and never the second. A list that has closed, or that answers this
// resolver with nothing, has neither; one that lists the whole world has both.
const CONTROLS = {
	4: { listed: '127.0.0.2', never: '127.0.0.1' },
	6: { listed: '::ffff:7f00:2', never: '::ffff:7f00:1' },
} as const;
// The words for an imprint in the languages of those who ask for one; also as a link's address.
const IMPRINT =
	/impressum|imprint|legal[ -]?(?:notice|information)|mentions[ -]l[eé]gales|aviso[ -]legal|note[ -]legali/iu;
const CONTACT = /mailto:|\w@\w|[ck]onta[ck]t/iu;
const NO_DNS = 'the name servers do not say';
const DNS_MS = 3_000;
const DIAL_MS = 10_000;
const GREETING_OCTETS_MAX = 1_024;
const WEB_MS = 10_000;
const PAGE_CHARS_MAX = 1_000_000;
const CLOCK_OFFSET_MS_MAX = 60_000;

/** The thing looked at, its state as it is printed, and the finding with its remedy. */
type Finding = readonly [what: string, state: 'ok' | 'mind' | 'WRONG' | '?', found: string];

/** The DNS as mail operators see it. Names without such a record have none; it throws when the servers do not say. */
type Dns = ReturnType<typeof dnsOf>;

/** A way out as it is looked at. */
interface Looked {
	readonly egress: Egress;
	readonly identity: SenderIdentity;
	readonly config: ProberConfig;
	readonly options: Options;
	readonly dns: Dns;
}

/**
 * Runs the check and prints what it found. Throws a `ConfigError` where the prober would not start.
 *
 * @returns the exit code: 0 where nothing is wrong, 1 where something is, 2 where the words were not understood
 */
export async function runCheck(
	words: readonly string[],
	env: object,
	print: (text: string) => void,
): Promise<0 | 1 | 2> {
	const options = readOptions(words);
	if (options === null || options.help) {
		print(CHECK_USAGE);
		return options === null ? 2 : 0;
	}
	const config = readProberConfig(env);
	const dns = dnsOf(options.dns);
	const towards = isAddress(options.mx) ? [options.mx] : await dns.addresses(options.mx).catch(() => []);
	const sections: (readonly [title: string, findings: readonly Finding[]])[] = [];
	for (const configured of config.SMTP_EGRESS) {
		const heloName = configured.heloName ?? config.HELO_NAME;
		const mailFrom = configured.mailFrom ?? config.MAIL_FROM;
		for (const egress of await withSources(configured, towards.length > 0 ? towards : ANYWHERE)) {
			const looked = { egress, identity: { heloName, mailFrom }, config, options, dns };
			sections.push([egress.label, await checkEgress(looked)]);
		}
	}
	sections.push(['this machine', [await checkClock(options.clock)]]);
	const tables = sections.map(([title, findings]) => {
		const rows = findings.map(([what, state, found]) => ['', state, what, found]);
		return `${title}\n${textTable(rows)}`;
	});
	print(tables.join('\n\n'));
	const wrong = sections.flatMap(([, findings]) => findings).filter(([, state]) => state === 'WRONG').length;
	print(wrong === 0 ? '\nNothing is wrong.' : `\n${wrong} to mend before mail operators are asked anything.`);
	return wrong === 0 ? 0 : 1;
}

type Options = NonNullable<ReturnType<typeof readOptions>>;

function readOptions(words: readonly string[]) {
	try {
		const { values } = parseArgs({ args: [...words], options: OPTIONS });
		const seenAs = values['seen-as'];
		return seenAs === undefined || isAddress(seenAs) ? values : null;
	} catch {
		return null;
	}
}

/** @param server `address` or `address:port` of a name server; left out: those of the system */
function dnsOf(server: string | undefined) {
	const resolver = new Resolver({ timeout: DNS_MS, tries: 2 });
	if (server !== undefined) resolver.setServers([server]);
	return {
		addresses: async (name: string): Promise<readonly string[]> => {
			const both = [orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))];
			return (await Promise.all(both)).flat();
		},
		txt: async (name: string) => (await orNone(resolver.resolveTxt(name))).map((strings) => strings.join('')),
		exchangers: async (name: string) =>
			(await orNone(resolver.resolveMx(name))).map(({ exchange }) => exchange),
		// Not `reverse`, which reads the machine's own hosts file first.
		names: (address: string) =>
			orNone(resolver.resolvePtr(`${reversed(address)}.${isIPv6(address) ? 'ip6' : 'in-addr'}.arpa`)),
	};
}

async function orNone<T>(answer: Promise<readonly T[]>): Promise<readonly T[]> {
	try {
		return await answer;
	} catch (error) {
		const { code = '' } = error as NodeJS.ErrnoException;
		if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
		throw error;
	}
}

/** A way out without a source address as those that the system would choose, one for each family that it has. */
async function withSources(egress: Egress, towards: readonly string[]): Promise<readonly Egress[]> {
	if (egress.kind !== 'direct' || egress.host !== '') return [egress];
	const sources = await Promise.all(towards.map(sourceTowards));
	const found = [...new Set(sources.filter((source) => source !== null))];
	return found.length === 0 ? [egress] : found.map((host) => ({ ...egress, host, label: `direct, ${host}` }));
}

/** One way out as mail operators will see it, and what to do before they are asked anything. */
async function checkEgress(looked: Looked): Promise<readonly Finding[]> {
	const { egress, identity, options, dns } = looked;
	const [port25, page] = await Promise.all([
		checkPort25(looked),
		checkPage(identity.heloName, options.page ?? `http://${identity.heloName}/`),
	]);
	if (egress.kind !== 'direct')
		return [
			[
				'source address',
				'?',
				'it is the proxy that has it: Ask the operator of the proxy for its PTR, SPF and block lists.',
			],
			port25,
			page,
		];
	if (egress.host === '')
		return [
			['source address', 'WRONG', 'no route: Give this machine an address and a default route.'],
			port25,
			page,
		];
	const isPublic = isPublicAddress(egress.host);
	const source = isPublic ? egress.host : (options['seen-as'] ?? egress.host);
	const helo = identity.heloName.toLowerCase();
	const ofSource: Finding = isPublicAddress(source)
		? ['source address', 'ok', source]
		: [
				'source address',
				'mind',
				`${source} is not public: Behind a NAT the Internet sees another address: check that one, with --seen-as ADDRESS.`,
			];
	const looks = [
		checkNames(dns, source, helo),
		checkSpfOf(dns, source, domainOf(identity.mailFrom)),
		// RFC 7208 §2.3: servers that check HELO ask for its record.
		checkSpfOf(dns, source, helo),
		...BLOCK_LISTS.map((list) => checkBlockList(dns, source, list)),
	];
	const [names, sender, ofHelo, ...lists] = (await Promise.all(looks)) as [Finding, Finding, Finding];
	return [ofSource, names, sender, ofHelo, port25, page, ...(lists as Finding[])];
}

/** Forward-confirmed reverse DNS: the address's name is ours in EHLO, and leads back to it (RFC 5321 §4.1.4). */
async function checkNames(dns: Dns, source: string, helo: string): Promise<Finding> {
	const what = 'PTR = HELO';
	const names = await orNull(dns.names(source));
	if (names === null) return [what, '?', NO_DNS];
	if (!names.map((name) => name.toLowerCase().replace(/\.$/, '')).includes(helo)) {
		const found = names.length === 0 ? 'no PTR' : names.join(', ');
		const todo = `Have the hoster set the PTR of ${source} to ${helo}, or set HELO_NAME to the PTR's name.`;
		return [what, 'WRONG', `${found}: ${todo}`];
	}
	const addresses = await orNull(dns.addresses(helo));
	if (addresses === null) return [what, '?', NO_DNS];
	if (addresses.includes(source)) return [what, 'ok', helo];
	const found = `${helo} is ${addresses.join(', ') || 'nowhere'}`;
	return [what, 'WRONG', `${found}: Add an address record: ${helo} → ${source}.`];
}

async function checkSpfOf(dns: Dns, source: string, domain: string): Promise<Finding> {
	const what = `SPF of ${domain}`;
	const result = await checkSpf(dns, domain, source);
	if (result === 'pass') return [what, 'ok', 'pass'];
	if (result === 'temperror') return [what, '?', NO_DNS];
	const family = source.includes(':') ? 'ip6' : 'ip4';
	const state = result === 'none' || result === 'neutral' ? 'mind' : 'WRONG';
	const todo = `Let the TXT record of ${domain} allow it: v=spf1 ${family}:${source} -all`;
	return [what, state, `${result}: ${todo}`];
}

/** Connects to a mail host that takes connections from everywhere, and reads its greeting. */
async function checkPort25({ egress, identity, config, options, dns }: Looked): Promise<Finding> {
	const what = 'port 25';
	const closed = (why: string): Finding => [
		what,
		'WRONG',
		`${why}: Have the hoster open port 25 to the outside; some never do.`,
	];
	try {
		const addresses = isAddress(options.mx) ? [options.mx] : await dns.addresses(options.mx);
		// A source address speaks its own family only; what a proxy can do, only the proxy knows: IPv4 is the safer guess.
		const family = egress.kind === 'direct' && isIPv6(egress.host);
		const address = addresses.find((one) => isIPv6(one) === family);
		if (address === undefined) return closed(`${options.mx} has no address that it could reach`);
		const settings = { egresses: [egress], smtpPort: config.SMTP_PORT, identity };
		const dialer = new EgressDialer(settings, { now: () => Date.now(), sleep });
		const target = { domain: options.mx, address, hostName: options.mx };
		const dialled = await overWaysOut(dialer, target, (by) =>
			dialer.dial({ ...target, egress: by }, DIAL_MS),
		);
		if (dialled.kind === 'no_connection') return closed(`${options.mx}: ${dialled.why}`);
		const { connection } = dialled;
		let text = '';
		while (!text.includes('\n') && text.length < GREETING_OCTETS_MAX) {
			const read = await connection.read(DIAL_MS);
			if (read.kind !== 'bytes') {
				await connection.close();
				return closed(`connected, but no greeting (${read.kind})`);
			}
			text += new TextDecoder('latin1').decode(read.bytes);
		}
		await connection.write(new TextEncoder().encode('QUIT\r\n'));
		await connection.close();
		const greeting = (text.split(/\r?\n/, 1)[0] ?? '').slice(0, 60);
		// RFC 5321 §3.1: 554 in place of the greeting refuses the address that connects.
		if (greeting.startsWith('220')) return [what, 'ok', greeting];
		const todo = 'This mail host does not let the source address in: ask its postmaster.';
		return [what, 'WRONG', `${greeting}: ${todo}`];
	} catch (error) {
		return closed(error instanceof Error ? error.message : 'it failed');
	}
}

/** T-Online lets a host in only if the site of its HELO name says who runs it, and how to reach that person. */
async function checkPage(heloName: string, url: string): Promise<Finding> {
	const todo = `Have http://${heloName}/ lead to a page with an imprint and a contact: T-Online lets no host in without.`;
	const mind = (found: string): Finding => ['imprint', 'mind', `${found}: ${todo}`];
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(WEB_MS) });
		const html = (await response.text()).slice(0, PAGE_CHARS_MAX);
		if (!response.ok) return mind(`${response.url} answers ${response.status}`);
		const lacking = [IMPRINT.test(html) ? '' : 'imprint', CONTACT.test(html) ? '' : 'contact'].filter(
			Boolean,
		);
		if (lacking.length > 0) return mind(`the page has no ${lacking.join(' and no ')}`);
		return ['imprint', 'ok', `http://${heloName}/ has one, and a contact`];
	} catch {
		return mind(`${url} does not answer`);
	}
}

async function checkBlockList(dns: Dns, source: string, list: string): Promise<Finding> {
	const { listed, never } = CONTROLS[source.includes(':') ? 6 : 4];
	const look = async (address: string): Promise<readonly string[] | null> => {
		const answers = await orNull(dns.addresses(`${reversed(address)}.${list}`));
		return answers?.some((answer) => NOT_ASKED.test(answer)) === true ? null : answers;
	};
	const [answers, control, counterControl] = await Promise.all([look(source), look(listed), look(never)]);
	if (answers === null || control === null || counterControl === null)
		return [list, '?', 'it does not answer this resolver'];
	if (control.length === 0 || counterControl.length > 0)
		return [list, '?', 'it could not be asked: its test entries (RFC 5782 §5) are not what they must be'];
	if (answers.length === 0) return [list, 'ok', 'not listed'];
	return [list, 'WRONG', `${answers.join(', ')}: Look up why, and have it taken off: ${list}`];
}

/** Whether the machine's clock can be believed: budgets of the day and pauses hang on it. */
async function checkClock(url: string): Promise<Finding> {
	const askedAt = Date.now();
	try {
		const signal = AbortSignal.timeout(WEB_MS);
		const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
		// HTTP's Date has no fractions of a second, which is more than enough here (RFC 9110 §6.6.1).
		const theirs = Date.parse(response.headers.get('date') ?? '');
		const offset = (askedAt + Date.now()) / 2 - theirs;
		if (Number.isNaN(offset)) return ['clock', '?', 'no time server answered'];
		const seconds = `${(offset / 1000).toFixed(1)} s off`;
		if (Math.abs(offset) <= CLOCK_OFFSET_MS_MAX) return ['clock', 'ok', seconds];
		return ['clock', 'WRONG', `${seconds}: Let the machine keep its time (NTP).`];
	} catch {
		return ['clock', '?', 'no time server answered'];
	}
}

/** RFC 5782 §2.1 and §2.4: the octets, or the nibbles, backwards. */
function reversed(address: string): string {
	if (!address.includes(':')) return address.split('.').toReversed().join('.');
	const [head = '', tail = ''] = address.split('::');
	const [left = [], right = []] = [head, tail].map((half) => half.split(':').filter((word) => word !== ''));
	const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
	const words = [...left, ...(address.includes('::') ? zeros : []), ...right];
	const digits = words.map((word) => word.padStart(4, '0')).join('');
	return digits.split('').toReversed().join('.');
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
	try {
		return await answer;
	} catch {
		return null;
	}
}
