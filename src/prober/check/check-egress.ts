import { domainOf } from '../../core/address/parse-address.ts';
import type { Egress } from '../../core/egress/egress.ts';
import { isPublicAddress } from '../../lib/ip-address.ts';
import type { SenderIdentity } from '../ports.ts';
import { checkSpf } from './spf.ts';
import type { SpfDns } from './spf.ts';

/** One thing that was looked at. */
export interface Finding {
	readonly what: string;
	readonly state: 'ok' | 'warning' | 'wrong' | 'unknown';
	readonly found: string;
	/** The remedy; null where all is well. */
	readonly todo: string | null;
}

export interface CheckDns extends SpfDns {
	/** Names of an address. */
	names(address: string): Promise<readonly string[]>;
}

export interface CheckPorts {
	readonly dns: CheckDns;
	/** The greeting of a mail host that takes connections from everywhere, by this way out; or why there is none. */
	readonly greeting: (egress: Egress) => Promise<{ readonly text: string } | { readonly failed: string }>;
	/** The page that a browser shows for a HELO name, or why there is none. */
	readonly page: (heloName: string) => Promise<{ readonly html: string } | { readonly failed: string }>;
	/** The address that the Internet sees a direct way out come from; null: not known. */
	readonly sourceOf: (egress: Egress) => Promise<string | null>;
	/** How far the machine's clock is off, in milliseconds; null: no clock could be asked. */
	readonly clockOffsetMs: () => Promise<number | null>;
}

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
const CLOCK_OFFSET_MS_MAX = 60_000;

/** One way out as mail operators will see it, and what to do before they are asked anything. */
export async function checkEgress(
	ports: CheckPorts,
	egress: Egress,
	identity: SenderIdentity,
): Promise<readonly Finding[]> {
	const source = await ports.sourceOf(egress);
	const [port25, page] = await Promise.all([checkPort25(ports, egress), checkPage(ports, identity.heloName)]);
	if (source === null) return [noSource(egress), port25, page];
	const helo = identity.heloName.toLowerCase();
	const [names, sender, ofHelo, ...lists] = await Promise.all([
		checkNames(ports.dns, source, helo),
		checkSpfOf(ports.dns, source, domainOf(identity.mailFrom)),
		// RFC 7208 §2.3: servers that check HELO ask for its record.
		checkSpfOf(ports.dns, source, helo),
		...BLOCK_LISTS.map((list) => checkBlockList(ports.dns, source, list)),
	]);
	return [checkSource(source), names, sender, ofHelo, port25, page, ...lists];
}

/** Whether the machine's clock can be believed: budgets of the day and pauses hang on it. */
export async function checkClock(ports: Pick<CheckPorts, 'clockOffsetMs'>): Promise<Finding> {
	const offset = await ports.clockOffsetMs();
	const what = 'clock';
	if (offset === null) return { what, state: 'unknown', found: 'no time server answered', todo: null };
	const seconds = `${(offset / 1000).toFixed(1)} s off`;
	return Math.abs(offset) <= CLOCK_OFFSET_MS_MAX
		? { what, state: 'ok', found: seconds, todo: null }
		: { what, state: 'wrong', found: seconds, todo: 'Let the machine keep its time (NTP).' };
}

function noSource({ kind }: Egress): Finding {
	const what = 'source address';
	return kind === 'direct'
		? { what, state: 'wrong', found: 'no route', todo: 'Give this machine an address and a default route.' }
		: {
				what,
				state: 'unknown',
				found: 'it is the proxy that has it',
				todo: 'Ask the operator of the proxy for its PTR, SPF and block lists.',
			};
}

function checkSource(source: string): Finding {
	return isPublicAddress(source)
		? { what: 'source address', state: 'ok', found: source, todo: null }
		: {
				what: 'source address',
				state: 'warning',
				found: `${source} is not public`,
				todo: 'Behind a NAT the Internet sees another address: check that one, with --seen-as ADDRESS.',
			};
}

/** Forward-confirmed reverse DNS: the address's name is ours in EHLO, and leads back to it (RFC 5321 §4.1.4). */
async function checkNames(dns: CheckDns, source: string, helo: string): Promise<Finding> {
	const what = 'PTR = HELO';
	const names = await orNull(dns.names(source));
	if (names === null) return unknown(what, 'the name servers do not say');
	if (!names.map((name) => name.toLowerCase().replace(/\.$/, '')).includes(helo))
		return {
			what,
			state: 'wrong',
			found: names.length === 0 ? 'no PTR' : names.join(', '),
			todo: `Have the hoster set the PTR of ${source} to ${helo}, or set HELO_NAME to the PTR's name.`,
		};
	const addresses = await orNull(dns.addresses(helo));
	if (addresses === null) return unknown(what, 'the name servers do not say');
	return addresses.includes(source)
		? { what, state: 'ok', found: helo, todo: null }
		: {
				what,
				state: 'wrong',
				found: `${helo} is ${addresses.join(', ') || 'nowhere'}`,
				todo: `Add an address record: ${helo} → ${source}.`,
			};
}

async function checkSpfOf(dns: CheckDns, source: string, domain: string): Promise<Finding> {
	const what = `SPF of ${domain}`;
	const result = await checkSpf(dns, domain, source);
	if (result === 'pass') return { what, state: 'ok', found: 'pass', todo: null };
	if (result === 'temperror') return unknown(what, 'the name servers do not say');
	const family = source.includes(':') ? 'ip6' : 'ip4';
	return {
		what,
		state: result === 'none' || result === 'neutral' ? 'warning' : 'wrong',
		found: result,
		todo: `Let the TXT record of ${domain} allow it: v=spf1 ${family}:${source} -all`,
	};
}

async function checkPort25({ greeting }: CheckPorts, egress: Egress): Promise<Finding> {
	const what = 'port 25';
	const heard = await greeting(egress);
	if ('text' in heard) {
		const found = heard.text.slice(0, 60);
		// RFC 5321 §3.1: 554 in place of the greeting refuses the address that connects.
		return heard.text.startsWith('220')
			? { what, state: 'ok', found, todo: null }
			: {
					what,
					state: 'wrong',
					found,
					todo: 'This mail host does not let the source address in: ask its postmaster.',
				};
	}
	return {
		what,
		state: 'wrong',
		found: heard.failed,
		todo: 'Have the hoster open port 25 to the outside; some never do.',
	};
}

// The words for an imprint in the languages of those who ask for one; also as a link's address.
const IMPRINT =
	/impressum|imprint|legal[ -]?(?:notice|information)|mentions[ -]l[eé]gales|aviso[ -]legal|note[ -]legali/iu;
const CONTACT = /mailto:|\w@\w|[ck]onta[ck]t/iu;

/** T-Online lets a host in only if the site of its HELO name says who runs it, and how to reach that person. */
async function checkPage({ page }: CheckPorts, heloName: string): Promise<Finding> {
	const what = 'imprint';
	const todo = `Have http://${heloName}/ lead to a page with an imprint and a contact: T-Online lets no host in without.`;
	const site = await page(heloName);
	if ('failed' in site) return { what, state: 'warning', found: site.failed, todo };
	const lacking = [IMPRINT.test(site.html) ? null : 'imprint', CONTACT.test(site.html) ? null : 'contact'];
	const found = lacking.filter((one) => one !== null).join(' and no ');
	return found === ''
		? { what, state: 'ok', found: `http://${heloName}/ has one, and a contact`, todo: null }
		: { what, state: 'warning', found: `the page has no ${found}`, todo };
}

async function checkBlockList(dns: CheckDns, source: string, list: string): Promise<Finding> {
	const what = list;
	const { listed, never } = CONTROLS[source.includes(':') ? 6 : 4];
	const look = async (address: string): Promise<readonly string[] | null> => {
		const answers = await orNull(dns.addresses(`${reversed(address)}.${list}`));
		return answers?.some((answer) => NOT_ASKED.test(answer)) === true ? null : answers;
	};
	const [answers, control, counterControl] = await Promise.all([look(source), look(listed), look(never)]);
	if (answers === null || control === null || counterControl === null)
		return unknown(what, 'it does not answer this resolver');
	if (control.length === 0 || counterControl.length > 0)
		return unknown(what, 'it could not be asked: its test entries (RFC 5782 §5) are not what they must be');
	return answers.length === 0
		? { what, state: 'ok', found: 'not listed', todo: null }
		: {
				what,
				state: 'wrong',
				found: answers.join(', '),
				todo: `Look up why, and have it taken off: ${list}`,
			};
}

/** RFC 5782 §2.1 and §2.4: the octets, or the nibbles, backwards. */
export function reversed(address: string): string {
	if (!address.includes(':')) return address.split('.').toReversed().join('.');
	const [head = '', tail = ''] = address.split('::');
	const [left, right] = [head, tail].map((half) => half.split(':').filter((word) => word !== ''));
	const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0');
	const words = [...(left ?? []), ...(address.includes('::') ? zeros : []), ...(right ?? [])];
	const digits = words.map((word) => word.padStart(4, '0')).join('');
	return digits.split('').toReversed().join('.');
}

function unknown(what: string, found: string): Finding {
	return { what, state: 'unknown', found, todo: null };
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
	try {
		return await answer;
	} catch {
		return null;
	}
}
