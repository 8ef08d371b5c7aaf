import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { Behaviour } from './behaviour.ts';
import { makeCertificate } from './certificate.ts';
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
const ENDS_A_GROUP: ReadonlySet<string> = new Set([
	'EHLO',
	'HELO',
	'DATA',
	'VRFY',
	'EXPN',
	'NOOP',
	'QUIT',
	'STARTTLS',
]);
const FORBIDDEN: ReadonlySet<string> = new Set(['DATA', 'VRFY', 'EXPN']);

let ownContext: SecureContext | null = null;

/** One certificate is enough for all mail servers of the sandbox: nobody checks whose it is. */
function secureContext(): SecureContext {
	ownContext ??= createSecureContext(makeCertificate());
	return ownContext;
}

/** What a session works with. */
export interface SessionParts {
	readonly host: string;
	readonly behaviour: Behaviour;
	readonly dialogue: SmtpDialogue;
	readonly counters: Counters['smtp'];
	readonly transcript: Transcript;
	/** The round trip to this server: a reply is sent this long after its command came in. */
	readonly replyDelayMs: () => number;
}

/** The socket side of a mail server: splits lines, keeps order and time, and does to the wire what the fault asks. */
export class SmtpSession {
	/** Another one once it speaks TLS. */
	#socket: Socket;
	readonly #parts: SessionParts;
	readonly #ended = new AbortController();
	readonly #waiting: { line: string; dueAt: number }[] = [];
	#unfinished = '';
	#greeted = false;
	#answering = true;
	#lastVerb = '';

	constructor(socket: Socket, parts: SessionParts) {
		this.#socket = socket;
		this.#parts = parts;
	}

	/** Speaks until either side hangs up. */
	async run(): Promise<void> {
		this.#parts.counters.connections += 1;
		this.#socket.setNoDelay(true);
		this.#listenTo(this.#socket);
		await this.#guard(this.#greet().then(() => this.#answerWaiting()));
	}

	#listenTo(socket: Socket): void {
		const { transcript } = this.#parts;
		socket.setEncoding('utf8');
		socket.on('error', () => undefined); // A client that vanishes is not an event here.
		socket.on('end', () => (transcript.endedBy ??= 'client'));
		socket.on('close', () => {
			transcript.endedBy ??= 'client';
			this.#ended.abort();
		});
		socket.on('data', (chunk: string) => this.#receive(chunk));
	}

	/** After the 220 to STARTTLS. What the client said before the handshake counts for nothing (RFC 3207 §4.2). */
	#startTls(): void {
		const plain = this.#socket;
		plain.removeAllListeners('data');
		this.#waiting.length = 0;
		this.#unfinished = '';
		if (this.#parts.behaviour.tls === 'breaks') {
			plain.once('data', () => {
				plain.write('500 5.5.2 Error: command not recognized\r\n');
				this.#hangUp();
			});
			return;
		}
		note(this.#parts.transcript, '>', '(TLS)');
		this.#socket = new TLSSocket(plain, { isServer: true, secureContext: secureContext() });
		this.#listenTo(this.#socket);
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

	#receive(chunk: string): void {
		const lines = (this.#unfinished + chunk).split('\n');
		this.#unfinished = lines.pop() ?? '';
		if (this.#unfinished.length > COMMAND_LENGTH_MAX) this.#socket.destroy();
		for (const line of lines) this.#accept(line.replace(/\r$/, ''));
		if (!this.#answering) void this.#guard(this.#answerWaiting());
	}

	#accept(line: string): void {
		const { behaviour, counters, dialogue, replyDelayMs, transcript } = this.#parts;
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
		this.#waiting.push({ line, dueAt: performance.now() + replyDelayMs() });
	}

	#refuseSynchronization(): void {
		this.#waiting.length = 0;
		const text = '554 5.5.0 Error: SMTP protocol synchronization';
		note(this.#parts.transcript, '>', text);
		this.#socket.write(`${text}\r\n`);
		this.#hangUp();
	}

	async #answerWaiting(): Promise<void> {
		this.#answering = true;
		for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
			await this.#wait(next.dueAt - performance.now());
			await this.#wait(this.#parts.behaviour.tarpitMs ?? 0);
			if (verbOf(next.line) === 'RCPT') await this.#wait(this.#parts.behaviour.calloutMs ?? 0);
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
			this.#socket.write(text.slice(0, 7));
			return this.#hangUp();
		}
		await this.#say(text);
		if (verb === 'STARTTLS' && text.startsWith('220')) this.#startTls();
		if (closes) this.#hangUp();
	}

	async #say(text: string): Promise<void> {
		if (this.#ended.signal.aborted || this.#parts.transcript.endedBy === 'server') return;
		note(this.#parts.transcript, '>', text);
		const { fault } = this.#parts.behaviour;
		// In Latin-1 an accented letter is one byte above 0x7f, which UTF-8 never has alone.
		const bytes = Buffer.from(
			`${text.replaceAll('\n', '\r\n')}\r\n`,
			fault === 'invalid-utf8' ? 'latin1' : 'utf8',
		);
		if (fault !== 'drips') {
			this.#socket.write(bytes);
			return;
		}
		for (const byte of bytes) {
			this.#socket.write(Uint8Array.of(byte));
			await this.#wait(DRIP_PAUSE_MS);
		}
	}

	async #flood(start: string, chunk: string, bytes: number): Promise<void> {
		this.#socket.write(start);
		for (let sent = 0; sent < bytes; sent += chunk.length) {
			if (!this.#socket.write(chunk)) await once(this.#socket, 'drain', { signal: this.#ended.signal });
		}
	}

	#hangUp(): void {
		this.#parts.transcript.endedBy ??= 'server';
		this.#socket.end();
	}

	async #wait(ms: number): Promise<void> {
		if (ms > 0) await pause(ms, undefined, { signal: this.#ended.signal });
	}

	/** The end of the connection ends whatever the session was waiting for; anything else is a bug. */
	async #guard(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (error) {
			if (!this.#ended.signal.aborted && !this.#socket.destroyed) throw error;
		}
	}
}
