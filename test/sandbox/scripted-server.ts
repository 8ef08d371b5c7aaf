import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Listener } from './listener.ts';
import { LOOPBACK, openListener } from './listener.ts';

// Long enough for a busy machine; a step that is never taken ends it.
const FINISH_WITHIN_MS = 60_000;

/** A mail server that says and expects exactly what its script says. */
export interface ScriptedMailServer extends Listener {
	readonly hostname: string;
	/** Waits for the last step; throws at the first line that differs, or when the client left before the end. */
	assertFinished(): Promise<void>;
}

/**
 * Starts a server for one connection. `> 220 mx.test` is what the client hears, `< EHLO us.test` is what it must say
 * next; in such a line `*` stands for any text without a space. `! close` makes the server hang up.
 */
export async function startScriptedMailServer(
	script: readonly string[],
	port?: number,
): Promise<ScriptedMailServer> {
	const play = new Play(script);
	const listener = await openListener(
		createServer({ noDelay: true }, (socket) => play.start(socket)),
		port,
	);
	return { ...listener, hostname: LOOPBACK, assertFinished: () => play.assertFinished() };
}

class Play {
	readonly #script: readonly string[];
	readonly #ended = Promise.withResolvers<void>();
	#position = 0;
	#unfinished = '';
	#started = false;
	#failure: string | null = null;

	constructor(script: readonly string[]) {
		const odd = script.find((step) => !/^(?:[<>] |! close$)/.test(step));
		if (odd !== undefined) throw new Error(`A script line starts with "> " or "< ", or is "! close": ${odd}`);
		this.#script = script;
	}

	start(socket: Socket): void {
		if (this.#started) return this.#fail(socket, 'the client connected a second time');
		this.#started = true;
		socket.setEncoding('utf8');
		socket.on('error', () => undefined);
		socket.on('close', () => {
			if (this.#next() !== undefined) this.#failure ??= `the client left before: ${this.#next()}`;
			this.#ended.resolve();
		});
		socket.on('data', (chunk: string) => {
			const lines = (this.#unfinished + chunk).split('\r\n');
			this.#unfinished = lines.pop() ?? '';
			for (const line of lines) this.#hear(socket, line);
		});
		this.#speak(socket);
	}

	async assertFinished(): Promise<void> {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, FINISH_WITHIN_MS);
		});
		await Promise.race([this.#ended.promise, late]);
		clearTimeout(timer);
		if (this.#failure !== null) throw new Error(`Mail server script: ${this.#failure}`);
		if (this.#next() !== undefined) throw new Error(`Mail server script: still waiting for: ${this.#next()}`);
	}

	#next(): string | undefined {
		return this.#script[this.#position];
	}

	#hear(socket: Socket, line: string): void {
		if (this.#failure !== null) return;
		const expected = this.#next();
		if (expected === undefined) return this.#fail(socket, `after the end the client said: ${line}`);
		if (!expected.startsWith('< ') || !matches(expected.slice(2), line)) {
			return this.#fail(socket, `expected "${expected}", the client said: ${line}`);
		}
		this.#position += 1;
		this.#speak(socket);
	}

	/** Everything up to the next line that the client has to say, in one write. */
	#speak(socket: Socket): void {
		const said: string[] = [];
		for (let step = this.#next(); step?.startsWith('> '); step = this.#next()) {
			said.push(`${step.slice(2)}\r\n`);
			this.#position += 1;
		}
		if (said.length > 0) socket.write(said.join(''));
		if (this.#next() === '! close') {
			this.#position += 1;
			socket.end();
		}
		if (this.#next() === undefined) this.#ended.resolve();
	}

	#fail(socket: Socket, failure: string): void {
		this.#failure ??= failure;
		this.#ended.resolve();
		socket.destroy();
	}
}

function matches(pattern: string, line: string): boolean {
	const source = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
	return new RegExp(`^${source.join('\\S*')}$`, 'u').test(line);
}
