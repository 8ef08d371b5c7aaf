import type { Egress } from '../../core/egress/egress.ts';
import { orderByRendezvous } from '../../core/egress/probers.ts';
import type { Clock, Dialled, Dialer, SenderIdentity } from '../ports.ts';
import { assert } from '../../lib/assert.ts';
import { dialSocks, PROXY_TIMEOUT_MS } from './dial-socks.ts';
import type { SocksOutcome } from './dial-socks.ts';
import { dialTcp } from './dial-tcp.ts';
import { EgressHealth } from '../../core/egress/egress-health.ts';
import { StreamConnection } from './stream-connection.ts';

export interface DialerSettings {
	/** At least one. */
	readonly egresses: readonly Egress[];
	readonly smtpPort: number;
	/** Used where an egress has none of its own. */
	readonly identity: SenderIdentity;
}

type DialTarget = Parameters<Dialer['dial']>[0];

/** Dials mail servers through the configured ways out, and remembers which of these are out of service. */
export class EgressDialer implements Dialer {
	readonly #settings: DialerSettings;
	readonly #clock: Clock;
	readonly #health: EgressHealth<Egress>;

	constructor(settings: DialerSettings, clock: Clock) {
		assert(settings.egresses.length > 0, 'there is a way out');
		this.#settings = settings;
		this.#clock = clock;
		this.#health = new EgressHealth<Egress>(clock);
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
		const outcome = await this.#reach(egress, address, limitMs);
		if (outcome.kind === 'out_of_time') return { kind: 'no_connection', why: 'timeout', egress: source };
		if (outcome.kind === 'fault') {
			this.#health.failed(egress);
			return outcome;
		}
		this.#health.worked(egress);
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

	async #reach(egress: Egress, address: string, limitMs: number): Promise<SocksOutcome> {
		const port = this.#settings.smtpPort;
		const { kind, host } = egress;
		if (kind === 'socks5')
			return dialSocks(this.#clock, egress, { address, port }, this.#clock.now() + limitMs);
		const from = host === '' ? null : host;
		const dialled = await dialTcp({ host: address, port, secure: false, from }, limitMs);
		if (dialled === 'no_source') return { kind: 'fault', fault: 'unavailable' };
		return typeof dialled === 'string'
			? { kind: 'no_connection', why: dialled }
			: { kind: 'connected', socket: dialled };
	}

	#identityOf({ heloName, mailFrom }: Egress): SenderIdentity {
		const { identity } = this.#settings;
		return { heloName: heloName ?? identity.heloName, mailFrom: mailFrom ?? identity.mailFrom };
	}
}
