import type { Clock } from '../../../src/engine/ports.ts';
import type { Connection } from '../../../src/prober/dial/egress-dialer.ts';

/** The round trip to a mail server. */
export const REPLY_MS = 100;

interface Manners {
	readonly greeting?: string;
	/** It takes its time over a goodbye. */
	readonly closesAfterMs?: number;
	/** Told when it is closed. */
	readonly closes?: () => void;
}

/** A connection to a slow mail server: it takes a tenth of a second to reply to each write. After a 421 it hangs up. */
export class SlowConnection implements Connection {
	readonly writes: string[] = [];
	closed = false;
	readonly #clock: Clock;
	readonly #answer: (line: string) => string | null;
	readonly #manners: Manners;
	#ready = '';
	#wake: (() => void) | null = null;
	#hungUp = false;
	#isClosing = false;

	/** @param answer to a line of ours; empty: silence; null: it hangs up */
	constructor(clock: Clock, answer: (line: string) => string | null, manners: Manners) {
		this.#clock = clock;
		this.#answer = answer;
		this.#manners = manners;
		void this.#sayLater(`${manners.greeting ?? '220 mx.test ESMTP'}\r\n`);
	}

	async read(limitMs: number): ReturnType<Connection['read']> {
		if (this.#ready === '' && !this.#hungUp && limitMs > 0) {
			const patience = new AbortController();
			const said = new Promise<void>((resolve) => (this.#wake = resolve));
			await Promise.race([said, this.#clock.sleep(limitMs, patience.signal)]);
			patience.abort(null);
		}
		if (this.#ready === '') return { kind: this.#hungUp ? 'closed' : 'timeout' };
		const bytes = new TextEncoder().encode(this.#ready);
		this.#ready = '';
		return { kind: 'bytes', bytes };
	}

	async write(bytes: Uint8Array): Promise<void> {
		const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n');
		this.writes.push(lines.join(' | '));
		if (lines[0] === 'QUIT') return;
		let said = '';
		for (const line of lines) {
			const answer = this.#answer(line);
			if (answer === null) {
				this.hangUp();
				break;
			}
			if (answer !== '') said += `${answer}\r\n`;
			if (answer.startsWith('421')) break;
		}
		if (said !== '') void this.#sayLater(said);
	}

	hangUp(): void {
		this.#hungUp = true;
		this.#wake?.();
	}

	secure(): Promise<'failed'> {
		return Promise.resolve('failed');
	}

	async close(): Promise<void> {
		const { closesAfterMs = 0, closes } = this.#manners;
		if (this.#isClosing) return;
		this.#isClosing = true;
		if (closesAfterMs > 0) await this.#clock.sleep(closesAfterMs);
		this.closed = true;
		closes?.();
	}

	async #sayLater(text: string): Promise<void> {
		await this.#clock.sleep(REPLY_MS);
		this.#ready += text;
		if (/^421/m.test(text)) this.#hungUp = true;
		this.#wake?.();
	}
}
