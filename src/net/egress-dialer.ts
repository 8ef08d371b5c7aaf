import { orderForDomain } from '../core/egress/egress.ts';
import type { Egress } from '../core/egress/egress.ts';
import { ServiceError } from '../errors.ts';
import { assert } from '../lib/assert.ts';
import type { Clock, Dialer, Dialled, NoConnection, SenderIdentity } from '../operations/ports.ts';
import { EgressHealth } from './egress-health.ts';
import { Socks5Handshake } from './socks5-handshake.ts';
import type { HandshakeFailure } from './socks5-handshake.ts';
import { SocketConnection } from './socket-connection.ts';

/** `egress_fault`: the way out itself is broken, so the next one is tried. */
type Attempt =
	| { readonly kind: 'connected'; readonly connection: SocketConnection }
	| { readonly kind: 'no_connection'; readonly why: NoConnection }
	| { readonly kind: 'egress_fault'; readonly fault: 'unavailable' | 'nonsense' }
	/** The caller's time ended before the way out had had its own: nothing is known of either. */
	| { readonly kind: 'out_of_time'; readonly why: 'timeout' };

export interface DialerSettings {
	readonly egresses: readonly Egress[];
	readonly smtpPort: number;
	/** Used where an egress has none of its own; null: not configured. */
	readonly heloName: string | null;
	readonly mailFrom: string | null;
	/** Workers can't open port 25: `direct` is for machines of developers. */
	readonly directAllowed: boolean;
}

// Reaching our own proxy takes a round trip; more is an outage.
const PROXY_TIMEOUT_MS = 5_000;

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

	async dial(target: { domain: string; address: string }, limitMs: number): Promise<Dialled> {
		const deadline = this.#clock.now() + limitMs;
		const order = orderForDomain(this.#usable(), target.domain);
		let nonsense = false;
		let unreached: Dialled | null = null;
		for (const egress of this.#health.prefer(order)) {
			const attempt = await this.#attempt(egress, target.address, deadline);
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

	async #attempt(egress: Egress, address: string, deadline: number): Promise<Attempt> {
		this.#identity(egress);
		const port = this.#settings.smtpPort;
		if (egress.kind === 'socks5') return tunnel(this.#clock, egress, { address, port }, deadline);
		const opened = await SocketConnection.open(
			{ host: address, port, secure: false },
			deadline - this.#clock.now(),
		);
		if (opened instanceof SocketConnection) return { kind: 'connected', connection: opened };
		return { kind: 'no_connection', why: opened === 'timeout' ? 'timeout' : 'unreachable' };
	}
}

/** Until when something is waited for (epoch ms), whatever arrives in the meantime. */
interface Patience {
	/** With the proxy. */
	readonly proxy: number;
	/** With proxy and mail server together. */
	readonly all: number;
}

/** A SOCKS5 tunnel to a mail server. Faults of the proxy and of the mail server are kept apart. */
async function tunnel(
	clock: Clock,
	egress: Egress,
	to: { address: string; port: number },
	deadline: number,
): Promise<Attempt> {
	const patience: Patience = { proxy: Math.min(clock.now() + PROXY_TIMEOUT_MS, deadline), all: deadline };
	const connection = await SocketConnection.open(egress, patience.proxy - clock.now());
	if (!(connection instanceof SocketConnection))
		return connection === 'timeout' ? silence(patience) : { kind: 'egress_fault', fault: 'unavailable' };
	const handshake = new Socks5Handshake(egress.credentials, to.address, to.port);
	const attempt = await shakeHands(clock, connection, handshake, patience);
	if (attempt.kind !== 'connected') connection.close();
	return attempt;
}

async function shakeHands(
	clock: Clock,
	connection: SocketConnection,
	handshake: Socks5Handshake,
	patience: Patience,
): Promise<Attempt> {
	await connection.write(handshake.start());
	for (;;) {
		const read = await connection.read((handshake.asked ? patience.all : patience.proxy) - clock.now());
		if (read.kind === 'timeout' && handshake.asked) return { kind: 'no_connection', why: 'timeout' };
		if (read.kind === 'timeout') return silence(patience);
		// Closing instead of answering CONNECT is how small proxies say that they could not connect.
		if (read.kind === 'closed' && handshake.asked)
			return { kind: 'no_connection', why: 'egress_cannot_reach' };
		if (read.kind === 'closed') return { kind: 'egress_fault', fault: 'unavailable' };
		const step = handshake.receive(read.bytes);
		if (step.kind === 'failed') return attemptOf(step.failure);
		if (step.kind === 'connected') {
			connection.unread(step.early);
			return { kind: 'connected', connection };
		}
		if (step.write.length > 0) await connection.write(step.write);
	}
}

/** A proxy said nothing for as long as it was given. */
function silence({ proxy, all }: Patience): Attempt {
	return proxy < all
		? { kind: 'egress_fault', fault: 'unavailable' }
		: { kind: 'out_of_time', why: 'timeout' };
}

/** RFC 1928 §6: 4 and 5 are about the mail server, 3 and 6 about the path, 1, 2, 7 and 8 about what the proxy may or can. */
function attemptOf(failure: HandshakeFailure): Attempt {
	if (failure.kind === 'nonsense') return { kind: 'egress_fault', fault: 'nonsense' };
	if (failure.kind === 'credentials_refused') return { kind: 'egress_fault', fault: 'unavailable' };
	switch (failure.code) {
		case 5:
			return { kind: 'no_connection', why: 'refused' };
		case 3:
		case 4:
		case 6:
			return { kind: 'no_connection', why: 'unreachable' };
		default:
			return { kind: 'no_connection', why: 'egress_cannot_reach' };
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
