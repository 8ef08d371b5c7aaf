import type { Connection, Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import type { NoConnection } from '../../../src/prober/dial/dial.ts';
import type { FakeClock } from './fake-clock.ts';
import { fakeConnection, US } from './fake-connection.ts';

/**
 * One connection to a mail server, as a script. `> 220 mx.test` is a reply of the server, `< EHLO *` the line that it
 * expects next (`*` stands for any text without a space). `~ 5000` makes it wait that many milliseconds, `! close` hang
 * up. After the last line the server is silent. QUIT may come at any time and need not be in the script.
 * After STARTTLS, `! tls`, `! tls failed` and `! tls timeout` say how the handshake ends.
 */
export type Script = readonly string[];

/** The outcomes of dialling one address, in order. The last one also holds for all further dials. */
export type Fate = Script | NoConnection;

/** A dialer to servers that play scripts. Addresses that are not listed refuse connections. */
export function fakeDialer(clock: FakeClock, fates: Readonly<Record<string, readonly Fate[]>>) {
	/** The addresses, in order. */
	const dialled: string[] = [];
	const servers: ReturnType<typeof scriptedConnection>[] = [];
	const used = new Map<string, number>();
	const dial: Dialer['dial'] = async ({ address }, limitMs) => {
		dialled.push(address);
		const times = used.get(address) ?? 0;
		used.set(address, times + 1);
		const list = fates[address] ?? ['refused'];
		const fate = list[Math.min(times, list.length - 1)] ?? 'refused';
		if (typeof fate === 'string') {
			if (fate === 'timeout') clock.advance(limitMs);
			return { kind: 'no_connection', why: fate };
		}
		const server = scriptedConnection(clock, fate);
		servers.push(server);
		return { kind: 'connected', connection: server.connection, identity: US };
	};
	return {
		dial,
		egressesFor: (): readonly [string] => ['socks5://egress.test:1080'],
		dialled,
		/** All our writes by connection, with lines separated by ` | `. */
		get writes() {
			return servers.map(({ connection }) => connection.writes);
		},
		/** Throws if a script was not played to its end, or a connection was left open. */
		assertFinished: () => servers.forEach((server) => server.assertFinished()),
	};
}

/** A connection to a server that plays a script. */
function scriptedConnection(clock: FakeClock, script: Script) {
	let position = 0;
	const next = (): string | undefined => script[position];
	/** Says all up to the next line of the client, or to the handshake. */
	const speak = (): void => {
		for (let afterMs = 0; /^(?:> |~ |! close)/.test(next() ?? ''); position += 1) {
			const step = next() ?? '';
			if (!step.startsWith('~ ')) connection.say(step === '! close' ? null : step.slice(2), afterMs);
			afterMs = step.startsWith('~ ') ? Number(step.slice(2)) : 0;
		}
	};
	const hear = (lines: readonly string[]): void => {
		if (lines.length > 0 && !connection.isHeard) throw new Error('the server was not heard out');
		for (const line of lines) {
			const expected = next() ?? 'silence';
			if (!expected.startsWith('< ') || !matches(expected.slice(2), line))
				throw new Error(`the server expected "${expected}" and heard "${line}"`);
			position += 1;
		}
		speak();
	};
	const secure: Connection['secure'] = async (limitMs) => {
		const step = next() ?? '';
		if (!step.startsWith('! tls')) throw new Error('the script does not say how the handshake ends');
		position += 1;
		if (step === '! tls timeout') clock.advance(limitMs);
		return step === '! tls' ? 'secured' : step === '! tls timeout' ? 'timeout' : 'failed';
	};
	const assertFinished = (): void => {
		if (next() !== undefined) throw new Error(`the server is still at "${next()}"`);
		if (!connection.isHeard) throw new Error('the server was not heard out');
		if (!connection.closed) throw new Error('the connection was left open');
	};
	const connection = fakeConnection(clock, { hear, secure });
	speak();
	return { connection, assertFinished };
}

function matches(pattern: string, line: string): boolean {
	const source = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
	return new RegExp(`^${source.join('\\S*')}$`, 'u').test(line);
}
