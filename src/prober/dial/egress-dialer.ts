import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { Egress } from '../../core/egress/egress.ts';
import { orderByRendezvous } from '../../core/egress/probers.ts';
import type { Clock, Dialled, Dialer, NoConnection, SenderIdentity } from '../ports.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { Control } from './control.ts';
import { dialSocks, PROXY_TIMEOUT_MS } from './dial-socks.ts';
import type { SocksOutcome } from './dial-socks.ts';
import { dialTcp } from './dial-tcp.ts';
import type { TcpOutcome } from './dial-tcp.ts';
import { EgressHealth } from '../../core/egress/egress-health.ts';
import { StreamConnection } from './stream-connection.ts';
import { within } from './within.ts';

export interface DialerSettings {
	/** At least one. */
	readonly egresses: readonly Egress[];
	readonly smtpPort: number;
	/** Used where an egress has none of its own. */
	readonly identity: SenderIdentity;
	/** Mail hosts of large providers, which tell an outage of ours from dead mail hosts. Left out: none does. */
	readonly controls?: readonly string[];
}

// A large provider takes a connection within a round trip, from everywhere. A question's caller waits for this too.
const CONTROL_MS = 1_500;

/** Dials mail servers through the configured ways out, each domain by its own first one, failing over to the next. */
export class EgressDialer implements Dialer {
	readonly #settings: DialerSettings;
	readonly #clock: Clock;
	readonly #health: EgressHealth<Egress>;
	readonly #control: Control;

	constructor(settings: DialerSettings, clock: Clock) {
		assert(settings.egresses.length > 0, 'there is a way out');
		this.#settings = settings;
		this.#clock = clock;
		this.#health = new EgressHealth<Egress>(clock);
		this.#control = new Control(clock, (egress) => this.#reachesControl(egress));
	}

	egressesFor(key: string): readonly [string, ...string[]] {
		const [first, ...others] = this.#preferred(key).map(({ source }) => source);
		assert(first !== undefined, 'there is a way out');
		return [first, ...others];
	}

	async dial(
		{ domain, address, hostName = '', egress: first = '' }: Parameters<Dialer['dial']>[0],
		limitMs: number,
	): Promise<Dialled> {
		const deadline = this.#clock.now() + limitMs;
		let sawNonsense = false;
		let unreached: Extract<Dialled, { kind: 'no_connection' }> | null = null;
		const order = this.#preferred(domain);
		const named = order.filter(({ source }) => source === first);
		for (const egress of [...named, ...order.filter(({ source }) => source !== first)]) {
			const { source } = egress;
			const outcome = await this.#connect(egress, address, deadline);
			if (outcome.kind === 'connected') {
				this.#health.worked(egress);
				this.#control.worked(egress);
				const connection = new StreamConnection(outcome.socket, hostName);
				return { kind: 'connected', connection, identity: this.#identityOf(egress), egress: source };
			}
			if (outcome.kind === 'fault') {
				this.#health.failed(egress);
				sawNonsense ||= outcome.fault === 'nonsense';
				continue;
			}
			if (outcome.kind === 'out_of_time') return { kind: 'no_connection', why: 'timeout', egress: source };
			if (await this.#isOut(egress, address, outcome.why)) {
				this.#health.failed(egress);
				continue;
			}
			this.#health.worked(egress);
			unreached = { kind: 'no_connection', why: outcome.why, egress: source };
			// This way out works and could not say why it failed, or has no address of the family: another may do better.
			if (outcome.why !== 'egress_cannot_reach') return unreached;
		}
		if (unreached !== null) return unreached;
		if (sawNonsense)
			throw new ServiceError('upstream_nonsense', 'The outgoing mail proxy does not speak SOCKS5');
		throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
	}

	/** The reason why no way out leads anywhere, in words without secrets; empty while one takes connections. */
	async check(): Promise<readonly string[]> {
		const problems: string[] = [];
		for (const egress of this.#settings.egresses) {
			if (egress.kind === 'direct') return [];
			const dialled = await dialTcp({ ...egress, from: null }, PROXY_TIMEOUT_MS);
			if (typeof dialled !== 'string') {
				dialled.on('error', () => {});
				dialled.destroy();
				return [];
			}
			problems.push(`Egress ${egress.label} does not take connections`);
		}
		return problems;
	}

	#connect(egress: Egress, address: string, deadline: number): Promise<SocksOutcome> {
		const port = this.#settings.smtpPort;
		if (egress.kind === 'socks5') return dialSocks(this.#clock, egress, { address, port }, deadline);
		const from = egress.host === '' ? null : egress.host;
		const leftMs = deadline - this.#clock.now();
		return dialTcp({ host: address, port, secure: false, from }, leftMs).then(withoutProxy);
	}

	/** Whether the way out reaches nobody at the moment. */
	async #isOut(egress: Egress, address: string, why: NoConnection): Promise<boolean> {
		const isUnexplained = why === 'egress_cannot_reach';
		// A source address of the other family reaches the host as little when all is well.
		const { controls = [] } = this.#settings;
		if (controls.length === 0 || (isUnexplained && egress.kind === 'direct')) return false;
		return this.#control.isOut(egress, address, isUnexplained);
	}

	/** Whether a control takes a connection. Where the system can't tell its address, nothing is known against the way out. */
	async #reachesControl(egress: Egress): Promise<boolean> {
		const { controls = [] } = this.#settings;
		const family = egress.kind === 'direct' && isIPv6(egress.host) ? 6 : 4;
		const reached = await Promise.all(
			controls.map(async (name) => {
				const found = await within(
					lookup(name, family).catch(() => null),
					CONTROL_MS,
				);
				if (found === null || found === 'timeout') return true;
				const outcome = await this.#connect(egress, found.address, this.#clock.now() + CONTROL_MS);
				if (outcome.kind !== 'connected') return false;
				outcome.socket.on('error', () => {}).destroy();
				return true;
			}),
		);
		return reached.includes(true);
	}

	#preferred(domain: string): readonly Egress[] {
		return this.#health.prefer(orderByRendezvous(this.#settings.egresses, domain));
	}

	#identityOf({ heloName, mailFrom }: Egress): SenderIdentity {
		const { identity } = this.#settings;
		return { heloName: heloName ?? identity.heloName, mailFrom: mailFrom ?? identity.mailFrom };
	}
}

/** The outcome of a connection without a proxy. */
function withoutProxy(dialled: TcpOutcome): SocksOutcome {
	if (dialled === 'no_source') return { kind: 'fault', fault: 'unavailable' };
	return typeof dialled === 'string'
		? { kind: 'no_connection', why: dialled }
		: { kind: 'connected', socket: dialled };
}
