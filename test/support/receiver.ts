import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';

/** An event that arrived. */
export interface Received {
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	/** Epoch milliseconds. */
	readonly at: number;
}

const event = z.object({
	type: z.string(),
	timestamp: z.iso.datetime(),
	data: z.record(z.string(), z.unknown()),
});

/** A customer's endpoint on loopback, which may be killed and starts again at the same place. */
export class Receiver {
	readonly received: Received[] = [];
	/** The status of its answers. */
	status = 204;
	/** Takes requests and never answers them. */
	hangs = false;
	/** How long it takes to answer. */
	slowMs = 0;
	#listener: Listener | null = null;
	#port = 0;

	async start(): Promise<void> {
		const server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const body = Buffer.concat(chunks).toString();
				this.received.push({ headers: request.headers, body, at: Date.now() });
				if (this.hangs) return;
				response.writeHead(this.status, this.status === 302 ? { location: `${this.url}elsewhere` } : {});
				setTimeout(() => response.end(), this.slowMs);
			});
		});
		this.#listener = await openListener(server, this.#port);
		this.#port = this.#listener.port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.#port}/`;
	}

	/** Breaks all connections and listens no more. */
	async kill(): Promise<void> {
		await this.#listener?.close();
		this.#listener = null;
	}

	/** The events that arrived, each proved with the secret. */
	verified(secret: string): readonly (z.infer<typeof event> & { readonly id: string })[] {
		const webhook = new Webhook(secret);
		return this.received.map(({ headers, body, at }) => ({
			...event.parse(atTime(at, () => webhook.verify(body, headers as Record<string, string>))),
			id: String(headers['webhook-id']),
		}));
	}
}

/** Signatures are good for five minutes, and an event may have arrived before: it is proved as of then. */
function atTime<T>(at: number, prove: () => T): T {
	const { now } = Date;
	Date.now = () => at;
	try {
		return prove();
	} finally {
		Date.now = now;
	}
}
