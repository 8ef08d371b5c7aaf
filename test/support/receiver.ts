import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
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

/** A customer's endpoint on loopback. */
export class Receiver {
	readonly received: Received[] = [];
	/** The status of its answers. */
	status = 204;
	/** How long it takes to answer. */
	slowMs = 0;
	#listener: Listener | null = null;

	async start(): Promise<void> {
		const take = (request: IncomingMessage, response: ServerResponse, body: string): void => {
			this.received.push({ headers: request.headers, body, at: Date.now() });
			setTimeout(() => response.writeHead(this.status).end(), this.slowMs);
		};
		const server = createServer((request, response) => {
			// A sender that dies amid its request is none of ours.
			text(request).then(
				(body) => take(request, response, body),
				() => undefined,
			);
		});
		this.#listener = await openListener(server);
	}

	get url(): string {
		return `http://127.0.0.1:${this.#listener?.port}/`;
	}

	/** Breaks all connections and listens no more. */
	async kill(): Promise<void> {
		await this.#listener?.close();
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
