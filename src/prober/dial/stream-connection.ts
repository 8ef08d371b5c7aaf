import type { Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import { within } from '../../lib/time.ts';

// A peer that takes no bytes for this long has no use for the rest either.
const WRITE_TIMEOUT_MS = 5_000;
// A server that has not hung up by then is left to itself.
const CLOSING_MS = 2_000;

export type ReadResult =
	| { readonly kind: 'bytes'; readonly bytes: Uint8Array }
	| { readonly kind: 'closed' | 'timeout' };

/**
 * A TCP or TLS stream to a mail server or a proxy: bounded waits, and nothing ever throws. A stream that breaks reads as `closed`.
 * What nobody reads stays in Node's buffer, which stops a server that talks on.
 */
export class StreamConnection {
	#socket: Socket;
	readonly #name: string;
	#isClosed = false;
	/** Wakes who waits for bytes or the end. */
	#wake: (() => void) | null = null;

	/**
	 * @param socket open, with no other listener, and without `allowHalfOpen`: it ends when the server does
	 * @param name of the mail host, sent as SNI; empty: none
	 */
	constructor(socket: Socket, name: string) {
		this.#socket = socket;
		this.#name = name;
		this.#follow(socket);
	}

	async read(limitMs: number): Promise<ReadResult> {
		if (this.#socket.readableLength === 0 && !this.#isClosed && limitMs > 0) {
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			await within(promise, limitMs);
		}
		const bytes = this.#socket.read() as Uint8Array | null;
		if (bytes !== null) return { kind: 'bytes', bytes };
		return { kind: this.#isClosed ? 'closed' : 'timeout' };
	}

	/** Gives back bytes that were read too early. */
	unread(bytes: Uint8Array): void {
		if (bytes.length > 0) this.#socket.unshift(bytes);
	}

	async write(bytes: Uint8Array): Promise<void> {
		// Where the peer is gone, the next read says so. Few bytes need not be waited for: the system takes them.
		if (this.#isClosed || this.#socket.write(bytes)) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#socket.once('drain', resolve);
		await within(promise, WRITE_TIMEOUT_MS);
	}

	/**
	 * Goes over to TLS after the server's 220 to STARTTLS (RFC 3207 §4). Whatever came before the handshake was not
	 * protected and is thrown away, or an attacker on the way could put replies into the server's mouth (CVE-2011-0411).
	 * Its certificate is not checked: without DANE there is nothing to hold it against (RFC 7672 §1.3), and an old
	 * or expired one still keeps the conversation from the eyes of others. `failed`: the server's TLS and ours do not fit,
	 * or it hung up.
	 */
	async secure(limitMs: number): Promise<'secured' | 'failed' | 'timeout'> {
		const plain = this.#socket;
		plain.removeAllListeners('readable');
		plain.removeAllListeners('close');
		plain.pause();
		while (plain.read() !== null);
		if (this.#isClosed) return 'failed';
		const secure = startTls({
			socket: plain,
			...(isName(this.#name) ? { servername: this.#name } : {}),
			rejectUnauthorized: false,
			// The versions that old servers still speak are better than plain text.
			minVersion: 'TLSv1',
			ciphers: 'DEFAULT@SECLEVEL=0',
		});
		const { promise, resolve } = Promise.withResolvers<'secured' | 'failed'>();
		secure.once('secureConnect', () => resolve('secured'));
		secure.once('error', () => resolve('failed'));
		secure.once('close', () => resolve('failed'));
		this.#socket = secure;
		this.#follow(secure);
		const outcome = (await within(promise, limitMs)) ?? 'timeout';
		if (outcome !== 'secured') void this.close();
		return outcome;
	}

	/** Hangs up. The promise resolves when the server has hung up too, or after a moment. */
	async close(): Promise<void> {
		this.#isClosed = true;
		this.#wake?.();
		const socket = this.#socket;
		if (socket.destroyed) return;
		const { promise: closed, resolve } = Promise.withResolvers<void>();
		socket.once('close', () => resolve());
		// Its last words are read, so that its end is seen, and dropped.
		socket.removeAllListeners('readable');
		socket.resume();
		socket.end();
		await within(closed, CLOSING_MS);
		socket.destroy();
	}

	#follow(socket: Socket): void {
		socket.on('readable', () => {
			if (socket.readableLength > 0) this.#wake?.();
			// The end: it is told when it is read.
			else socket.read();
		});
		socket.on('close', () => {
			this.#isClosed = true;
			this.#wake?.();
		});
		// `close` follows, which is all that a reader needs to know.
		socket.on('error', () => {});
	}
}

/** RFC 6066 §3: a name, no address, and without the final dot. */
function isName(text: string): boolean {
	return /[a-z]/i.test(text) && !text.includes(':');
}
