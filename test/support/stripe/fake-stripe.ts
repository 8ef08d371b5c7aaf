import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import { chargeShape, errorShape, eventShape, sessionShape } from './shapes.ts';
import type { PlayedSession } from './shapes.ts';

// Stripe on loopback: the two calls that we make, its payment page, and its events, as the documentation tells. No real
// account was ever asked. What we send with each call: test/unit/net/stripe-checkout.test.ts.

/** The answer to an event. */
export interface EventAnswer {
	readonly status: number;
	readonly body: unknown;
}

export class FakeStripe {
	readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
	readonly webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
	/** Answers 500 to everything. */
	isDown = false;
	readonly #sessions = new Map<string, PlayedSession>();
	#listener: Listener | null = null;

	async start(): Promise<void> {
		this.#listener = await openListener(
			createServer((request, response) => void this.#answer(request, response)),
		);
	}

	async stop(): Promise<void> {
		await this.#listener?.close();
	}

	get url(): string {
		return `http://127.0.0.1:${this.#listener?.port}`;
	}

	/** The session behind an address of the payment page. */
	sessionAt(paymentPage: string): PlayedSession {
		return this.#require(new URL(paymentPage).pathname.split('/').at(-1) ?? '');
	}

	/** The payer pays by card: at once. */
	pay(session: PlayedSession): void {
		session.paid = true;
	}

	/** The text of an event about a session, or about its charge. */
	eventOf(session: PlayedSession, type: string): string {
		const object = type.startsWith('charge.') ? chargeShape(session) : sessionShape(session, null, false);
		const id = `evt_${randomBytes(8).toString('hex')}`;
		return JSON.stringify(eventShape(id, type, Math.floor(Date.now() / 1000), object), null, 2);
	}

	/** `Stripe-Signature` of a body. */
	sign(body: string, { secret = this.webhookSecret, at = Date.now() } = {}): string {
		const time = Math.floor(at / 1000);
		const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
		return `t=${time},v1=${v1},v0=${'0'.repeat(64)}`;
	}

	/** Sends an event to an endpoint. */
	async tell(endpoint: string, body: string, signature = this.sign(body)): Promise<EventAnswer> {
		const response = await fetch(endpoint, {
			method: 'POST',
			headers: {
				'content-type': 'application/json; charset=utf-8',
				'stripe-signature': signature,
				'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
			},
			body,
		});
		return { status: response.status, body: await response.json().catch(() => null) };
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
		const body = await text(request);
		const send = (status: number, answer: object): void =>
			void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
		if (this.isDown) return send(500, errorShape('api_error', 'An unknown error occurred'));
		if (pathname.startsWith('/c/pay/')) {
			this.#showPage(request, pathname, response);
			return;
		}
		if (request.headers.authorization !== `Bearer ${this.secretKey}`)
			return send(401, errorShape('invalid_request_error', 'Invalid API Key provided'));
		if (request.headers['stripe-version'] !== '2025-06-30.basil')
			return send(400, errorShape('invalid_request_error', 'Unexpected version'));
		const id = /^\/v1\/checkout\/sessions\/([\w%]+)$/.exec(pathname)?.[1] ?? '';
		const isNew = request.method === 'POST' && pathname === '/v1/checkout/sessions';
		const session = isNew ? this.#create(body) : this.#sessions.get(decodeURIComponent(id));
		if (session === undefined)
			return send(
				404,
				errorShape('invalid_request_error', `No such checkout.session: '${id}'`, 'resource_missing'),
			);
		const expanded = searchParams.getAll('expand[]').includes('payment_intent.latest_charge');
		return send(200, sessionShape(session, this.#pageOf(session.id), expanded));
	}

	/** The payment page: one button that pays, and a way back. */
	#showPage({ method }: IncomingMessage, pathname: string, response: ServerResponse): void {
		const session = this.sessionAt(new URL(pathname, this.url).href);
		const link = (name: string): string => session.fields.get(name) ?? '';
		if (method === 'POST') {
			this.pay(session);
			response.writeHead(303, { location: link('success_url') }).end();
			return;
		}
		response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
			`<!doctype html><html lang="en"><title>Pay</title><h1>${session.total} ${session.currency}</h1>
				<form method="post"><button>Pay</button></form><a href="${link('cancel_url')}">Back</a></html>`,
		);
	}

	#create(body: string): PlayedSession {
		const fields = new Map(new URLSearchParams(body));
		const item = (name: string): string => fields.get(`line_items[0]${name}`) ?? '';
		const session = {
			id: `cs_test_${randomBytes(16).toString('hex')}`,
			fields,
			paid: false,
			total: Number(item('[price_data][unit_amount]')) * Number(item('[quantity]')),
			currency: item('[price_data][currency]'),
		};
		this.#sessions.set(session.id, session);
		return session;
	}

	#pageOf(sessionId: string): string {
		return `${this.url}/c/pay/${sessionId}`;
	}

	#require(sessionId: string): PlayedSession {
		const session = this.#sessions.get(sessionId);
		if (session === undefined) throw new Error(`There is no session ${sessionId}`);
		return session;
	}
}
