import { resolve4, resolveMx } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { LOOPBACK } from '../../sandbox/listener.ts';
import { IDENTITY } from './contender.ts';
import type { Answer, Contender, WorldPorts } from './contender.ts';

// The least that can be done, in the same process and world: what of a contender's time is the world's own.

// One RSET each; the world's server hangs up at the eleventh, as Exim does.
const USES_MAX = 8;

interface Conversation {
	readonly lines: AsyncIterator<string>;
	readonly socket: Socket;
	uses: number;
}

/**
 * A client without a verdict on anything but three replies: two DNS questions, greeting, EHLO, and one group of MAIL,
 * RCPT and RCPT of somebody invented. Through the proxy, whose handshake goes on while DNS is asked.
 */
export class BareClient implements Contender {
	readonly #world: WorldPorts;
	readonly #way: 'direct' | 'socks';
	/** Connections that are kept, by mail host; null: none is. */
	readonly #kept: Map<string, Conversation> | null;
	readonly #hosts = new Map<string, { host: string; address: string }>();

	constructor(world: WorldPorts, way: 'direct' | 'socks', keeps: boolean) {
		this.#world = world;
		this.#way = way;
		this.#kept = keeps ? new Map() : null;
	}

	async ask(email: string): Promise<Answer> {
		const domain = email.slice(email.indexOf('@') + 1);
		const entry = this.#way === 'socks' && this.#kept === null ? this.#enter() : null;
		const { host, address } = this.#hosts.get(domain) ?? (await this.#lookUp(domain));
		const known = this.#kept?.get(host);
		const conversation = known ?? (await this.#open(address, entry === null ? null : await entry));
		const { socket, lines } = conversation;
		socket.write(
			`${known === undefined ? '' : 'RSET\r\n'}MAIL FROM:<${IDENTITY.mailFrom}>\r\n` +
				`RCPT TO:<${email}>\r\nRCPT TO:<xqzjvkwpfm@${domain}>\r\n`,
		);
		if (known !== undefined) await reply(lines);
		await reply(lines);
		const [target, random] = [await reply(lines), await reply(lines)];
		conversation.uses += 1;
		if (this.#kept === null || conversation.uses >= USES_MAX) {
			socket.end('QUIT\r\n');
			this.#kept?.delete(host);
		} else this.#kept.set(host, conversation);
		if (target !== 250) return 'invalid';
		return random === 250 ? 'catch_all' : 'valid';
	}

	/** Whether the next address of the domain finds a connection. */
	isWarm(email: string): boolean {
		const host = this.#hosts.get(email.slice(email.indexOf('@') + 1))?.host;
		return host !== undefined && this.#kept?.has(host) === true;
	}

	async #lookUp(domain: string): Promise<{ host: string; address: string }> {
		const host = (await resolveMx(domain))[0]?.exchange ?? '';
		const found = { host, address: (await resolve4(host))[0] ?? '' };
		if (this.#kept !== null) this.#hosts.set(domain, found);
		return found;
	}

	async #open(address: string, entered: Socket | null): Promise<Conversation> {
		const { smtpPort } = this.#world;
		const socket =
			this.#way === 'direct'
				? connect({ host: LOOPBACK, port: smtpPort, noDelay: true })
				: (entered ?? (await this.#enter()));
		if (this.#way === 'socks') {
			socket.write(Uint8Array.of(5, 1, 0, 1, ...address.split('.').map(Number), 0, 25));
			await take(socket, 10);
		}
		const lines = linesOf(socket);
		await reply(lines);
		socket.write(`EHLO ${IDENTITY.heloName}\r\n`);
		await reply(lines);
		return { socket, lines, uses: 0 };
	}

	/** Into the proxy, up to where it wants to hear the destination (RFC 1928 §3, RFC 1929). */
	async #enter(): Promise<Socket> {
		const { port, username, password } = this.#world.proxy;
		const socket = connect({ host: LOOPBACK, port, noDelay: true });
		await once(socket, 'connect');
		socket.write(Uint8Array.of(5, 1, 2));
		await take(socket, 2);
		const [name, secret] = [Buffer.from(username), Buffer.from(password)];
		socket.write(Uint8Array.of(1, name.length, ...name, secret.length, ...secret));
		await take(socket, 2);
		return socket;
	}
}

/** The next `length` bytes, in the pieces in which our own proxy sends them. */
async function take(socket: Socket, length: number): Promise<void> {
	while (socket.read(length) === null) await once(socket, 'readable');
}

async function* linesOf(socket: Socket): AsyncGenerator<string, void> {
	let unfinished = '';
	for await (const chunk of socket as AsyncIterable<Buffer>) {
		const lines = (unfinished + chunk.toString('latin1')).split('\r\n');
		unfinished = lines.pop() ?? '';
		yield* lines;
	}
}

/** The code of the next reply. */
async function reply(lines: AsyncIterator<string>): Promise<number> {
	for (;;) {
		const next = await lines.next();
		if (next.done === true) throw new Error('The mail server of the bench hung up');
		if (next.value[3] !== '-') return Number(next.value.slice(0, 3));
	}
}
