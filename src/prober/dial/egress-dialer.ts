import { lookup } from 'node:dns/promises';
import type { Egress } from '../../core/egress/egress.ts';
import { Ways } from '../../core/egress/ways.ts';
import type { Clock } from '../../lib/time.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { remembered } from '../../lib/expiring-map.ts';
import { log } from '../../lib/log.ts';
import { within } from '../../lib/time.ts';
import type { ProberConfig } from '../config.ts';
import { dialBy, dialTcp, FAULTS, PROXY_TIMEOUT_MS } from './dial.ts';
import type { NoConnection, Opened } from './dial.ts';
import type { StreamConnection } from './stream-connection.ts';

/** Our identity for a mail server when we come from one egress. */
export interface SenderIdentity {
	readonly heloName: string;
	/** Envelope sender, without angle brackets. */
	readonly mailFrom: string;
}

export type Connection = Pick<StreamConnection, 'read' | 'write' | 'secure' | 'close'>;
type Fault = Extract<Opened, { kind: 'fault' }>;
export type Dialled =
	| { readonly kind: 'connected'; readonly connection: Connection; readonly identity: SenderIdentity }
	| Exclude<Opened, { kind: 'connected' }>;
export type Dialer = Pick<EgressDialer, 'egressesFor' | 'dial'>;
type DialerConfig = Pick<
	ProberConfig,
	'SMTP_EGRESS' | 'SMTP_PORT' | 'HELO_NAME' | 'MAIL_FROM' | 'PROBER_CONTROL'
>;

// A single dead mail host is its owner's fault. When no host is reached, a control decides whose fault it is: a mail host
// of a large provider, which no customer can make fail. So a list of dead hosts never looks like an outage of ours.

// Fewer may be a customer's dead hosts, which cost strangers no connection.
const FAILURES_IN_A_ROW = 6;
// A large provider takes a connection within a round trip, from everywhere. A question's caller waits for this too.
const CONTROL_MS = 1_500;
// However many dead hosts a customer names, the controls are dialled once in this time. Their names are looked up first.
const CONTROL = { freshMs: 10_000, patienceMs: 2 * CONTROL_MS };

interface WayOut extends Egress {
	/** Addresses of mail hosts that were not reached since one was. */
	readonly unreached: Set<string>;
	readonly reachesControl: () => Promise<boolean>;
}

/** Dials mail servers through the configured ways out, and remembers which of these are out of service. */
export class EgressDialer {
	readonly #config: DialerConfig;
	readonly #clock: Clock;
	readonly #ways: Ways<WayOut>;

	constructor(config: DialerConfig, clock: Clock) {
		this.#config = config;
		this.#clock = clock;
		const ways = config.SMTP_EGRESS.map((egress): WayOut => {
			const unreached = new Set<string>();
			const ask = () => this.#reachesControl(egress, unreached);
			return { ...egress, unreached, reachesControl: remembered(clock, CONTROL, ask) };
		});
		this.#ways = new Ways(ways, clock);
	}

	/**
	 * The sources (`Egress`) by which a key (a domain, or a mailbox) would be dialled now, in their order: those in service, or
	 * all if none is.
	 */
	egressesFor(key: string): readonly [string, ...string[]] {
		const [first, ...others] = this.#ways.serving(this.#ways.inOrder(key)).map(({ source }) => source);
		assert(first !== undefined, 'there is a way out');
		return [first, ...others];
	}

	/**
	 * Connects to a mail server's address by a source.
	 *
	 * @param hostName the mail host's, for SNI; left out: unknown
	 */
	async dial(
		{ address, hostName, egress: source }: { address: string; hostName?: string; egress: string },
		limitMs: number,
	): Promise<Dialled> {
		const { SMTP_PORT, HELO_NAME, MAIL_FROM } = this.#config;
		const [egress] = this.#ways.serving(this.#ways.all.filter((one) => one.source === source));
		assert(egress !== undefined, `${source} is a way out`);
		const opened = await dialBy(this.#clock, egress, { host: address, port: SMTP_PORT, hostName }, limitMs);
		if (
			opened.kind === 'fault' ||
			(opened.kind === 'no_connection' && (await this.#isOut(egress, address, opened.why)))
		) {
			this.#ways.failed(egress);
			return opened.kind === 'fault' ? opened : { kind: 'fault', fault: 'unavailable' };
		}
		this.#ways.worked(egress);
		if (opened.kind === 'no_connection') return opened;
		egress.unreached.clear();
		const identity = { heloName: egress.heloName ?? HELO_NAME, mailFrom: egress.mailFrom ?? MAIL_FROM };
		return { ...opened, identity };
	}

	/** The reason why no way out leads anywhere, in words without secrets; empty while one takes connections. */
	async check(): Promise<readonly string[]> {
		const problems: string[] = [];
		for (const egress of this.#config.SMTP_EGRESS) {
			if (egress.kind === 'direct' || (await connects(dialTcp(egress, PROXY_TIMEOUT_MS)))) return [];
			problems.push(`Egress ${egress.label} does not take connections`);
		}
		return problems;
	}

	/** Whether the way out is out of order, so that its failure says nothing about the mail host at this address. */
	async #isOut({ kind, unreached, reachesControl }: WayOut, address: string, why: NoConnection) {
		// It could not say why it failed, and perhaps never tried to reach the host.
		const isUnexplained = why === 'egress_cannot_reach';
		// A source address of the other family reaches the host as little when all is well.
		if (this.#config.PROBER_CONTROL.length === 0 || (isUnexplained && kind === 'direct')) return false;
		if (unreached.size < FAILURES_IN_A_ROW) unreached.add(address);
		if (!isUnexplained && unreached.size < FAILURES_IN_A_ROW) return false;
		return !(await reachesControl());
	}

	/**
	 * Whether a control takes a connection, at an address of either family: a way out may have but one. Where the system
	 * can't tell its addresses, nothing is known against the way out.
	 */
	async #reachesControl(egress: Egress, unreached: Set<string>): Promise<boolean> {
		const { SMTP_PORT: port, PROBER_CONTROL } = this.#config;
		const reached = await Promise.all(
			PROBER_CONTROL.map(async (hostName) => {
				const found = await within(
					lookup(hostName, { all: true }).catch(() => []),
					CONTROL_MS,
				);
				if (found === null || found.length === 0) return [true];
				const dials = found.map(({ address: host }) =>
					dialBy(this.#clock, egress, { host, port, hostName }, CONTROL_MS),
				);
				return Promise.all(dials.map(connects));
			}),
		);
		const isReached = reached.flat().includes(true);
		if (isReached) unreached.clear();
		else log('way_out_dead', { egress: egress.label }, 'warn');
		return isReached;
	}
}

/** Whether a connection can be opened: it is closed at once. */
async function connects(opening: Promise<Opened>): Promise<boolean> {
	const opened = await opening;
	if (opened.kind === 'connected') void opened.connection.close();
	return opened.kind === 'connected';
}

/**
 * Tries the ways out for a domain, one after the other, until one leads to the mail server or says why none does. One that
 * fails is out of service, so that the next one is chosen among those that serve; when none does, each is tried once.
 * Throws `ServiceError`: `upstream_unavailable`, or `upstream_nonsense` when one answered what no SOCKS server says.
 *
 * @param first one that serves
 */
export async function overWaysOut<T extends { readonly kind: string; readonly why?: string }>(
	dialer: Pick<Dialer, 'egressesFor'>,
	{ domain, first }: { readonly domain: string; readonly first: string },
	attempt: (egress: string) => Promise<T | Fault>,
): Promise<T> {
	const tried = new Set<string>();
	let unreached: T | null = null;
	let fault: Fault['fault'] = 'unavailable';
	const next = () => dialer.egressesFor(domain).find((egress) => !tried.has(egress));
	for (let egress: string | undefined = first; egress !== undefined; egress = next()) {
		tried.add(egress);
		const outcome = await attempt(egress);
		if ('fault' in outcome) fault = outcome.fault === 'nonsense' ? 'nonsense' : fault;
		// It works and could not say why it failed, or has no address of the family: another may do better.
		else if (outcome.kind === 'no_connection' && outcome.why === 'egress_cannot_reach') unreached = outcome;
		else return outcome;
	}
	if (unreached !== null) return unreached;
	throw new ServiceError(`upstream_${fault}`, FAULTS[fault]);
}
