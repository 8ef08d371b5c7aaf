import { assert } from '../lib/assert.ts';
import { addressBytes } from '../lib/ip-address.ts';

/** Why there is no tunnel. `reply`: the proxy works and says what became of the connection (RFC 1928 §6). */
export type HandshakeFailure =
	| { readonly kind: 'nonsense' }
	| { readonly kind: 'credentials_refused' }
	| { readonly kind: 'reply'; readonly code: number };

export type HandshakeStep =
	| { readonly kind: 'more'; readonly write: Uint8Array }
	/** The proxy knows us, and waits to be told where to. */
	| { readonly kind: 'ready' }
	/** The tunnel stands. `early` are bytes of the far end that came in the same segment. */
	| { readonly kind: 'connected'; readonly early: Uint8Array }
	| { readonly kind: 'failed'; readonly failure: HandshakeFailure };

const VERSION = 5;
const AUTH_VERSION = 1;
const NO_AUTHENTICATION = 0;
const USERNAME_PASSWORD = 2;
const CONNECT = 1;
const NOTHING = new Uint8Array(0);
const ADDRESS_OCTETS: Readonly<Record<number, number>> = { 1: 4, 4: 16 };

/** A SOCKS5 client (RFC 1928, RFC 1929) without I/O, one message at a time: microsocks loses what is sent ahead. */
export class Socks5Handshake {
	readonly #credentials: { readonly username: string; readonly password: string } | null;
	#request: Uint8Array | null;
	#phase: 'method' | 'credentials' | 'ready' | 'connect' = 'method';
	#buffer: Uint8Array = NOTHING;

	/**
	 * @param address the checked address of the mail server: never its name, which could point elsewhere by now. Left out
	 *   while it is not known: then `ask` tells it
	 */
	constructor(
		credentials: { readonly username: string; readonly password: string } | null,
		address: string | null = null,
		port = 0,
	) {
		this.#credentials = credentials;
		this.#request = address === null ? null : requestFor(address, port);
	}

	/** What to write to a proxy that is ready. */
	ask(address: string, port: number): Uint8Array {
		assert(this.#phase === 'ready', 'the proxy is ready to be asked');
		this.#phase = 'connect';
		return requestFor(address, port);
	}

	/** True once the proxy has been asked to connect: from then on, waiting is waiting for the mail server. */
	get asked(): boolean {
		return this.#phase === 'connect';
	}

	/** The first message. */
	start(): Uint8Array {
		const methods = this.#credentials === null ? [NO_AUTHENTICATION] : [USERNAME_PASSWORD, NO_AUTHENTICATION];
		return new Uint8Array([VERSION, methods.length, ...methods]);
	}

	/** Bytes from the proxy. */
	receive(bytes: Uint8Array): HandshakeStep {
		this.#buffer = new Uint8Array([...this.#buffer, ...bytes]);
		switch (this.#phase) {
			case 'method':
				return this.#methodChosen();
			case 'credentials':
				return this.#credentialsAnswered();
			case 'ready':
				// Nobody asked.
				return failed({ kind: 'nonsense' });
			case 'connect':
				return this.#connectAnswered();
		}
	}

	#methodChosen(): HandshakeStep {
		const [version, method] = this.#buffer;
		if (version !== undefined && version !== VERSION) return failed({ kind: 'nonsense' });
		if (method === undefined) return more();
		this.#buffer = this.#buffer.slice(2);
		if (method === NO_AUTHENTICATION) return this.#connect();
		if (method !== USERNAME_PASSWORD || this.#credentials === null)
			return failed({ kind: 'credentials_refused' });
		this.#phase = 'credentials';
		const encoder = new TextEncoder();
		const username = encoder.encode(this.#credentials.username);
		const password = encoder.encode(this.#credentials.password);
		return more(new Uint8Array([AUTH_VERSION, username.length, ...username, password.length, ...password]));
	}

	#credentialsAnswered(): HandshakeStep {
		const [, status] = this.#buffer;
		if (status === undefined) return more();
		this.#buffer = this.#buffer.slice(2);
		return status === 0 ? this.#connect() : failed({ kind: 'credentials_refused' });
	}

	#connect(): HandshakeStep {
		this.#phase = this.#request === null ? 'ready' : 'connect';
		return this.#request === null ? { kind: 'ready' } : more(this.#request);
	}

	#connectAnswered(): HandshakeStep {
		const [version, code, , type, firstOctet] = this.#buffer;
		if (version !== undefined && version !== VERSION) return failed({ kind: 'nonsense' });
		if (code === undefined) return more();
		// Some proxies close after two bytes of a refusal.
		if (code !== 0) return failed({ kind: 'reply', code });
		if (type === undefined || firstOctet === undefined) return more();
		const addressOctets = type === 3 ? 1 + firstOctet : ADDRESS_OCTETS[type];
		if (addressOctets === undefined) return failed({ kind: 'nonsense' });
		const length = 4 + addressOctets + 2;
		if (this.#buffer.length < length) return more();
		return { kind: 'connected', early: this.#buffer.slice(length) };
	}
}

function requestFor(address: string, port: number): Uint8Array {
	const octets = addressBytes(address);
	assert(octets !== null, 'a proxy is asked for an address');
	const type = octets.length === 4 ? 1 : 4;
	return new Uint8Array([VERSION, CONNECT, 0, type, ...octets, port >> 8, port & 255]);
}

function more(write: Uint8Array = NOTHING): HandshakeStep {
	return { kind: 'more', write };
}

function failed(failure: HandshakeFailure): HandshakeStep {
	return { kind: 'failed', failure };
}
