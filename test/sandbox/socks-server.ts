import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Counters } from './counters.ts';
import { increment, makeCounters } from './counters.ts';
import type { Listener } from './listener.ts';
import { LOOPBACK, openListener } from './listener.ts';
import type { DeadHost } from './scenes/scene.ts';

const SMTP_PORT = 25;
// RFC 1928 §6
const REPLY = {
	succeeded: 0,
	failed: 1,
	notAllowed: 2,
	unreachable: 4,
	refused: 5,
	badCommand: 7,
	badAddress: 8,
};

/** Where a destination leads: to a loopback port, or nowhere. */
export type Route = { readonly port: number } | DeadHost;

interface SocksOptions {
	/** Left out: random ones. */
	readonly credentials?: { readonly username: string; readonly password: string };
	/** By destination address. What is not in it is not allowed. */
	readonly routes: ReadonlyMap<string, Route>;
	readonly counters?: Counters['socks'];
	/** Sends the reply to CONNECT together with the first bytes of the destination, as a fast proxy may. */
	readonly mergesConnectReply?: boolean;
	/** The round trip to the proxy: each of its own replies is sent this much later. */
	readonly replyDelayMs?: number;
	readonly port?: number;
}

type Known = SocksOptions & Required<Pick<SocksOptions, 'credentials' | 'counters'>>;

/** A SOCKS5 proxy (RFC 1928, RFC 1929) that leads to the sandbox's own servers and never dials anything else. */
export async function startSocksServer(given: SocksOptions): Promise<Listener & { readonly url: string }> {
	const credentials = { username: 'sandbox', password: randomBytes(12).toString('hex') };
	const options = { credentials, counters: makeCounters().socks, ...given };
	const server = createServer((client) => {
		client.setNoDelay(true);
		client.on('error', () => undefined);
		serve(client, options).catch(() => client.destroy());
	});
	const listener = await openListener(server, options.port);
	const { username, password } = options.credentials;
	const user = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
	return { ...listener, url: `socks5://${user}@${LOOPBACK}:${listener.port}` };
}

async function serve(client: Socket, options: Known): Promise<void> {
	const { counters, routes } = options;
	if (!(await authenticate(client, options))) return;
	const [version, command, , type] = await take(client, 4);
	if (version !== 5) throw new Error('not SOCKS5');
	const address = await readAddress(client, type ?? 0);
	if (address === null) return refuse(client, REPLY.badAddress);
	const port = (await take(client, 2)).readUInt16BE();
	if (command !== 1) return refuse(client, REPLY.badCommand);

	increment(counters.connects, address);
	const route = port === SMTP_PORT ? routes.get(address) : undefined;
	if (route === undefined) {
		counters.notAllowed += 1;
		return refuse(client, REPLY.notAllowed);
	}
	if (route === 'never') return;
	if (route === 'refused' || route === 'unreachable') return refuse(client, REPLY[route]);
	await tunnel(client, route.port, options);
}

/** RFC 1928 §3 and RFC 1929. */
async function authenticate(
	client: Socket,
	{ credentials: { username, password }, counters, replyDelayMs }: Known,
): Promise<boolean> {
	const [version, methodCount = 0] = await take(client, 2);
	if (version !== 5) throw new Error('not SOCKS5');
	const methods = await take(client, methodCount);
	if (!methods.includes(2)) {
		client.end(Uint8Array.of(5, 0xff));
		return false;
	}
	await delay(replyDelayMs);
	client.write(Uint8Array.of(5, 2));
	const [, nameLength = 0] = await take(client, 2);
	const name = await take(client, nameLength);
	const [secretLength = 0] = await take(client, 1);
	const secret = await take(client, secretLength);
	const known = equal(name, Buffer.from(username)) && equal(secret, Buffer.from(password));
	if (!known) {
		counters.badCredentials += 1;
		client.end(Uint8Array.of(1, 1));
		return false;
	}
	await delay(replyDelayMs);
	client.write(Uint8Array.of(1, 0));
	return true;
}

/** DST.ADDR as text; null for a name, which we never ask for. An IPv6 address has no route here, so its spelling is free. */
async function readAddress(client: Socket, type: number): Promise<string | null> {
	if (type === 1) return (await take(client, 4)).join('.');
	return type === 4 ? (await take(client, 16)).toString('hex') : null;
}

async function tunnel(
	client: Socket,
	port: number,
	{ mergesConnectReply = false, replyDelayMs }: SocksOptions,
): Promise<void> {
	await delay(replyDelayMs);
	const upstream = connect({ port, host: LOOPBACK, noDelay: true });
	upstream.on('error', () => undefined);
	client.once('close', () => upstream.destroy());
	if (client.destroyed) upstream.destroy();
	try {
		await once(upstream, 'connect');
		if (mergesConnectReply) await once(upstream, 'readable');
	} catch {
		return refuse(client, REPLY.failed);
	}
	client.cork();
	client.write(reply(REPLY.succeeded));
	// What the client sent right behind its request is still in its stream: the pipe takes it along.
	client.pipe(upstream);
	upstream.pipe(client);
	upstream.once('close', () => client.end());
	setImmediate(() => client.uncork());
}

/** The next `length` bytes, however they arrive; throws when the client ends before. */
async function take(client: Socket, length: number): Promise<Buffer> {
	let taken = Buffer.alloc(0);
	while (taken.length < length) {
		// Not read(length): what stays in the stream makes every new `readable` listener fire at once, for ever.
		const bytes: unknown = client.read();
		if (bytes instanceof Buffer) taken = Buffer.concat([taken, bytes]);
		else if (client.readableEnded || client.destroyed) throw new Error('the client left');
		else await nextReadable(client);
	}
	if (taken.length > length) client.unshift(taken.subarray(length));
	return taken.subarray(0, length);
}

async function nextReadable(client: Socket): Promise<void> {
	await new Promise<void>((resolve) => {
		const done = () => {
			client.off('readable', done).off('close', done);
			resolve();
		};
		client.on('readable', done).on('close', done);
	});
}

async function delay(ms = 0): Promise<void> {
	if (ms > 0) await pause(ms);
}

function refuse(client: Socket, code: number): void {
	client.end(reply(code));
}

function reply(code: number): Uint8Array {
	return Uint8Array.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0);
}

function equal(a: Buffer, b: Buffer): boolean {
	return a.length === b.length && timingSafeEqual(a, b);
}
