import type { Connection, Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import type { NoConnection } from '../../../src/prober/dial/dial.ts';
import type { ReadResult } from '../../../src/prober/dial/stream-connection.ts';
import type { FakeClock } from './fake-clock.ts';

/**
 * One connection to a mail server, as a script. `> 220 mx.test` is a reply of the server, `< EHLO *` the line that it
 * expects next (`*` stands for any text without a space). `~ 5000` makes it wait that many milliseconds, `! close` hang
 * up. After the last line the server is silent. QUIT may come at any time and need not be in the script.
 * After STARTTLS, `! tls`, `! tls failed` and `! tls timeout` say how the handshake ends.
 */
export type Script = readonly string[];

/** The outcomes of dialling one address, in order. The last one also holds for all further dials. */
export type Fate = Script | NoConnection;

export interface FakeDialer extends Dialer {
	/** The addresses dialled, in order. */
	readonly dialled: readonly string[];
	/** All our writes by connection, with lines separated by ` | `. */
	readonly writes: readonly (readonly string[])[];
	/** Throws if a script was not played to its end, or a connection was left open. */
	assertFinished(): void;
}

/** A dialer to servers that play scripts. Addresses that are not listed refuse connections. */
export function fakeDialer(clock: FakeClock, fates: Readonly<Record<string, readonly Fate[]>>): FakeDialer {
	const dialled: string[] = [];
	const connections: ScriptedConnection[] = [];
	const used = new Map<string, number>();
	return {
		egressesFor: () => ['socks5://egress.test:1080'],
		dialled,
		get writes() {
			return connections.map(({ writes }) => writes);
		},
		assertFinished: () => connections.forEach((connection) => connection.assertFinished()),
		dial: ({ address }, limitMs) => {
			dialled.push(address);
			const times = used.get(address) ?? 0;
			used.set(address, times + 1);
			const list = fates[address] ?? ['refused'];
			const fate = list[Math.min(times, list.length - 1)] ?? 'refused';
			if (typeof fate === 'string') {
				if (fate === 'timeout') clock.advance(limitMs);
				return Promise.resolve({ kind: 'no_connection', why: fate });
			}
			const connection = new ScriptedConnection(clock, fate);
			connections.push(connection);
			const identity = { heloName: 'probe.us.test', mailFrom: 'v@us.test' };
			return Promise.resolve({ kind: 'connected', connection, identity });
		},
	};
}

class ScriptedConnection implements Connection {
	readonly writes: string[] = [];
	readonly #clock: FakeClock;
	readonly #script: Script;
	#position = 0;
	#closed = false;

	constructor(clock: FakeClock, script: Script) {
		this.#clock = clock;
		this.#script = script;
	}

	read(limitMs: number): Promise<ReadResult> {
		if (this.#closed) throw new Error('read after close');
		let left = limitMs;
		for (;;) {
			const step = this.#script[this.#position] ?? '';
			if (step.startsWith('> ')) return Promise.resolve({ kind: 'bytes', bytes: this.#speak() });
			if (step === '! close') {
				this.#position += 1;
				return Promise.resolve({ kind: 'closed' });
			}
			const waitMs = step.startsWith('~ ') ? Number(step.slice(2)) : Number.POSITIVE_INFINITY;
			if (waitMs > left) {
				this.#clock.advance(left);
				return Promise.resolve({ kind: 'timeout' });
			}
			this.#clock.advance(waitMs);
			left -= waitMs;
			this.#position += 1;
		}
	}

	write(bytes: Uint8Array): Promise<void> {
		if (this.#closed) throw new Error('write after close');
		const lines = new TextDecoder().decode(bytes).split('\r\n');
		if (lines.pop() !== '') throw new Error('a line of ours does not end');
		this.writes.push(lines.join(' | '));
		for (const line of lines) {
			if (line === 'QUIT') continue;
			const expected = this.#script[this.#position] ?? 'silence';
			if (!expected.startsWith('< ') || !matches(expected.slice(2), line))
				throw new Error(`the server expected "${expected}" and heard "${line}"`);
			this.#position += 1;
		}
		return Promise.resolve();
	}

	secure(limitMs: number): Promise<'secured' | 'failed' | 'timeout'> {
		const step = this.#script[this.#position] ?? '';
		if (!step.startsWith('! tls')) throw new Error('the script does not say how the handshake ends');
		this.#position += 1;
		if (step === '! tls timeout') this.#clock.advance(limitMs);
		return Promise.resolve(step === '! tls' ? 'secured' : step === '! tls timeout' ? 'timeout' : 'failed');
	}

	close(): Promise<void> {
		this.#closed = true;
		return Promise.resolve();
	}

	assertFinished(): void {
		const next = this.#script[this.#position];
		if (next !== undefined) throw new Error(`the server is still at "${next}"`);
		if (!this.#closed) throw new Error('the connection was left open');
	}

	/** All replies up to the next line of the client, in one segment; `~ ` ends the segment. */
	#speak(): Uint8Array {
		let text = '';
		for (let step = this.#script[this.#position]; step?.startsWith('> ');) {
			text += `${step.slice(2)}\r\n`;
			this.#position += 1;
			step = this.#script[this.#position];
		}
		return new TextEncoder().encode(text);
	}
}

function matches(pattern: string, line: string): boolean {
	const source = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
	return new RegExp(`^${source.join('\\S*')}$`, 'u').test(line);
}
