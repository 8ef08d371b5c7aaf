import { orderForDomain } from '../core/egress/egress.ts';
import type { Egress } from '../core/egress/egress.ts';
import { ServiceError } from '../errors.ts';
import { assert } from '../lib/assert.ts';
import type { Ahead, Clock, Dialer, Dialled, SenderIdentity } from '../engine/ports.ts';
import { BegunTunnel } from './begun-tunnel.ts';
import { EgressHealth } from './egress-health.ts';
import { SocketConnection } from './socket-connection.ts';
import { finishTunnel, PROXY_TIMEOUT_MS, tunnel } from './socks5-tunnel.ts';
import type { Attempt } from './socks5-tunnel.ts';

export interface DialerSettings {
	readonly egresses: readonly Egress[];
	readonly smtpPort: number;
	/** Used where an egress has none of its own; null: not configured. */
	readonly heloName: string | null;
	readonly mailFrom: string | null;
	/** Workers can't open port 25: `direct` is for machines of developers. */
	readonly directAllowed: boolean;
}

/** Dials mail servers through the configured egresses, each domain by its own first one, failing over to the next. */
export class EgressDialer implements Dialer {
	readonly #settings: DialerSettings;
	readonly #clock: Clock;
	readonly #health: EgressHealth;

	constructor(settings: DialerSettings, clock: Clock) {
		this.#settings = settings;
		this.#clock = clock;
		this.#health = healthOf(settings.egresses, clock);
	}

	egressFor(domain: string): string {
		const [first] = this.#health.prefer(orderForDomain(this.#usable(), domain));
		assert(first !== undefined, 'a configured way out is usable');
		return first.label;
	}

	ahead(domain: string): Ahead | null {
		const first = this.#firstOf(domain);
		if (first?.kind !== 'socks5') return null;
		const begun = new BegunTunnel(this.#clock, first);
		return {
			egress: first.label,
			dialer: {
				egressFor: (other) => this.egressFor(other),
				dial: (target, limitMs) => this.#dial(target, limitMs, begun),
			},
			look: () => begun.look(),
			end: () => begun.end(),
		};
	}

	/** Null: no way out is configured, which whoever dials is told. */
	#firstOf(domain: string): Egress | null {
		try {
			return this.#health.prefer(orderForDomain(this.#usable(), domain))[0] ?? null;
		} catch (error) {
			if (error instanceof ServiceError) return null;
			throw error;
		}
	}

	dial(target: { domain: string; address: string }, limitMs: number): Promise<Dialled> {
		return this.#dial(target, limitMs, null);
	}

	async #dial(
		target: { domain: string; address: string },
		limitMs: number,
		begun: BegunTunnel | null,
	): Promise<Dialled> {
		const deadline = this.#clock.now() + limitMs;
		const order = orderForDomain(this.#usable(), target.domain);
		let nonsense = false;
		let unreached: Dialled | null = null;
		const preferred = this.#health.prefer(order);
		const own = begun !== null && begun.egress === preferred[0] ? begun : null;
		if (own === null) begun?.end();
		for (const egress of preferred) {
			const attempt = await this.#attempt(
				egress,
				target.address,
				deadline,
				egress === own?.egress ? own : null,
			);
			if (attempt.kind === 'connected') {
				this.#health.worked(egress);
				return { ...attempt, identity: this.#identity(egress), egress: egress.label };
			}
			if (attempt.kind === 'egress_fault') {
				this.#health.failed(egress);
				nonsense ||= attempt.fault === 'nonsense';
				continue;
			}
			unreached = { kind: 'no_connection', why: attempt.why, egress: egress.label };
			if (attempt.kind === 'out_of_time') return unreached;
			this.#health.worked(egress);
			// The proxy works and could not say why it failed: another one may have a better view.
			if (attempt.why !== 'egress_cannot_reach') return unreached;
		}
		if (unreached !== null) return unreached;
		if (nonsense)
			throw new ServiceError('upstream_nonsense', 'The outgoing mail proxy does not speak SOCKS5');
		throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
	}

	/** Empty when at least one egress is configured and takes connections, else what is missing. No secrets. */
	async check(): Promise<readonly string[]> {
		let usable: readonly Egress[];
		try {
			usable = this.#usable();
			usable.forEach((egress) => this.#identity(egress));
		} catch (error) {
			if (error instanceof ServiceError) return [error.message];
			throw error;
		}
		const problems: string[] = [];
		for (const egress of usable) {
			if (egress.kind === 'direct') return [];
			const opened = await SocketConnection.open(egress, PROXY_TIMEOUT_MS);
			if (opened instanceof SocketConnection) {
				opened.close();
				return [];
			}
			problems.push(`Egress ${egress.label} does not take connections`);
		}
		return problems;
	}

	#usable(): readonly Egress[] {
		const { egresses, directAllowed } = this.#settings;
		if (egresses.length === 0)
			throw new ServiceError('upstream_unavailable', 'SMTP_EGRESS is not configured');
		const usable = egresses.filter(({ kind }) => kind !== 'direct' || directAllowed);
		if (usable.length > 0) return usable;
		const text =
			'SMTP_EGRESS is `direct`, which works in development only: Cloudflare Workers cannot open port 25';
		throw new ServiceError('upstream_unavailable', text);
	}

	#identity(egress: Egress): SenderIdentity {
		const heloName = egress.heloName ?? this.#settings.heloName;
		const mailFrom = egress.mailFrom ?? this.#settings.mailFrom;
		if (heloName === null || mailFrom === null) {
			throw new ServiceError('upstream_unavailable', 'HELO_NAME and MAIL_FROM are not configured');
		}
		return { heloName, mailFrom };
	}

	async #attempt(
		egress: Egress,
		address: string,
		deadline: number,
		begun: BegunTunnel | null,
	): Promise<Attempt> {
		this.#identity(egress);
		const port = this.#settings.smtpPort;
		if (egress.kind === 'socks5') {
			const ready = (await begun?.take()) ?? null;
			const finished =
				ready === null ? null : await finishTunnel(this.#clock, ready, { address, port }, deadline);
			return finished ?? tunnel(this.#clock, egress, { address, port }, deadline);
		}
		const opened = await SocketConnection.open(
			{ host: address, port, secure: false },
			deadline - this.#clock.now(),
		);
		if (opened instanceof SocketConnection) return { kind: 'connected', connection: opened };
		return { kind: 'no_connection', why: opened === 'timeout' ? 'timeout' : 'unreachable' };
	}
}

// The health of an egress is known to the isolate, not to one request.
const HEALTH = new WeakMap<readonly Egress[], EgressHealth>();

function healthOf(egresses: readonly Egress[], clock: Clock): EgressHealth {
	const known = HEALTH.get(egresses);
	if (known !== undefined) return known;
	const health = new EgressHealth(clock);
	HEALTH.set(egresses, health);
	return health;
}
