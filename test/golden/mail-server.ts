import type { Behaviour } from '../sandbox/behaviour.ts';
import type { Answer } from '../sandbox/smtp-dialogue.ts';

/** Time that passes only when everything waits. */
interface Time {
	now(): number;
	sleep(ms: number): Promise<void>;
}

/** What a mail server says: the sandbox's, or one that was recorded. */
export interface Dialogue {
	/** The client may send its next commands without waiting. */
	readonly pipelining: boolean;
	answer(line: string): Answer;
}

const ROUND_TRIP_MS = 20;
const DRIP_MS = 1_000;
const FLOOD = 'x'.repeat(65_536);

/** A connection to a mail server inside this process: what `SmtpSession` of the sandbox does with a socket. */
export class PlayedConnection {
	readonly #time: Time;
	readonly #host: string;
	readonly #behaviour: Behaviour;
	readonly #dialogue: Dialogue;
	#ready = Buffer.alloc(0);
	#flood: string | null = null;
	#isOver = false;
	#wake: () => void = () => {};
	/** Everything that the server still has to do, and how many replies of it are due, the greeting among them. */
	#work: Promise<void>;
	#due = 1;

	constructor(time: Time, host: string, behaviour: Behaviour, dialogue: Dialogue) {
		this.#time = time;
		this.#host = host;
		this.#behaviour = behaviour;
		this.#dialogue = dialogue;
		this.#work = this.#greet();
	}

	async read(limitMs: number) {
		if (this.#ready.length === 0 && this.#flood === null && !this.#isOver) {
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			await Promise.race([promise, this.#time.sleep(Math.max(0, limitMs))]);
		}
		if (this.#flood !== null) return { kind: 'bytes', bytes: Buffer.from(this.#flood) } as const;
		if (this.#ready.length === 0) return { kind: this.#isOver ? 'closed' : 'timeout' } as const;
		const bytes = this.#ready;
		this.#ready = Buffer.alloc(0);
		return { kind: 'bytes', bytes } as const;
	}

	listen(): void {}

	write(bytes: Uint8Array): Promise<void> {
		for (const line of Buffer.from(bytes).toString().trimEnd().split('\r\n')) {
			const isEarly = this.#due > 0 && !this.#dialogue.pipelining;
			this.#due += 1;
			this.#work = this.#work.then(() => this.#answer(line, isEarly));
		}
		return Promise.resolve();
	}

	secure(): Promise<'secured' | 'failed'> {
		return Promise.resolve(this.#behaviour.tls === 'works' ? 'secured' : 'failed');
	}

	close(): Promise<void> {
		this.#isOver = true;
		return Promise.resolve();
	}

	async #greet(): Promise<void> {
		const { fault, greeting, tarpitMs = 0, teaserMs = 0 } = this.#behaviour;
		if (fault === 'silent') return;
		await this.#time.sleep(ROUND_TRIP_MS + tarpitMs);
		if (fault === 'closes-at-greeting') return this.#hangUp();
		if (fault === 'floods-line') return this.#pour(`220 ${FLOOD}`);
		const text = greeting?.(this.#host) ?? `220 ${this.#host} ESMTP`;
		const [first = '', ...rest] = text.split('\n');
		if (rest.length > 0) {
			await this.#say(first);
			await this.#time.sleep(teaserMs);
		}
		this.#due -= 1;
		await this.#say(rest.length > 0 ? rest.join('\n') : first);
		if (!text.startsWith('220')) this.#hangUp();
	}

	async #answer(line: string, isEarly: boolean): Promise<void> {
		if (this.#isOver) return;
		const { fault, tarpitMs = 0, calloutMs = 0, early = 'close' } = this.#behaviour;
		const verb = line.slice(0, 4).toUpperCase();
		if (isEarly && early === 'close') {
			await this.#say('554 5.5.0 Error: SMTP protocol synchronization');
			return this.#hangUp();
		}
		await this.#time.sleep(ROUND_TRIP_MS + tarpitMs + (verb === 'RCPT' ? calloutMs : 0));
		const { text, closes } = this.#dialogue.answer(line);
		if (fault === 'deaf-to-quit' && verb === 'QUIT') return;
		if (fault === 'floods-replies') return this.#pour('250-PIPELINING\r\n'.repeat(1024));
		if (fault === 'closes-mid-reply' && verb === 'RCPT') {
			this.#hear(text.slice(0, 7));
			return this.#hangUp();
		}
		this.#due -= 1;
		await this.#say(text);
		if (closes) this.#hangUp();
	}

	async #say(text: string): Promise<void> {
		const whole = `${text.replaceAll('\n', '\r\n')}\r\n`;
		if (this.#behaviour.fault !== 'drips') return this.#hear(whole);
		for (const character of whole) {
			if (this.#isOver) return;
			this.#hear(character);
			await this.#time.sleep(DRIP_MS);
		}
	}

	#hear(text: string): void {
		const bytes = Buffer.from(text, this.#behaviour.fault === 'invalid-utf8' ? 'latin1' : 'utf8');
		this.#ready = Buffer.concat([this.#ready, bytes]);
		this.#wake();
	}

	#pour(chunk: string): void {
		this.#flood = chunk;
		this.#wake();
	}

	#hangUp(): void {
		this.#isOver = true;
		this.#wake();
	}
}
