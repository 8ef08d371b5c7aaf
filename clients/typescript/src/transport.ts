import type { MailsonarOptions } from './client.ts';
import { sleep } from './clock.ts';
import { MailsonarError } from './error.ts';
import { LIMIT_MAX, Pages } from './pages.ts';
import type { Pagination } from './pages.ts';
import { readData, readError } from './read-answer.ts';
import { isWorthAnother, pauseAfter } from './retry.ts';
import { newIdempotencyKey } from './web-crypto.ts';

/** What every call takes. */
export interface CallOptions {
	/** Ends the call, its retries and its waiting. The call then throws the signal's reason. */
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds for one attempt; by default those of the client. */
	readonly timeoutMs?: number | undefined;
}

export interface PageOptions extends CallOptions {
	/** Rows a page, at most 500, which is the default. */
	readonly limit?: number | undefined;
}

/** What calls that spend credits take. */
export interface SpendingOptions extends CallOptions {
	/** By default a new one for each call, which makes its own retries safe. Your own makes yours safe as well. */
	readonly idempotencyKey?: string | undefined;
}

/** A request of the API. */
export interface Call extends CallOptions {
	readonly method: 'GET' | 'POST' | 'DELETE';
	/** Below the base URL, such as `/v1/credits`. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
	readonly body?: object;
	/** A body that is no JSON. */
	readonly text?: { readonly type: string; readonly text: string };
	/** Sent along, and the same with each attempt. */
	readonly idempotencyKey?: string | undefined;
	/** Whether repeating it does nothing twice. By default all requests but a POST without Idempotency-Key. */
	readonly repeatable?: boolean;
	/** Replaces the client's. */
	readonly maxRetryWaitMs?: number;
	/** The body is read later, and the signal ends that too. */
	readonly isStream?: boolean;
}

/** Sends requests: with the key, within a time, and again where that may help and can do no harm. */
export class Transport {
	readonly wire: Required<MailsonarOptions>;

	constructor(wire: Required<MailsonarOptions>) {
		this.wire = wire;
	}

	/** The `data` of the answer, with its `meta` beside. The caller says what the path answers. */
	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see above
	async data<T>(call: Call): Promise<T> {
		return this.#send(call, async (response) => (await readData(response)) as T);
	}

	/** A POST that spends credits. Its Idempotency-Key is the caller's, or a new one. */
	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see above
	async spend<T>(path: string, body: object, options: SpendingOptions): Promise<T> {
		const { idempotencyKey = await newIdempotencyKey() } = options;
		return this.data({ ...options, method: 'POST', path, body, idempotencyKey });
	}

	/** Rows that come in pages, in the field `name` of the answer's `data`. */
	pages<Row>(
		path: string,
		name: string,
		{ limit = LIMIT_MAX, ...call }: PageOptions,
		filter: Call['query'] = {},
	): Pages<Row> {
		type Found = Readonly<Record<string, Row[]>> & { readonly pagination: Pagination };
		return new Pages(async (page) => {
			const query = { page, limit, ...filter };
			const data = await this.data<Found>({ ...call, method: 'GET', path, query });
			return { rows: data[name] as Row[], pagination: data.pagination };
		});
	}

	/** A call that is answered without a body. */
	async nothing(call: Call): Promise<void> {
		return this.#send(call, async (response) => {
			await response.body?.cancel();
		});
	}

	/** The body of the answer as it comes. Its time-out ends with the headers; the signal ends the body too. */
	async stream(call: Call): Promise<ReadableStream<Uint8Array>> {
		const streamed = { ...call, isStream: true };
		return this.#send(streamed, async ({ body }) => body ?? new Blob().stream());
	}

	async #send<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
		const { clock, retries } = this.wire;
		const { method, idempotencyKey, repeatable = idempotencyKey !== undefined || method !== 'POST' } = call;
		const { maxRetryWaitMs = this.wire.maxRetryWaitMs } = call;
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#attempt(call, read);
			} catch (error) {
				if (!(error instanceof MailsonarError) || attempt > retries || !isWorthAnother(error, repeatable))
					throw error;
				const pause = pauseAfter(error, attempt, this.wire.random());
				if (pause > maxRetryWaitMs) throw error;
				await sleep(clock, pause, call.signal);
			}
		}
	}

	async #attempt<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
		const { signal, timeoutMs = this.wire.timeoutMs } = call;
		const { clock } = this.wire;
		signal?.throwIfAborted();
		const ending = new AbortController();
		let isLate = false;
		const callOff = clock.after(timeoutMs, () => {
			isLate = true;
			ending.abort();
		});
		const end = (): void => ending.abort(signal?.reason);
		signal?.addEventListener('abort', end, { once: true });
		try {
			const response = await this.wire.fetch(this.#url(call), this.#init(call, ending.signal));
			if (!response.ok) throw await readError(response, clock.now());
			return await read(response);
		} catch (error) {
			if (error instanceof MailsonarError) throw error;
			signal?.throwIfAborted();
			throw isLate
				? new MailsonarError(`No answer within ${timeoutMs / 1000} s`, { code: 'timeout', cause: error })
				: new MailsonarError(`The service was not reached: ${reasonOf(error)}`, {
						code: 'network_error',
						cause: error,
					});
		} finally {
			callOff();
			if (call.isStream !== true) signal?.removeEventListener('abort', end);
		}
	}

	#url({ path, query = {} }: Call): string {
		const url = new URL(this.wire.baseUrl + path);
		for (const [name, value] of Object.entries(query))
			if (value !== undefined) url.searchParams.set(name, String(value));
		return url.href;
	}

	#init({ method, body, text, idempotencyKey }: Call, signal: AbortSignal): RequestInit {
		const sent = body === undefined ? text : { type: 'application/json', text: JSON.stringify(body) };
		const { apiKey, userAgent } = this.wire;
		return {
			method,
			signal,
			// A key is for one service: it never follows a redirect. (`error` is unknown to Workers.)
			redirect: 'manual',
			headers: {
				authorization: `Bearer ${apiKey}`,
				accept: 'application/json',
				'user-agent': userAgent,
				...(sent === undefined ? {} : { 'content-type': sent.type }),
				...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
			},
			...(sent === undefined ? {} : { body: sent.text }),
		};
	}
}

/** Node says only "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	const code = cause instanceof Error ? (cause as { code?: unknown }).code : undefined;
	return typeof code === 'string' ? code : cause instanceof Error ? cause.message : error.message;
}
