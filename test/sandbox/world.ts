import { domainToASCII } from 'node:url';
import type { Counters } from './counters.ts';
import { makeCounters } from './counters.ts';
import { startDnsServer } from './dns-server.ts';
import type { SandboxRow } from './domains.ts';
import { SANDBOX_DOMAINS, SHOP_SCENES } from './domains.ts';
import type { Listener } from './listener.ts';
import { startRdapServer } from './rdap-server.ts';
import type { Registrations } from './rdap-server.ts';
import type { Scene } from './scenes/scene.ts';
import { SCENES } from './scenes/scenes.ts';
import { startSmtpServer } from './smtp-server.ts';
import type { Route } from './socks-server.ts';
import { startSocksServer } from './socks-server.ts';
import type { Transcript } from './transcript.ts';
import { TranscriptLog } from './transcript.ts';
import { assignHosts, buildZones, exchangersOf, isServedBy } from './zones.ts';

export { startMailServer } from './smtp-server.ts';
export { SANDBOX_RANGE } from './zones.ts';

/** What can be chosen. Ports left out are chosen by the system. */
export interface SandboxOptions {
	readonly dohPort?: number;
	readonly socksPort?: number;
	readonly rdapPort?: number;
	/** The credentials of the SOCKS5 proxy. Left out: random ones. */
	readonly credentials?: { readonly username: string; readonly password: string };
	/** The round trip to every mail server. */
	readonly replyDelayMs?: number;
	/** More domains with mail servers. They are not in the table. */
	readonly extraScenes?: readonly Scene[];
}

/** A small Internet of mail on the loopback interface. */
export interface Sandbox {
	/** DNS over HTTPS, RFC 8484. */
	readonly dohUrl: string;
	/** The only way to the mail servers: `socks5://user:password@127.0.0.1:port`. */
	readonly socksUrl: string;
	/** The RDAP server; its bootstrap file is `/dns.json`. */
	readonly rdapUrl: string;
	/** The address of a mail host that is always there, for PROBER_CONTROL. */
	readonly control: string;
	readonly domains: readonly SandboxRow[];
	readonly counters: Counters;
	/** The conversations with the servers of a domain, or of a mail host, or all; oldest first. */
	transcripts(domainOrHost?: string): readonly Transcript[];
	/** Forgets all conversations. */
	reset(): void;
	/** Ends every socket and listener. */
	close(): Promise<void>;
}

/** Starts DNS, RDAP, the proxy and all mail servers. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const scenes = [...SCENES, ...SHOP_SCENES, ...(options.extraScenes ?? [])];
	const hosts = assignHosts(scenes);
	const zones = buildZones(scenes, hosts);
	const counters = makeCounters();
	const transcripts = new TranscriptLog();
	const servers: Listener[] = [];
	const routes = await Promise.all(
		hosts.map(async ({ name, address, plays }): Promise<[string, Route]> => {
			if (typeof plays === 'string') return [address, plays];
			const server = await startSmtpServer({
				host: name,
				behaviour: plays,
				counters: counters.smtp,
				transcripts,
				replyDelayMs: () => options.replyDelayMs ?? 0,
				serves: (domain) => isServedBy(zones, domain, address),
			});
			servers.push(server);
			return [address, server];
		}),
	);
	const [dns, rdap, socks] = await Promise.all([
		startDnsServer(zones, counters.dns, options.dohPort),
		startRdapServer(registrations(scenes), options.rdapPort),
		startSocksServer({
			...(options.credentials === undefined ? {} : { credentials: options.credentials }),
			routes: new Map(routes),
			counters: counters.socks,
			port: options.socksPort ?? 0,
		}),
	]);
	return {
		dohUrl: dns.url,
		socksUrl: socks.url,
		rdapUrl: rdap.url,
		control: hosts.find(({ name }) => name === 'aspmx.l.google.com')?.address ?? '',
		domains: SANDBOX_DOMAINS,
		counters,
		transcripts(key) {
			if (key === undefined) return transcripts.all;
			const scene = scenes.find(({ domain }) => domainToASCII(domain) === domainToASCII(key));
			const names = new Set(scene === undefined ? [key] : exchangersOf(scene).map(({ host }) => host));
			return transcripts.all.filter(({ host }) => names.has(host));
		},
		reset: () => transcripts.clear(),
		async close() {
			await Promise.all([dns, rdap, socks, ...servers].map((listener) => listener.close()));
		},
	};
}

// Old enough for every age signal to be content.
const REGISTERED_DAYS_AGO = 5000;

/** What the registry says of the scenes' domains. */
export function registrations(scenes: readonly Scene[]): Registrations {
	const existing = scenes.filter(({ domain, exists }) => exists !== false && domain.endsWith('.test'));
	return new Map(
		existing.map(({ domain, registeredDaysAgo = REGISTERED_DAYS_AGO, rdap }) => [
			domainToASCII(domain),
			{ registeredDaysAgo, ...rdap },
		]),
	);
}
