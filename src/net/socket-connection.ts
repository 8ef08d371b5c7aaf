import { connect } from 'cloudflare:sockets';
import type { Connection, ReadResult } from '../engine/ports.ts';

// A peer that takes no bytes for this long has no use for the rest either.
const WRITE_TIMEOUT_MS = 5_000;

/** A TCP (or TLS) stream of the Workers runtime as a `Connection`: bounded waits, and nothing ever throws. */
export class SocketConnection implements Connection {
	readonly #socket: Socket;
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
	readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
	/** Bytes that were read ahead, and a read that outlived its caller's patience. */
	#early: Uint8Array | null = null;
	#pending: Promise<ReadResult> | null = null;

	private constructor(socket: Socket) {
		this.#socket = socket;
		this.#reader = socket.readable.getReader();
		this.#writer = socket.writable.getWriter();
		// The socket's own end is noticed by reading; unobserved rejections would only fill the log.
		socket.closed.catch(() => {});
		this.#writer.closed.catch(() => {});
		this.#reader.closed.catch(() => {});
	}

	/**
	 * Connects; `failed` covers refused, unreachable and forbidden, which the runtime does not tell apart. The signal closes
	 * the connection, whatever has become of it.
	 */
	static async open(
		to: { readonly host: string; readonly port: number; readonly secure: boolean },
		limitMs: number,
		signal?: AbortSignal,
	): Promise<SocketConnection | 'failed' | 'timeout'> {
		let socket: Socket;
		try {
			socket = connect(
				{ hostname: to.host.includes(':') ? `[${to.host}]` : to.host, port: to.port },
				{ secureTransport: to.secure ? 'on' : 'off', allowHalfOpen: false },
			);
		} catch {
			return 'failed';
		}
		const connection = new SocketConnection(socket);
		signal?.addEventListener('abort', () => connection.close(), { once: true });
		const opened = socket.opened.then(
			() => 'opened' as const,
			() => 'failed' as const,
		);
		const outcome = await within(opened, limitMs);
		if (outcome === 'opened') return connection;
		connection.close();
		return outcome === 'failed' ? 'failed' : 'timeout';
	}

	/** Puts bytes back that belong to whoever reads next. */
	unread(bytes: Uint8Array): void {
		if (bytes.length > 0) this.#early = new Uint8Array([...bytes, ...(this.#early ?? [])]);
	}

	listen(): void {
		this.#pending ??= this.#next();
	}

	async read(limitMs: number): Promise<ReadResult> {
		if (this.#early !== null) {
			const bytes = this.#early;
			this.#early = null;
			return { kind: 'bytes', bytes };
		}
		const hasListened = this.#pending !== null;
		this.#pending ??= this.#next();
		// Who has listened has heard what there is; a timer's turn would take a millisecond.
		const isGlance = limitMs <= 0 && hasListened;
		const result = await (isGlance
			? Promise.race([this.#pending, Promise.resolve('timeout' as const)])
			: within(this.#pending, limitMs));
		if (result === 'timeout') return { kind: 'timeout' };
		this.#pending = null;
		return result;
	}

	async write(bytes: Uint8Array): Promise<void> {
		const written = this.#writer.write(bytes).then(
			() => undefined,
			() => undefined, // The peer is gone: the next read says so.
		);
		await within(written, WRITE_TIMEOUT_MS);
	}

	close(): void {
		this.#reader.cancel().catch(() => {});
		this.#socket.close().catch(() => {});
	}

	async #next(): Promise<ReadResult> {
		try {
			const { value, done } = await this.#reader.read();
			return done ? { kind: 'closed' } : { kind: 'bytes', bytes: value };
		} catch {
			return { kind: 'closed' };
		}
	}
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | 'timeout'> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const limit = new Promise<'timeout'>((resolve) => {
		timer = setTimeout(() => resolve('timeout'), Math.max(0, limitMs));
	});
	try {
		return await Promise.race([promise, limit]);
	} finally {
		clearTimeout(timer);
	}
}
