import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A bare client: writes bytes, and waits until what came back matches. */
export class Client {
	readonly socket: Socket;
	#heard = '';

	private constructor(socket: Socket) {
		this.socket = socket;
		socket.setEncoding('latin1');
		socket.on('error', () => undefined);
		socket.on('data', (chunk: string) => (this.#heard += chunk));
	}

	static async dial(port: number): Promise<Client> {
		const socket = connect({ port, host: '127.0.0.1', noDelay: true });
		const client = new Client(socket);
		await once(socket, 'connect');
		return client;
	}

	/** Goes over to TLS, whoever's certificate it is. */
	async secure(): Promise<Client> {
		this.socket.removeAllListeners('data');
		const secure = connectTls({ socket: this.socket, rejectUnauthorized: false });
		await once(secure, 'secureConnect');
		return new Client(secure);
	}

	write(bytes: string | Uint8Array): void {
		this.socket.write(bytes);
	}

	/** Takes what was heard up to the end of the first match. */
	async hear(pattern: RegExp): Promise<string> {
		for (;;) {
			const match = pattern.exec(this.#heard);
			if (match !== null) {
				const taken = this.#heard.slice(0, match.index + match[0].length);
				this.#heard = this.#heard.slice(taken.length);
				return taken;
			}
			if (this.socket.readableEnded || this.socket.destroyed) throw new Error(`closed after: ${this.#heard}`);
			await new Promise<void>((resolve) => {
				const done = () => {
					this.socket.off('data', done).off('close', done).off('end', done);
					resolve();
				};
				this.socket.on('data', done).on('close', done).on('end', done);
			});
		}
	}

	/** Waits for the other side to hang up. */
	async heardEnd(): Promise<string> {
		if (!this.socket.readableEnded && !this.socket.destroyed) await once(this.socket, 'close');
		return this.#heard;
	}
}

/** The SOCKS5 greeting, credentials and CONNECT request. */
export function socksRequest(url: string, address: string, port = 25): Uint8Array[] {
	const { username, password } = new URL(url);
	const target = /^[\d.]+$/.test(address)
		? [1, ...address.split('.').map(Number)]
		: [3, address.length, ...Buffer.from(address)];
	return [
		Uint8Array.of(5, 1, 2),
		Buffer.from([1, username.length, ...Buffer.from(username), password.length, ...Buffer.from(password)]),
		Uint8Array.of(5, 1, 0, ...target, port >> 8, port & 0xff),
	];
}
