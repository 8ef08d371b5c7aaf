import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { Egress } from '../../core/egress/egress.ts';
import { orderByRendezvous } from '../../core/egress/probers.ts';
import type { Clock, Dialled, Dialer, NoConnection, SenderIdentity } from '../ports.ts';
import { assert } from '../../lib/assert.ts';
import { Control } from './control.ts';
import { dialSocks, PROXY_TIMEOUT_MS } from './dial-socks.ts';
import type { SocksOutcome } from './dial-socks.ts';
import { dialTcp } from './dial-tcp.ts';
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

type DialTarget = Parameters<Dialer['dial']>[0];

// A large provider takes a connection within a round trip, from everywhere. A question's caller waits for this too.
const CONTROL_MS = 1_500;

/** Dials mail servers through the configured ways out, and remembers which of these are out of service. */
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
		const order = orderByRendezvous(this.#settings.egresses, key);
		const [first, ...others] = this.#health.serving(order).map(({ source }) => source);
		assert(first !== undefined, 'there is a way out');
		return [first, ...others];
	}

	async dial(
		{ domain, address, hostName = '', egress: source = this.egressesFor(domain)[0] }: DialTarget,
		limitMs: number,
	): Promise<Dialled> {
		const named = this.#settings.egresses.filter((one) => one.source === source);
		const [egress] = this.#health.serving(named);
		assert(egress !== undefined, `${source} is a way out`);
		const outcome = await this.#connect(egress, address, this.#clock.now() + limitMs);
		if (outcome.kind === 'out_of_time') return { kind: 'no_connection', why: 'timeout', egress: source };
		if (outcome.kind === 'fault') {
			this.#health.failed(egress);
			return outcome;
		}
		if (outcome.kind === 'no_connection' && (await this.#isOut(egress, address, outcome.why))) {
			this.#health.failed(egress);
			return { kind: 'fault', fault: 'unavailable' };
		}
		this.#health.worked(egress);
		if (outcome.kind === 'connected') this.#control.worked(egress);
		if (outcome.kind === 'no_connection') return { ...outcome, egress: source };
		const connection = new StreamConnection(outcome.socket, hostName);
		return { kind: 'connected', connection, identity: this.#identityOf(egress), egress: source };
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

	async #connect(egress: Egress, address: string, deadline: number): Promise<SocksOutcome> {
		const port = this.#settings.smtpPort;
		if (egress.kind === 'socks5') return dialSocks(this.#clock, egress, { address, port }, deadline);
		const from = egress.host === '' ? null : egress.host;
		const dialled = await dialTcp({ host: address, port, secure: false, from }, deadline - this.#clock.now());
		if (dialled === 'no_source') return { kind: 'fault', fault: 'unavailable' };
		return typeof dialled === 'string'
			? { kind: 'no_connection', why: dialled }
			: { kind: 'connected', socket: dialled };
	}

	/** Whether the way out reaches no mail host at the moment. */
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

	#identityOf({ heloName, mailFrom }: Egress): SenderIdentity {
		const { identity } = this.#settings;
		return { heloName: heloName ?? identity.heloName, mailFrom: mailFrom ?? identity.mailFrom };
	}
}
