import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';

// Stripe on loopback: the two calls that we make, its payment page, and its events, as the documentation tells. No real
// account was ever asked. What we send with each call: test/unit/net/stripe-checkout.test.ts.

/** A checkout and its payment. */
export interface PlayedSession {
	readonly id: string;
	/** The fields of the request that made it. */
	readonly fields: ReadonlyMap<string, string>;
	readonly total: number;
	readonly currency: string;
	paid: boolean;
}

/** Where the service looks for Stripe, and what they have in common. */
export interface StripeAccess {
	readonly port: number;
	readonly secretKey: string;
	readonly webhookSecret: string;
}

export class FakeStripe {
	readonly url: string;
	readonly #access: StripeAccess;
	/** Answers 500 to everything. */
	isDown = false;
	readonly #sessions = new Map<string, PlayedSession>();
	readonly #idempotent = new Map<string, PlayedSession>();
	#listener: Listener | null = null;

	constructor(access: StripeAccess) {
		this.#access = access;
		this.url = `http://127.0.0.1:${access.port}`;
	}

	async start(): Promise<void> {
		this.#listener = await openListener(
			createServer((request, response) => void this.#answer(request, response)),
			this.#access.port,
		);
	}

	async stop(): Promise<void> {
		await this.#listener?.close();
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
		const event = {
			id: `evt_${randomBytes(8).toString('hex')}`,
			object: 'event',
			// An older one than ours: an endpoint has a version of its own.
			api_version: '2023-10-16',
			created: Math.floor(Date.now() / 1000),
			data: { object },
			type,
		};
		return JSON.stringify(event, null, 2);
	}

	/** `Stripe-Signature` of a body. */
	sign(body: string, { secret = this.#access.webhookSecret, at = Date.now() } = {}): string {
		const time = Math.floor(at / 1000);
		const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
		return `t=${time},v1=${v1},v0=${'0'.repeat(64)}`;
	}

	/** Sends an event to an endpoint. */
	async tell(endpoint: string, body: string, signature = this.sign(body)) {
		const response = await fetch(endpoint, {
			method: 'POST',
			headers: {
				'content-type': 'application/json; charset=utf-8',
				'stripe-signature': signature,
				'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
			},
			body,
		});
		return { status: response.status, body: await response.json<unknown>().catch(() => null) };
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
		if (request.headers.authorization !== `Bearer ${this.#access.secretKey}`)
			return send(401, errorShape('invalid_request_error', 'Invalid API Key provided'));
		if (request.headers['stripe-version'] !== '2025-06-30.basil')
			return send(400, errorShape('invalid_request_error', 'Unexpected version'));
		const id = /^\/v1\/checkout\/sessions\/([\w%]+)$/.exec(pathname)?.[1];
		if (request.method === 'POST' && pathname === '/v1/checkout/sessions')
			return this.#create(request, body, send);
		const session = id === undefined ? undefined : this.#sessions.get(decodeURIComponent(id));
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

	#create(request: IncomingMessage, body: string, send: (status: number, answer: object) => void): void {
		const key = String(request.headers['idempotency-key'] ?? randomBytes(8).toString('hex'));
		const fields = new Map(new URLSearchParams(body));
		const session = this.#idempotent.get(key) ?? {
			id: `cs_test_${randomBytes(16).toString('hex')}`,
			fields,
			paid: false,
			total:
				Number(fields.get('line_items[0][price_data][unit_amount]')) *
				Number(fields.get('line_items[0][quantity]')),
			currency: fields.get('line_items[0][price_data][currency]') ?? '',
		};
		this.#sessions.set(session.id, session);
		this.#idempotent.set(key, session);
		send(200, sessionShape(session, this.#pageOf(session.id), false));
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

// Its answers, as its reference documents them (version 2025-06-30.basil), with the fields that matter here.

/** `checkout.session`. `expanded`: with the payment and its charge inside. */
function sessionShape(session: PlayedSession, url: string | null, expanded: boolean): object {
	const { id, fields, paid, total, currency } = session;
	const field = (name: string): string | null => fields.get(name) ?? null;
	const payment = paymentIdOf(session);
	const intent = {
		id: payment,
		object: 'payment_intent',
		latest_charge: chargeShape(session),
		status: 'succeeded',
	};
	return {
		id,
		object: 'checkout.session',
		amount_total: total,
		client_reference_id: field('client_reference_id'),
		currency,
		metadata: metadataOf(fields, 'metadata'),
		mode: field('mode'),
		payment_intent: !paid ? null : expanded ? intent : payment,
		payment_status: paid ? 'paid' : 'unpaid',
		status: paid ? 'complete' : 'open',
		url: paid ? null : url,
	};
}

function paymentIdOf({ id }: PlayedSession): string {
	return id.replace('cs_test_', 'pi_');
}

/** `charge`. */
function chargeShape(session: PlayedSession): object {
	const { id, fields, paid, total } = session;
	return {
		id: id.replace('cs_test_', 'ch_'),
		object: 'charge',
		amount: total,
		amount_refunded: 0,
		metadata: metadataOf(fields, 'payment_intent_data[metadata]'),
		paid,
		payment_intent: paymentIdOf(session),
		receipt_url: paid ? `https://pay.stripe.com/receipts/payment/${id}` : null,
		refunded: false,
		status: paid ? 'succeeded' : 'pending',
	};
}

/** An error's body. */
function errorShape(type: string, message: string, code?: string): object {
	return { error: { ...(code === undefined ? {} : { code }), message, type } };
}

function metadataOf(fields: ReadonlyMap<string, string>, prefix: string): Record<string, string> {
	const entries = [...fields].filter(([name]) => name.startsWith(`${prefix}[`) && name.endsWith(']'));
	return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));
}
