import { MailsonarError } from './error.ts';
import type { WebhookEvent } from './types.ts';
import { webCrypto } from './web-crypto.ts';

// The scheme of https://www.standardwebhooks.com: HMAC-SHA256 over `id.timestamp.body`, in base 64 behind `v1,`.

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 5 * 60;

/** The headers of a request: those of `fetch`, or a plain object, as Node's `IncomingMessage` has. */
export type WebhookHeaders =
	| Pick<Headers, 'get'>
	| Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
	/** How far `webhook-timestamp` may be from our clock: an older message could be a recorded one. By default 300. */
	readonly toleranceSeconds?: number;
	/** Epoch milliseconds; by default those of the clock. */
	readonly now?: number;
}

/**
 * The event, if it was signed with this secret and just now; else throws a `webhook_invalid`.
 *
 * @param payload the body exactly as it came, not parsed and written again
 * @param secret `whsec_…` as the dashboard shows it (the prefix may be missing), or its octets
 */
export async function verifyWebhook(
	payload: string | Uint8Array,
	headers: WebhookHeaders,
	secret: string | Uint8Array,
	{ toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookEvent> {
	const id = require(headers, 'webhook-id');
	const timestamp = require(headers, 'webhook-timestamp');
	const signatures = require(headers, 'webhook-signature');
	const age = Math.abs(
		Math.floor(now / 1000) - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN),
	);
	if (!(age <= toleranceSeconds))
		throw invalid('The webhook is from another time, or one of the clocks is wrong');
	const { subtle } = await webCrypto();
	const algorithm = { name: 'HMAC', hash: 'SHA-256' };
	const key = await subtle.importKey('raw', octetsOf(secret), algorithm, false, ['verify']);
	const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : new Uint8Array(payload);
	const signed = await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer();
	let isSigned = false;
	// While a secret is replaced there is a signature with each. WebCrypto compares in constant time.
	for (const signature of signatures.split(' ')) {
		const [version, text = ''] = signature.split(',');
		const octets = version === 'v1' ? fromBase64(text) : null;
		if (octets !== null && (await subtle.verify('HMAC', key, octets, signed))) isSigned = true;
	}
	if (!isSigned)
		throw invalid('The signature is not by this secret, or the body is not the one that was signed');
	return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

function require(headers: WebhookHeaders, name: string): string {
	const value = valueOf(headers, name);
	if (value === null || value === '') throw invalid(`The header ${name} is missing`);
	return value;
}

function valueOf(headers: WebhookHeaders, name: string): string | null {
	if (typeof headers.get === 'function') return headers.get(name);
	const plain = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
	const found = Object.keys(plain).find((key) => key.toLowerCase() === name);
	const value = found === undefined ? undefined : plain[found];
	return typeof value === 'string' ? value : (value?.[0] ?? null);
}

function octetsOf(secret: string | Uint8Array): Uint8Array<ArrayBuffer> {
	const octets =
		typeof secret === 'string'
			? fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
			: new Uint8Array(secret);
	// With an empty key, every sender could sign.
	if (octets === null || octets.length === 0) throw new TypeError('The secret is not whsec_ and base 64');
	return octets;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
	try {
		return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
	} catch {
		return null;
	}
}

function invalid(message: string): MailsonarError {
	return new MailsonarError(message, { code: 'webhook_invalid' });
}
