import { isIPv6 } from 'node:net';
import type { Egress } from '../../core/egress/egress.ts';
import { isAddress, isPublicAddress } from '../../lib/ip-address.ts';
import { EgressDialer } from '../dial/egress-dialer.ts';
import type { DialerSettings } from '../dial/egress-dialer.ts';
import { sourceTowards } from '../dial/source-towards.ts';
import type { Clock, Connection } from '../ports.ts';
import type { CheckDns, CheckPorts } from './check-egress.ts';

const DIAL_MS = 10_000;
// RFC 5321 §4.5.3.2.1 allows five minutes; a host that is known to be quick is asked.
const GREETING_MS = 10_000;
const GREETING_OCTETS_MAX = 1_024;
const CLOCK_MS = 5_000;
const PAGE_MS = 10_000;
const PAGE_CHARS_MAX = 1_000_000;

/** Where to look, and as whom. */
export interface CheckSettings extends Omit<DialerSettings, 'egresses'> {
	/** A mail host that takes connections from everywhere: its name or address. */
	readonly mailHost: string;
	/** Answers with the time in its `Date`. */
	readonly clockUrl: string;
	/** The page of the HELO name; null: that of its own site. */
	readonly pageUrl: string | null;
	/** The public address behind one that is not public; null: unknown. */
	readonly seenAs: string | null;
}

/** The world as it is, for the check: real sockets, and the DNS given. */
export function nodePorts(settings: CheckSettings, dns: CheckDns, clock: Clock): CheckPorts {
	return {
		dns,
		greeting: (egress) => greetingBy(settings, dns, clock, egress),
		page: (heloName) => pageAt(settings.pageUrl ?? `http://${heloName}/`),
		sourceOf: (egress) => Promise.resolve(sourceOf(egress, settings.seenAs)),
		clockOffsetMs: () => clockOffsetMs(settings.clockUrl, clock),
	};
}

function sourceOf({ kind, host }: Egress, seenAs: string | null): string | null {
	if (kind !== 'direct' || host === '') return null;
	return seenAs === null || isPublicAddress(host) ? host : seenAs;
}

/** A way out without a source address as those that the system would choose, one for each family that it has. */
export async function withSources(egress: Egress, towards: readonly string[]): Promise<readonly Egress[]> {
	if (egress.kind !== 'direct' || egress.host !== '') return [egress];
	const sources = await Promise.all(towards.map(sourceTowards));
	const found = [...new Set(sources.filter((source) => source !== null))];
	return found.length === 0 ? [egress] : found.map((host) => ({ ...egress, host, label: `direct, ${host}` }));
}

async function greetingBy(
	{ mailHost, smtpPort, identity }: CheckSettings,
	dns: CheckDns,
	clock: Clock,
	egress: Egress,
): ReturnType<CheckPorts['greeting']> {
	try {
		const addresses = isAddress(mailHost) ? [mailHost] : await dns.addresses(mailHost);
		const address = addresses.find((one) => speaks(egress, one));
		if (address === undefined) return { failed: `${mailHost} has no address that it could reach` };
		const dialer = new EgressDialer({ egresses: [egress], smtpPort, identity }, clock);
		const dialled = await dialer.dial({ domain: mailHost, address, hostName: mailHost }, DIAL_MS);
		if (dialled.kind === 'no_connection') return { failed: `${mailHost}: ${dialled.why}` };
		return await greetingOf(dialled.connection);
	} catch (error) {
		return { failed: error instanceof Error ? error.message : 'it failed' };
	}
}

/** A source address speaks its own family only; what a proxy can do, only the proxy knows: IPv4 is the safer guess. */
function speaks({ kind, host }: Egress, address: string): boolean {
	return kind === 'direct' && host !== '' ? isIPv6(host) === isIPv6(address) : !isIPv6(address);
}

async function greetingOf(connection: Connection): ReturnType<CheckPorts['greeting']> {
	let text = '';
	while (!text.includes('\n') && text.length < GREETING_OCTETS_MAX) {
		const read = await connection.read(GREETING_MS);
		if (read.kind !== 'bytes') {
			await connection.close();
			return { failed: `connected, but no greeting (${read.kind})` };
		}
		text += new TextDecoder('latin1').decode(read.bytes);
	}
	await connection.write(new TextEncoder().encode('QUIT\r\n'));
	await connection.close();
	return { text: text.split(/\r?\n/, 1)[0] ?? '' };
}

/** The page, after redirects, as a browser finds it: by the machine's own name servers. */
async function pageAt(url: string): ReturnType<CheckPorts['page']> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(PAGE_MS) });
		const html = (await response.text()).slice(0, PAGE_CHARS_MAX);
		return response.ok ? { html } : { failed: `${response.url} answers ${response.status}` };
	} catch {
		return { failed: `${url} does not answer` };
	}
}

/** HTTP's Date has no fractions of a second, which is more than enough here (RFC 9110 §6.6.1). */
async function clockOffsetMs(url: string, clock: Clock): Promise<number | null> {
	const askedAt = clock.now();
	try {
		const signal = AbortSignal.timeout(CLOCK_MS);
		const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
		const theirs = Date.parse(response.headers.get('date') ?? '');
		return Number.isNaN(theirs) ? null : (askedAt + clock.now()) / 2 - theirs;
	} catch {
		return null;
	}
}
