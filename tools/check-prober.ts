import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { domainOf } from '../src/core/address/parse-address.ts';
import type { Egress } from '../src/core/egress/egress.ts';
import {
	addressBytes,
	isAddress,
	isInBlock,
	isPublicAddress,
	parseAddressBlock,
} from '../src/lib/ip-address.ts';
import { textTable } from '../src/lib/text.ts';
import { readProberConfig } from '../src/prober/config.ts';
import { dialBy, FAULTS } from '../src/prober/dial/dial.ts';
import { ANYWHERE, sourceTowards } from '../src/prober/dial/source-towards.ts';

const USAGE = `Usage: npm run -s prober -- check [--mx HOST] [--dns ADDRESS[:PORT]] [--seen-as ADDRESS]
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
	'seen-as': { type: 'string', default: '' },
	page: { type: 'string' },
	// Plain HTTP on purpose: with a clock that is far off no certificate would be good.
	clock: { type: 'string', default: 'http://www.cloudflare.com/' },
	help: { type: 'boolean', default: false },
} as const;

// Lists that many mail operators ask. Each answers 127.0.0.2 and the like for a listed address.
const BLOCK_LISTS = ['zen.spamhaus.org', 'b.barracudacentral.org', 'bl.spamcop.net', 'psbl.surriel.com'];
// The words for an imprint in the languages of those who ask for one; also as a link's address.
const IMPRINT =
	/impressum|imprint|legal[ -]?(?:notice|information)|mentions[ -]l[eé]gales|aviso[ -]legal|note[ -]legali/iu;
const CONTACT = /mailto:|\w@\w|[ck]onta[ck]t/iu;
const NO_DNS = 'the name servers do not say';
const DNS_MS = 3_000;
const CONNECT_MS = 10_000;
const CLOCK_OFFSET_MS_MAX = 60_000;

/** The thing looked at, its state as it is printed, and the finding with its remedy. */
type Line = readonly [what: string, state: 'ok' | 'mind' | 'WRONG' | '?', found: string];

/** The records of a name, or the names of an address; none where it has none, null where the name servers do not say. */
type Look = (name: string, type: 'A' | 'AAAA' | 'PTR' | 'TXT') => Promise<readonly string[] | null>;

/**
 * Runs the check and prints what it found. Throws a `ConfigError` where the prober would not start.
 *
 * @param words null: they are no words of the prober's
 * @returns the exit code: 0 where nothing is wrong, 1 where something is, 2 where the words were not understood
 */
export async function runCheck(
	words: readonly string[] | null,
	env: object,
	print: (text: string) => void = console.log,
): Promise<0 | 1 | 2> {
	const options = words && readOptions(words);
	if (options === null || options.help) {
		print(USAGE);
		return options === null ? 2 : 0;
	}
	const { mx: host, dns, 'seen-as': seenAs, page, clock } = options;
	const config = readProberConfig(env);
	const look = looker(dns);
	const mx = isAddress(host)
		? [host]
		: (await Promise.all([look(host, 'A'), look(host, 'AAAA')])).flatMap((found) => found ?? []);
	let wrong = 0;
	const show = (title: string, lines: readonly Line[]): void => {
		wrong += lines.filter(([, state]) => state === 'WRONG').length;
		print(`${title}\n${textTable(lines.map(([what, state, found]) => ['', state, what, found]))}\n`);
	};
	const ways = config.SMTP_EGRESS.map((egress) => withSources(egress, mx.length > 0 ? mx : ANYWHERE));
	for (const egress of (await Promise.all(ways)).flat()) {
		const heloName = egress.heloName ?? config.HELO_NAME;
		const helo = heloName.toLowerCase();
		// A source address speaks its own family only; what a proxy can do, only the proxy knows: IPv4 is the safer guess.
		const isV6 = egress.kind === 'direct' && isIPv6(egress.host);
		const address = mx.find((one) => isIPv6(one) === isV6);
		const [ofSource, source] = sourceOf(egress, seenAs);
		// RFC 7208 §2.3: servers that check HELO ask for its record, too.
		const domains = [domainOf(egress.mailFrom ?? config.MAIL_FROM), helo];
		const lines = await Promise.all([
			...(source === null
				? []
				: [checkNames(look, source, helo), ...domains.map((domain) => checkSpf(look, source, domain))]),
			checkPort25(egress, { address, hostName: host, port: config.SMTP_PORT }),
			checkPage(heloName, page ?? `http://${heloName}/`),
			...(source === null ? [] : BLOCK_LISTS.map((list) => checkBlockList(look, source, list))),
		]);
		show(egress.label, [ofSource, ...lines]);
	}
	show('this machine', [await checkClock(clock)]);
	print(wrong === 0 ? 'Nothing is wrong.' : `${wrong} to mend before mail operators are asked anything.`);
	return wrong === 0 ? 0 : 1;
}

function readOptions(words: readonly string[]) {
	try {
		const { values } = parseArgs({ args: [...words], options: OPTIONS });
		return values['seen-as'] === '' || isAddress(values['seen-as']) ? values : null;
	} catch {
		return null;
	}
}

/** @param server `address` or `address:port` of a name server; left out: those of the system */
function looker(server: string | undefined): Look {
	const resolver = new Resolver({ timeout: DNS_MS, tries: 2 });
	if (server !== undefined) resolver.setServers([server]);
	return async (name, type) => {
		try {
			if (type === 'TXT') return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
			if (type === 'PTR') return await resolver.reverse(name);
			return await resolver.resolve(name, type);
		} catch (error) {
			const { code = '' } = error as NodeJS.ErrnoException;
			return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : null;
		}
	};
}

/** A way out without a source address as those that the system would choose, one for each family that it has. */
async function withSources(egress: Egress, towards: readonly string[]): Promise<readonly Egress[]> {
	if (egress.kind !== 'direct' || egress.host !== '') return [egress];
	const sources = await Promise.all(towards.map(sourceTowards));
	const found = [...new Set(sources.filter((source) => source !== null))];
	return found.length === 0 ? [egress] : found.map((host) => ({ ...egress, host, label: `direct, ${host}` }));
}

/** The address that the Internet sees; null: none that this machine could know. */
function sourceOf(egress: Egress, seenAs: string): [Line, string | null] {
	const what = 'source address';
	if (egress.kind !== 'direct') {
		const found =
			'it is the proxy that has it: Ask the operator of the proxy for its PTR, SPF and block lists.';
		return [[what, '?', found], null];
	}
	if (egress.host === '')
		return [[what, 'WRONG', 'no route: Give this machine an address and a default route.'], null];
	const source = isPublicAddress(egress.host) ? egress.host : seenAs || egress.host;
	if (isPublicAddress(source)) return [[what, 'ok', source], source];
	const todo = 'Behind a NAT the Internet sees another address: check that one, with --seen-as ADDRESS.';
	return [[what, 'mind', `${source} is not public: ${todo}`], source];
}

/** Forward-confirmed reverse DNS: the address's name is ours in EHLO, and leads back to it (RFC 5321 §4.1.4). */
async function checkNames(look: Look, source: string, helo: string): Promise<Line> {
	const what = 'PTR = HELO';
	const names = await look(source, 'PTR');
	const addresses = await look(helo, isIPv6(source) ? 'AAAA' : 'A');
	if (names === null || addresses === null) return [what, '?', NO_DNS];
	if (!names.map((name) => name.toLowerCase().replace(/\.$/, '')).includes(helo)) {
		const todo = `Have the hoster set the PTR of ${source} to ${helo}, or set HELO_NAME to the PTR's name.`;
		return [what, 'WRONG', `${names.join(', ') || 'no PTR'}: ${todo}`];
	}
	if (addresses.includes(source)) return [what, 'ok', helo];
	const found = `${helo} is ${addresses.join(', ') || 'nowhere'}`;
	return [what, 'WRONG', `${found}: Add an address record: ${helo} → ${source}.`];
}

/**
 * Whether a domain's SPF record (RFC 7208) names the address itself, as our guide has it. Names in it are not followed:
 * where these may decide, the admin has to look.
 */
async function checkSpf(look: Look, source: string, domain: string): Promise<Line> {
	const what = `SPF of ${domain}`;
	const todo = `Let the TXT record of ${domain} allow it: v=spf1 ${isIPv6(source) ? 'ip6' : 'ip4'}:${source} -all`;
	const texts = await look(domain, 'TXT');
	if (texts === null) return [what, '?', NO_DNS];
	const [record, second] = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
	if (record === undefined) return [what, 'mind', `none: ${todo}`];
	if (second !== undefined) return [what, 'WRONG', `more than one record, so none counts: ${todo}`];
	const terms = record.split(/\s+/).slice(1);
	const allowed = terms.flatMap((term) => /^\+?ip[46]:(.+)$/i.exec(term)?.[1] ?? []);
	const isAllowed = allowed.some((text) => {
		const block = parseAddressBlock(text.includes('/') ? text : `${text}/${isIPv6(text) ? 128 : 32}`);
		return block !== null && isInBlock(source, block);
	});
	if (isAllowed || terms.some((term) => /^\+?all$/i.test(term))) return [what, 'ok', 'pass'];
	const name = terms.find((term) => /^\+?(?:a|mx|include|exists|redirect)\b/i.test(term));
	if (name !== undefined) return [what, '?', `${name} is not followed: ${todo}`];
	return [what, 'WRONG', `${source} is not in it: ${todo}`];
}

async function checkBlockList(look: Look, source: string, list: string): Promise<Line> {
	// RFC 5782 §5: every list has the first of these on it, and never the second. A list that has closed, or that answers
	// this resolver with nothing, has neither; one that lists the whole world has both.
	const controls = isIPv6(source) ? ['::ffff:7f00:2', '::ffff:7f00:1'] : ['127.0.0.2', '127.0.0.1'];
	const answers = await Promise.all(
		[source, ...controls].map((address) => look(`${reversed(address)}.${list}`, 'A')),
	);
	const [found = [], listed, never] = answers.map((answer) => answer ?? []);
	// Spamhaus says with 127.255.255.x that it does not answer this resolver.
	if (answers.includes(null) || found.some((answer) => answer.startsWith('127.255.255.')))
		return [list, '?', 'it does not answer this resolver'];
	if (listed?.length === 0 || never?.length !== 0)
		return [list, '?', 'it could not be asked: its test entries (RFC 5782 §5) are not what they must be'];
	if (found.length === 0) return [list, 'ok', 'not listed'];
	return [list, 'WRONG', `${found.join(', ')}: Look up why, and have it taken off: ${list}`];
}

/** RFC 5782 §2.1 and §2.4: the octets, or the nibbles, backwards. */
function reversed(address: string): string {
	const octets = Buffer.from(addressBytes(address) ?? []);
	const parts = isIPv6(address) ? octets.toString('hex').split('') : [...octets];
	return parts.toReversed().join('.');
}

/** Connects to a mail host that takes connections from everywhere, and reads its greeting. */
async function checkPort25(
	egress: Egress,
	{ address, hostName, port }: { address: string | undefined; hostName: string; port: number },
): Promise<Line> {
	const what = 'port 25';
	const closed = (why: string): Line => {
		return [what, 'WRONG', `${why}: Have the hoster open port 25 to the outside; some never do.`];
	};
	if (address === undefined) return closed(`${hostName} has no address that it could reach`);
	const opened = await dialBy({ now: Date.now }, egress, { host: address, port, hostName }, CONNECT_MS);
	if (opened.kind === 'fault') return closed(FAULTS[opened.fault]);
	if (opened.kind === 'no_connection') return closed(`${hostName}: ${opened.why}`);
	const { connection } = opened;
	const read = await connection.read(CONNECT_MS);
	if (read.kind === 'bytes') await connection.write(new TextEncoder().encode('QUIT\r\n'));
	await connection.close();
	if (read.kind !== 'bytes') return closed(`connected, but no greeting (${read.kind})`);
	const text = new TextDecoder('latin1').decode(read.bytes);
	const greeting = (text.split(/\r?\n/, 1)[0] ?? '').slice(0, 60);
	// RFC 5321 §3.1: 554 in place of the greeting refuses the address that connects.
	if (greeting.startsWith('220')) return [what, 'ok', greeting];
	const found = 'This mail host does not let the source address in: ask its postmaster.';
	return [what, 'WRONG', `${greeting}: ${found}`];
}

/** T-Online lets a host in only if the site of its HELO name says who runs it, and how to reach that person. */
async function checkPage(heloName: string, url: string): Promise<Line> {
	const todo = `Have http://${heloName}/ lead to a page with an imprint and a contact: T-Online lets no host in without.`;
	const response = await fetch(url, { signal: AbortSignal.timeout(CONNECT_MS) }).catch(() => null);
	const html = await response?.text().catch(() => null);
	if (typeof html !== 'string') return ['imprint', 'mind', `${url} does not answer: ${todo}`];
	if (response?.ok !== true) return ['imprint', 'mind', `${url} answers ${response?.status}: ${todo}`];
	const lacking = [IMPRINT.test(html) ? [] : 'imprint', CONTACT.test(html) ? [] : 'contact'].flat();
	if (lacking.length > 0) return ['imprint', 'mind', `the page has no ${lacking.join(' and no ')}: ${todo}`];
	return ['imprint', 'ok', `http://${heloName}/ has one, and a contact`];
}

/** Whether the machine's clock can be believed: budgets of the day and pauses hang on it. */
async function checkClock(url: string): Promise<Line> {
	const askedAt = Date.now();
	const init = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(CONNECT_MS) } as const;
	const response = await fetch(url, init).catch(() => null);
	// HTTP's Date has no fractions of a second, which is more than enough here (RFC 9110 §6.6.1).
	const offset = (askedAt + Date.now()) / 2 - Date.parse(response?.headers.get('date') ?? '');
	if (Number.isNaN(offset)) return ['clock', '?', 'no time server answered'];
	const seconds = `${(offset / 1000).toFixed(1)} s off`;
	if (Math.abs(offset) <= CLOCK_OFFSET_MS_MAX) return ['clock', 'ok', seconds];
	return ['clock', 'WRONG', `${seconds}: Let the machine keep its time (NTP).`];
}
