import { once } from 'node:events';
import type { Behaviour } from './behaviour.ts';
import type { Counters } from './counters.ts';
import { increment } from './counters.ts';
import type { SmtpDialogue } from './smtp-dialogue.ts';
import { verbOf } from './smtp-dialogue.ts';
import type { Transcript } from './transcript.ts';
import { note } from './transcript.ts';

// RFC 5321 §4.5.3.1.4 allows 512 octets; parameters and long addresses need more.
const COMMAND_LENGTH_MAX = 4096;
const FLOOD_BYTES = 10 * 1024 * 1024;
const DRIP_PAUSE_MS = 1000;
// RFC 2920 §3.1: these may only be the last command of a group. HELO has no groups at all.
const ENDS_A_GROUP: ReadonlySet<string> = new Set('EHLO HELO DATA VRFY EXPN NOOP QUIT STARTTLS'.split(' '));
const FORBIDDEN: ReadonlySet<string> = new Set(['DATA', 'VRFY', 'EXPN']);

/** What lies between a session and its client: a socket, or a connection inside this process. */
export interface Wire {
	/** Resolves when there is room for more. */
	write(bytes: Uint8Array): Promise<unknown>;
	/** The next bytes are those of a TLS handshake. */
	secure(): void;
	end(): void;
}

/** What a session works with. */
export interface SessionParts {
	readonly host: string;
	readonly behaviour: Behaviour;
	readonly dialogue: Pick<SmtpDialogue, 'answer' | 'mistrusts' | 'pipelining'>;
	readonly counters: Counters['smtp'];
	readonly transcript: Transcript;
	/** The round trip to this server: a reply is sent this long after its command came in. */
	readonly replyDelayMs: () => number;
	readonly time: { now(): number; sleep(ms: number, signal: AbortSignal): Promise<unknown> };
}

/** A mail server's side of a connection: splits lines, keeps order and time, and does to the wire what the fault asks. */
export class SmtpSession {
	readonly #wire: Wire;
	readonly #parts: SessionParts;
	readonly #ended = new AbortController();
	readonly #waiting: { line: string; dueAt: number }[] = [];
	#unfinished = '';
	#greeted = false;
	#answering = true;
	#lastVerb = '';
	#breaksHandshake = false;

	constructor(wire: Wire, parts: SessionParts) {
		this.#wire = wire;
		this.#parts = parts;
		parts.counters.connections += 1;
		void this.#guard(this.#greet().then(() => this.#answerWaiting()));
	}

	/** The client says no more. */
	isLeft(): void {
		this.#parts.transcript.endedBy ??= 'client';
	}

	/** There is no connection any more. */
	close(): void {
		this.isLeft();
		this.#ended.abort();
	}

	receive(chunk: string): void {
		if (this.#breaksHandshake) {
			this.#write('500 5.5.2 Error: command not recognized\r\n');
			return this.#hangUp();
		}
		const lines = (this.#unfinished + chunk).split('\n');
		this.#unfinished = lines.pop() ?? '';
		if (this.#unfinished.length > COMMAND_LENGTH_MAX) this.#hangUp();
		for (const line of lines) this.#accept(line.replace(/\r$/, ''));
		if (!this.#answering) void this.#guard(this.#answerWaiting());
	}

	async #greet(): Promise<void> {
		const { behaviour, host, replyDelayMs } = this.#parts;
		if (behaviour.fault === 'silent') await once(this.#ended.signal, 'abort');
		await this.#wait(replyDelayMs() + (behaviour.tarpitMs ?? 0));
		if (behaviour.fault === 'closes-at-greeting') return this.#hangUp();
		if (behaviour.fault === 'floods-line') return this.#flood('220 ', 'x'.repeat(65_536), FLOOD_BYTES);
		const greeting = behaviour.greeting?.(host) ?? `220 ${host} ESMTP`;
		const [teaser = '', ...rest] = greeting.split('\n');
		await this.#say(teaser);
		await this.#wait(behaviour.teaserMs ?? 0);
		if (rest.length > 0) await this.#say(rest.join('\n'));
		this.#greeted = true;
		if (!greeting.startsWith('220')) this.#hangUp();
	}

	#accept(line: string): void {
		const { behaviour, counters, dialogue, replyDelayMs, time, transcript } = this.#parts;
		if (transcript.endedBy === 'server') return;
		note(transcript, '<', line);
		const verb = verbOf(line);
		increment(counters.commands, verb);
		if (FORBIDDEN.has(verb)) counters.forbidden += 1;
		const waits = this.#answering || this.#waiting.length > 0;
		if (!this.#greeted || (waits && (!dialogue.pipelining || ENDS_A_GROUP.has(this.#lastVerb)))) {
			counters.early += 1;
			if (behaviour.early === 'protocol-error') dialogue.mistrusts = true;
			if ((behaviour.early ?? 'close') === 'close') return this.#refuseSynchronization();
		}
		this.#lastVerb = verb;
		this.#waiting.push({ line, dueAt: time.now() + replyDelayMs() });
	}

	#refuseSynchronization(): void {
		this.#waiting.length = 0;
		const text = '554 5.5.0 Error: SMTP protocol synchronization';
		note(this.#parts.transcript, '>', text);
		this.#write(`${text}\r\n`);
		this.#hangUp();
	}

	async #answerWaiting(): Promise<void> {
		this.#answering = true;
		const { behaviour, time } = this.#parts;
		for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
			await this.#wait(next.dueAt - time.now());
			await this.#wait(behaviour.tarpitMs ?? 0);
			if (verbOf(next.line) === 'RCPT') await this.#wait(behaviour.calloutMs ?? 0);
			await this.#answer(next.line);
		}
		this.#answering = false;
	}

	async #answer(line: string): Promise<void> {
		const { behaviour, dialogue } = this.#parts;
		const { text, closes } = dialogue.answer(line);
		const verb = verbOf(line);
		if (behaviour.fault === 'deaf-to-quit' && verb === 'QUIT') return;
		if (behaviour.fault === 'floods-replies')
			return this.#flood('', '250-PIPELINING\r\n'.repeat(1024), Infinity);
		if (behaviour.fault === 'closes-mid-reply' && verb === 'RCPT') {
			this.#write(text.slice(0, 7));
			return this.#hangUp();
		}
		await this.#say(text);
		if (verb === 'STARTTLS' && text.startsWith('220')) this.#startTls();
		if (closes) this.#hangUp();
	}

	/** What the client said before the handshake counts for nothing (RFC 3207 §4.2). */
	#startTls(): void {
		this.#waiting.length = 0;
		this.#unfinished = '';
		this.#breaksHandshake = this.#parts.behaviour.tls === 'breaks';
		if (this.#breaksHandshake) return;
		note(this.#parts.transcript, '>', '(TLS)');
		this.#wire.secure();
	}

	async #say(text: string): Promise<void> {
		if (this.#ended.signal.aborted || this.#parts.transcript.endedBy === 'server') return;
		note(this.#parts.transcript, '>', text);
		const reply = `${text.replaceAll('\n', '\r\n')}\r\n`;
		if (this.#parts.behaviour.fault !== 'drips') return this.#write(reply);
		for (const byte of Buffer.from(reply)) {
			void this.#wire.write(Uint8Array.of(byte));
			await this.#wait(DRIP_PAUSE_MS);
		}
	}

	/** In Latin-1 an accented letter is one byte above 0x7f, which UTF-8 never has alone. */
	#write(text: string): void {
		const isLatin = this.#parts.behaviour.fault === 'invalid-utf8';
		void this.#wire.write(Buffer.from(text, isLatin ? 'latin1' : 'utf8'));
	}

	async #flood(start: string, chunk: string, bytes: number): Promise<void> {
		this.#write(start);
		for (let sent = 0; sent < bytes; sent += chunk.length) await this.#wire.write(Buffer.from(chunk));
	}

	#hangUp(): void {
		this.#parts.transcript.endedBy ??= 'server';
		this.#wire.end();
	}

	async #wait(ms: number): Promise<void> {
		if (ms <= 0) return;
		await this.#parts.time.sleep(ms, this.#ended.signal);
		this.#ended.signal.throwIfAborted();
	}

	/** The end of the connection ends whatever the session was waiting for; anything else is a bug. */
	async #guard(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (error) {
			if (!this.#ended.signal.aborted) throw error;
		}
	}
}
