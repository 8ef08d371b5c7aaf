import { lookup } from 'node:dns/promises';
import { Ways } from '../../core/egress/ways.ts';
import type { Egress } from '../../core/egress/egress.ts';
import { assert } from '../../lib/assert.ts';
import { within } from '../../lib/time.ts';
import type { Clock, Dialled, Dialer, SenderIdentity } from '../ports.ts';
import { Control } from './control.ts';
import { dialSocks, PROXY_TIMEOUT_MS } from './dial-socks.ts';
import type { Opened } from './dial-socks.ts';
import { dialTcp } from './dial-tcp.ts';
import { StreamConnection } from './stream-connection.ts';

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

/** Dials mail servers through the configured ways out, and remembers which of these are out of service. */
export class EgressDialer implements Dialer {
	readonly #settings: DialerSettings;
	readonly #clock: Clock;
	readonly #ways: Ways<Egress>;
	readonly #control: Control;

	constructor(settings: DialerSettings, clock: Clock) {
		this.#settings = settings;
		this.#clock = clock;
		this.#ways = new Ways(settings.egresses, clock);
		this.#control = new Control(clock, (egress) => this.#reachesControl(egress));
	}

	egressesFor(key: string): readonly [string, ...string[]] {
		const [first, ...others] = this.#ways.serving(this.#ways.inOrder(key)).map(({ source }) => source);
		assert(first !== undefined, 'there is a way out');
		return [first, ...others];
	}

	async dial(
		{ address, hostName = '', egress: source }: Parameters<Dialer['dial']>[0],
		limitMs: number,
	): Promise<Dialled> {
		const { egresses, identity, controls = [] } = this.#settings;
		const [egress] = this.#ways.serving(egresses.filter((one) => one.source === source));
		assert(egress !== undefined, `${source} is a way out`);
		const opened = await this.#open(egress, address, limitMs, hostName);
		if (opened.kind === 'out_of_time') return { kind: 'no_connection', why: 'timeout', egress: source };
		if (opened.kind === 'no_connection') {
			const isUnexplained = opened.why === 'egress_cannot_reach';
			// A source address of the other family reaches the host as little when all is well.
			const tellsNothing = controls.length === 0 || (isUnexplained && egress.kind === 'direct');
			if (tellsNothing || !(await this.#control.isOut(egress, address, isUnexplained))) {
				this.#ways.worked(egress);
				return { ...opened, egress: source };
			}
		}
		if (opened.kind !== 'connected') {
			this.#ways.failed(egress);
			return opened.kind === 'fault' ? opened : { kind: 'fault', fault: 'unavailable' };
		}
		this.#ways.worked(egress);
		this.#control.worked(egress);
		const { heloName, mailFrom } = egress;
		const own = { heloName: heloName ?? identity.heloName, mailFrom: mailFrom ?? identity.mailFrom };
		return { ...opened, identity: own, egress: source };
	}

	/** The reason why no way out leads anywhere, in words without secrets; empty while one takes connections. */
	async check(): Promise<readonly string[]> {
		const problems: string[] = [];
		for (const egress of this.#settings.egresses) {
			if (egress.kind === 'direct') return [];
			const dialled = await dialTcp({ ...egress, from: null }, PROXY_TIMEOUT_MS);
			if (typeof dialled !== 'string') {
				dialled.destroy();
				return [];
			}
			problems.push(`Egress ${egress.label} does not take connections`);
		}
		return problems;
	}

	async #open(egress: Egress, address: string, limitMs: number, hostName: string): Promise<Opened> {
		const port = this.#settings.smtpPort;
		if (egress.kind === 'socks5')
			return dialSocks(this.#clock, egress, { address, port, hostName }, this.#clock.now() + limitMs);
		const from = egress.host === '' ? null : egress.host;
		const dialled = await dialTcp({ host: address, port, secure: false, from }, limitMs);
		if (dialled === 'no_source') return { kind: 'fault', fault: 'unavailable' };
		return typeof dialled === 'string'
			? { kind: 'no_connection', why: dialled }
			: { kind: 'connected', connection: new StreamConnection(dialled, hostName) };
	}

	/**
	 * Whether a control takes a connection, at an address of either family: a way out may have but one. Where the system
	 * can't tell its addresses, nothing is known against the way out.
	 */
	async #reachesControl(egress: Egress): Promise<boolean> {
		const reached = await Promise.all(
			(this.#settings.controls ?? []).map(async (name) => {
				const found = await within(
					lookup(name, { all: true }).catch(() => []),
					CONTROL_MS,
				);
				if (found === null || found.length === 0) return [true];
				return Promise.all(
					found.map(async ({ address }) => {
						const opened = await this.#open(egress, address, CONTROL_MS, name);
						if (opened.kind === 'connected') void opened.connection.close();
						return opened.kind === 'connected';
					}),
				);
			}),
		);
		return reached.flat().includes(true);
	}
}
