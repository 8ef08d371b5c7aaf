import type { Behaviour } from '../sandbox/behaviour.ts';
import { accept, refuseUnknown } from '../sandbox/behaviour.ts';
import type { Counters } from '../sandbox/counters.ts';
import { makeCounters } from '../sandbox/counters.ts';
import { startDnsServer, startPlainDnsServer } from '../sandbox/dns-server.ts';
import { startRdapServer } from '../sandbox/rdap-server.ts';
import { startSocksServer } from '../sandbox/socks-server.ts';
import { startSmtpServer } from '../sandbox/smtp-server.ts';
import { TranscriptLog } from '../sandbox/transcript.ts';
import { SANDBOX_RANGE } from '../sandbox/world.ts';
import type { ZoneEntry } from '../sandbox/zone-lookup.ts';
import { IDENTITY } from './contenders/peers.ts';
import type { WorldPorts } from './contenders/redirect.ts';

/** Round trips, in milliseconds. Connecting costs none on loopback, so it is no part of any floor here. */
export interface Delays {
	readonly dnsMs: number;
	/** To the proxy; each of its own replies waits this long. */
	readonly proxyMs: number;
	/** To mail servers, through the proxy or not. */
	readonly replyMs: number;
}

/** Where only our own time counts. */
export const NO_DELAYS: Delays = { dnsMs: 0, proxyMs: 0, replyMs: 0 };

/** On the bundled list: decided without DNS and SMTP. */
export const DISPOSABLE = 'ada@mailinator.com';

export interface BenchDomain {
	readonly name: string;
	readonly mailHost: string;
	/** Hosts that are dialled directly have addresses of loopback, a proxy leads to any: each host has one of its own. */
	readonly way: 'direct' | 'socks';
}

/** A mail world with one server that plays all hosts, so that port 25 can be one other port. */
export interface BenchWorld extends WorldPorts {
	readonly counters: Counters;
	/** Where the mail host of the nth domain is. */
	addressOf(n: number): string;
	/** The variables of a Mailsonar that goes this way. */
	vars(way: BenchDomain['way']): Record<string, string>;
	close(): Promise<void>;
}

// Mailboxes begin like this, and domains that take everybody like that.
const MAILBOX = 'ada.';
const TAKES_ALL = 'takes-all-';
const SMTP_PORT = 25;
const REGISTERED_DAYS_AGO = 3000;

const PLAYS: Behaviour = {
	forgivesSpaces: true,
	rcpt: (recipient) =>
		recipient.mailbox.startsWith(MAILBOX) || recipient.domain.startsWith(TAKES_ALL)
			? accept(recipient)
			: refuseUnknown(recipient),
};

/** Starts DNS in both ways, RDAP, the proxy and the mail server, whose delay may change later. */
export async function startBenchWorld(delays: Delays, domains: readonly BenchDomain[]): Promise<BenchWorld> {
	const counters = makeCounters();
	const ways = new Map(domains.map(({ mailHost, way }) => [mailHost, way]));
	const addresses = new Map(
		[...ways].map(([host, way], i) => [host, way === 'direct' ? loopbackAddress(i) : sandboxAddress(i)]),
	);
	const zones = new Map<string, ZoneEntry>();
	for (const [host, address] of addresses) zones.set(host, { a: [address] });
	for (const { name, mailHost } of domains)
		zones.set(name, { mx: [[10, mailHost]], ns: ['ns1.bench.test', 'ns2.bench.test'] });
	const played = {
		host: 'mx.bench.test',
		behaviour: PLAYS,
		counters: counters.smtp,
		transcripts: new TranscriptLog(),
		replyDelayMs: () => delays.replyMs,
	};
	const mail = await startSmtpServer(played);
	// The prober keeps connections by address.
	const hosts = await Promise.all(
		[...addresses.values()]
			.filter(isLoopback)
			.map((address) => startSmtpServer({ ...played, port: mail.port, address })),
	);
	const registrations = new Map(
		domains.map(({ name }) => [name, { registeredDaysAgo: REGISTERED_DAYS_AGO }]),
	);
	const [doh, dns, rdap, socks] = await Promise.all([
		startDnsServer(zones, counters.dns, 0, delays.dnsMs),
		startPlainDnsServer(zones, counters.dns, delays.dnsMs),
		startRdapServer(registrations),
		startSocksServer({
			routes: new Map([...addresses.values()].map((address) => [address, { port: mail.port }])),
			counters: counters.socks,
			replyDelayMs: delays.proxyMs,
		}),
	]);
	return {
		counters,
		plainDnsPort: dns.port,
		smtpPort: mail.port,
		addressOf: (n) => addresses.get(domains[n % domains.length]?.mailHost ?? '') ?? '',
		vars: (way) => ({
			DOH_URL: doh.url,
			RDAP_BOOTSTRAP_URL: `${rdap.url}/dns.json`,
			SMTP_EGRESS: way === 'direct' ? 'direct' : socks.url,
			SMTP_PORT: String(way === 'direct' ? mail.port : SMTP_PORT),
			ALLOW_PRIVATE_MX: way === 'direct' ? 'true' : SANDBOX_RANGE,
			HELO_NAME: IDENTITY.heloName,
			MAIL_FROM: IDENTITY.mailFrom,
		}),
		async close() {
			await Promise.all([doh, dns, rdap, socks, mail, ...hosts].map((listener) => listener.close()));
		},
	};
}

/** A mailbox that exists. */
export function somebody(n: number, domain: string): string {
	return `${MAILBOX}n${n}@${domain}`;
}

/** A mailbox that does not, unless the domain takes everybody. */
export function nobody(n: number, domain: string): string {
	return `eve.n${n}@${domain}`;
}

/** The name of a domain, whose server takes everybody if asked for. */
export function domainName(label: string, topLevel: 'com' | 'test', takesAll = false): string {
	return `${takesAll ? TAKES_ALL : ''}${label}-bench.${topLevel}`;
}

function sandboxAddress(index: number): string {
	return `198.18.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

/** Each in a network of its own. */
function loopbackAddress(index: number): `127.${string}` {
	return `127.${1 + Math.floor(index / 250)}.${index % 250}.1`;
}

function isLoopback(address: string): address is `127.${string}` {
	return address.startsWith('127.');
}
