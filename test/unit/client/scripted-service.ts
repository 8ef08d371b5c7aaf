import { Mailsonar } from '../../../clients/typescript/src/index.ts';
import type { Clock, MailsonarOptions } from '../../../clients/typescript/src/index.ts';

/** A request as a service saw it. */
export interface Seen {
	readonly method: string;
	readonly url: URL;
	readonly headers: Headers;
	readonly body: unknown;
	readonly init: RequestInit;
	/** Milliseconds since the first. */
	readonly at: number;
}

/** What the service does next: answers, breaks the connection, or says nothing. */
export type Step = Response | Error | 'silence' | ((seen: Seen) => Response);

/** Time that goes on only when everything else waits for it. */
export class IdleClock implements Clock {
	#now = 1_700_000_000_000;
	readonly #waiting: { at: number; call: () => void }[] = [];

	now(): number {
		return this.#now;
	}

	after(ms: number, call: () => void): () => void {
		const entry = { at: this.#now + ms, call };
		this.#waiting.push(entry);
		// Promises that can go on do so first.
		setImmediate(() => setImmediate(() => this.#next()));
		return () => {
			const index = this.#waiting.indexOf(entry);
			if (index >= 0) this.#waiting.splice(index, 1);
		};
	}

	#next(): void {
		const first = this.#waiting.toSorted((a, b) => a.at - b.at)[0];
		if (first === undefined) return;
		this.#waiting.splice(this.#waiting.indexOf(first), 1);
		this.#now = Math.max(this.#now, first.at);
		first.call();
	}
}

function readBody({ body, headers }: RequestInit): unknown {
	if (typeof body !== 'string') return null;
	const type = new Headers(headers as Record<string, string>).get('content-type');
	return type === 'application/json' ? (JSON.parse(body) as unknown) : body;
}

/** A client, and the service that it speaks with: one step for each request. */
export function scripted(
	steps: readonly Step[],
	options: Partial<MailsonarOptions> = {},
): { client: Mailsonar; seen: Seen[] } {
	const clock = new IdleClock();
	const began = clock.now();
	const seen: Seen[] = [];
	const left = [...steps];
	const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
		const request: Seen = {
			method: init.method ?? 'GET',
			url: new URL(String(input)),
			headers: new Headers(init.headers as Record<string, string>),
			body: readBody(init),
			init,
			at: clock.now() - began,
		};
		seen.push(request);
		const step = left.shift() ?? new Error('the script has ended');
		if (step instanceof Error) throw step;
		if (step === 'silence')
			return new Promise((_, reject) => {
				init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
			});
		return typeof step === 'function' ? step(request) : step;
	};
	const client = new Mailsonar({
		baseUrl: 'https://api.test/v1',
		apiKey: 'ms_test_x',
		clock,
		random: () => 0,
		...options,
		fetch: fetch,
	});
	return { client, seen };
}

export function success(data: object, meta: object = {}, status = 200): Response {
	return Response.json({ success: true, data, meta: { requestId: 'req_1', ...meta } }, { status });
}

export function failure(status: number, code: string, more: object = {}, headers: object = {}): Response {
	const body = { success: false, error: `it is ${code}`, code, requestId: 'req_2', ...more };
	return Response.json(body, { status, headers: headers as Record<string, string> });
}

/** The body is fixed by the specification. */
export function rateLimited(reset: number): Response {
	const body = { success: false, message: 'Developer API rate limit exceeded' };
	return Response.json(body, {
		status: 429,
		headers: { 'ratelimit-reset': String(reset), 'retry-after': String(reset), 'x-request-id': 'req_3' },
	});
}
