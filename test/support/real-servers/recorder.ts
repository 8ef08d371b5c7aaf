import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { openListener } from '../../sandbox/listener.ts';

/** The conversations with the real servers, one file a program. */
export const RECORDINGS = path.join(import.meta.dirname, '../../golden/conversations');

/** Stands between our prober and a mail server, and writes down what both say. */
export class Recorder {
	readonly #lines: string[] = [];

	/** Takes connections on a port of its own for the server at `port`. `asked`: the addresses that are no invented ones. */
	open(port: number, title: string, asked: readonly string[]) {
		this.#lines.push(`# ${title}: ${asked.join(' ')}`);
		const invented: string[] = [];
		const note = (who: 'C' | 'S', bytes: Buffer): void => {
			const text = bytes.toString('latin1');
			for (const [, address = ''] of text.matchAll(/^RCPT TO:<([^>]+)>/gim))
				if (!asked.includes(address) && !invented.includes(address)) invented.push(address);
			const masked = invented.reduce(
				(line, address) => line.replaceAll(address, `invented@${address.slice(address.indexOf('@') + 1)}`),
				text,
			);
			for (const line of masked.split('\r\n')) if (line !== '') this.#lines.push(`${who}: ${line}`);
		};
		const server = createServer((client: Socket) => {
			const there = connect(port, '127.0.0.1');
			this.#lines.push('# connection');
			client.on('data', (bytes) => (note('C', bytes), there.write(bytes)));
			there.on('data', (bytes) => (note('S', bytes), client.write(bytes)));
			for (const [one, other] of [
				[client, there],
				[there, client],
			] as const) {
				one.on('close', () => other.destroy());
				one.on('error', () => other.destroy());
			}
		});
		return openListener(server);
	}

	/** Keeps what was said to a program. */
	save(program: string): void {
		mkdirSync(RECORDINGS, { recursive: true });
		writeFileSync(path.join(RECORDINGS, `${program}.txt`), `${this.#lines.join('\n')}\n`);
	}
}
