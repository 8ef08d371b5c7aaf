import type { Behaviour } from '../sandbox/behaviour.ts';
import { makeCounters } from '../sandbox/counters.ts';
import { SmtpSession } from '../sandbox/smtp-session.ts';
import type { SessionParts } from '../sandbox/smtp-session.ts';

const ROUND_TRIP_MS = 20;
// Of it, so that a session is at rest when its client hears it.
const WAY_MS = 1;

/** Passes only when everything waits. */
interface Time {
	now(): number;
	sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
}

/** A connection to a mail server of the sandbox inside this process. */
export class PlayedConnection {
	readonly #time: Time;
	readonly #behaviour: Behaviour;
	readonly #session: SmtpSession;
	#ready = Buffer.alloc(0);
	#isOver = false;
	#wake: () => void = () => {};
	#drained = Promise.withResolvers<void>();

	constructor(
		time: Time,
		{ host, behaviour, dialogue }: Pick<SessionParts, 'host' | 'behaviour' | 'dialogue'>,
	) {
		this.#time = time;
		this.#behaviour = behaviour;
		const write = async (bytes: Uint8Array): Promise<void> => {
			await time.sleep(WAY_MS);
			this.#ready = Buffer.concat([this.#ready, bytes]);
			this.#wake();
			await this.#drained.promise;
		};
		const end = (): void => void time.sleep(WAY_MS).then(() => this.#end());
		const wire = { write, secure: () => {}, end };
		const transcript = { host, lines: [], endedBy: null };
		const counters = makeCounters().smtp;
		const replyDelayMs = (): number => ROUND_TRIP_MS - WAY_MS;
		this.#session = new SmtpSession(wire, {
			host,
			behaviour,
			dialogue,
			counters,
			transcript,
			replyDelayMs,
			time,
		});
	}

	async read(limitMs: number) {
		if (this.#ready.length === 0 && !this.#isOver) {
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			await Promise.race([promise, this.#time.sleep(Math.max(0, limitMs))]);
		}
		if (this.#ready.length === 0) return { kind: this.#isOver ? 'closed' : 'timeout' } as const;
		const bytes = this.#ready;
		this.#ready = Buffer.alloc(0);
		this.#drained.resolve();
		this.#drained = Promise.withResolvers();
		return { kind: 'bytes', bytes } as const;
	}

	listen(): void {}

	write(bytes: Uint8Array): Promise<void> {
		this.#session.receive(Buffer.from(bytes).toString());
		return Promise.resolve();
	}

	secure(): Promise<'secured' | 'failed'> {
		return Promise.resolve(this.#behaviour.tls === 'works' ? 'secured' : 'failed');
	}

	close(): Promise<void> {
		this.#session.close();
		this.#end();
		return Promise.resolve();
	}

	#end(): void {
		this.#isOver = true;
		this.#wake();
	}
}
