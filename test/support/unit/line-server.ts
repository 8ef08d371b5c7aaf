import type { Clock } from '../../../src/engine/ports.ts';
import type { Connection } from '../../../src/prober/dial/egress-dialer.ts';
import type { ReadResult } from '../../../src/prober/dial/stream-connection.ts';

/** The round trip to every mail server. */
export const REPLY_MS = 100;

/** Some words, empty: silence; or the last ones, after which the server hangs up. */
export type Said = string | { readonly last: string };

/** A mail server, line by line. */
export interface LineServer {
	readonly greeting: Said;
	readonly answer: (line: string) => Said;
	/** Happens while the connection is closed. */
	readonly closes?: () => Promise<void>;
}

/** A connection to a mail server inside this process: it replies to each write a round trip later. */
export class LineConnection implements Connection {
	/** Our writes, with lines separated by ` | `. */
	readonly writes: string[] = [];
	closed = false;
	readonly #clock: Clock;
	readonly #server: LineServer;
	#ready = '';
	#wake: (() => void) | null = null;
	#hungUp = false;

	constructor(clock: Clock, server: LineServer) {
		this.#clock = clock;
		this.#server = server;
		this.#say([server.greeting]);
	}

	async read(limitMs: number): Promise<ReadResult> {
		if (this.#ready === '' && !this.#hungUp && limitMs > 0) {
			const patience = new AbortController();
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			await Promise.race([promise, this.#clock.sleep(limitMs, patience.signal)]);
			patience.abort();
		}
		if (this.#ready === '') return { kind: this.#hungUp ? 'closed' : 'timeout' };
		const bytes = new TextEncoder().encode(this.#ready);
		this.#ready = '';
		return { kind: 'bytes', bytes };
	}

	async write(bytes: Uint8Array): Promise<void> {
		const text = new TextDecoder().decode(bytes).trimEnd();
		this.writes.push(text.replaceAll('\r\n', ' | '));
		if (text === 'QUIT') return;
		const said: Said[] = [];
		for (const line of text.split('\r\n')) {
			const one = this.#server.answer(line);
			said.push(one);
			if (typeof one !== 'string') break;
		}
		this.#say(said);
	}

	hangUp(): void {
		this.#hungUp = true;
		this.#wake?.();
	}

	secure(): Promise<'failed'> {
		return Promise.resolve('failed');
	}

	async close(): Promise<void> {
		if (this.closed) return;
		await this.#server.closes?.();
		this.closed = true;
	}

	#say(all: readonly Said[]): void {
		const texts = all.map((one) => (typeof one === 'string' ? one : one.last));
		const text = texts.flatMap((one) => (one === '' ? [] : `${one}\r\n`)).join('');
		const isLast = typeof all.at(-1) !== 'string';
		// A server that hangs up without a word does it at once.
		if (isLast && texts.at(-1) === '') this.hangUp();
		if (text !== '') void this.#sayLater(text, isLast);
	}

	async #sayLater(text: string, isLast: boolean): Promise<void> {
		await this.#clock.sleep(REPLY_MS);
		this.#ready += text;
		if (isLast) this.#hungUp = true;
		this.#wake?.();
	}
}
