import { CatchAll } from './catchall.ts';
import { SYSTEM_CLOCK } from './clock.ts';
import type { Clock } from './clock.ts';
import { Jobs } from './jobs.ts';
import { Transport } from './transport.ts';
import type { CallOptions, SpendingOptions } from './transport.ts';
import type {
	Answer,
	CreatedMeta,
	Credits,
	DomainReport,
	DryRun,
	Feedback,
	Job,
	Outcome,
	Verification,
	VerifyMeta,
} from './types.ts';
import { VERSION } from './version.ts';
import { newIdempotencyKey } from './web-crypto.ts';
import { verifyWebhook } from './webhooks.ts';

export interface MailsonarOptions {
	/** The service, with or without `/v1` at the end. */
	readonly baseUrl: string;
	/** `ms_live_…`, or `ms_test_…` for answers by the address alone. It belongs in a backend, never in a page. */
	readonly apiKey: string;
	/** Milliseconds for one attempt; by default 40,000, since the service answers within 30 seconds. */
	readonly timeoutMs?: number;
	/** Further attempts after a failure that may pass; by default 3. */
	readonly retries?: number;
	/** The longest wait before another attempt, such as for a full window; by default a minute. Longer: it throws. */
	readonly maxRetryWaitMs?: number;
	/** By default the global one. */
	readonly fetch?: typeof fetch;
	/** Time, for tests. */
	readonly clock?: Clock;
	/** From 0 to 1, for tests. */
	readonly random?: () => number;
	/** Put in front of our own, so that the service's people see who calls. */
	readonly userAgent?: string;
}

export interface VerifyOptions extends SpendingOptions {
	/** `quick` asks no mail server: lists and DNS answer, in milliseconds. By default `full`. */
	readonly mode?: 'full' | 'quick' | undefined;
	/**
	 * The most that you wait for the mail server, 500 to 20,000 ms. A later answer is `unknown` and free; another call
	 * within ten minutes gets it.
	 */
	readonly answerWithinMs?: number | undefined;
	/** The answer holds `evidence`: the steps that led to it. */
	readonly explain?: boolean | undefined;
}

/** A list as text, such as the contents of a file. */
export interface ListAsText {
	/** `text/plain`: an address a line. */
	readonly type: 'text/plain' | 'text/csv';
	readonly text: string;
	/** Of a CSV: the name of the column, or its number from 1. By default the only one that holds addresses. */
	readonly column?: string | number | undefined;
}

export interface BatchOptions extends SpendingOptions {
	/** `mailbox`: other spellings of a mailbox are duplicates, too. By default `address`. */
	readonly dedupe?: 'address' | 'mailbox' | undefined;
	/** Shown in the dashboard. */
	readonly name?: string | undefined;
	/** Told when the job ends: see `webhooks.verify`, with the secret of callbacks in the dashboard. */
	readonly callbackUrl?: string | undefined;
	readonly validationFlags?: {
		/** Resolves the catch-all addresses of the list, too. */
		readonly auto_catchall_rescue?: boolean | undefined;
	};
}

const TIMEOUT_MS = 40_000;
// 14 MiB have to be sent before there is an answer.
const BATCH_TIMEOUT_MS = 180_000;
const RETRIES = 3;
const MAX_RETRY_WAIT_MS = 60_000;

/** A client for one account. It has no state but its options. */
export class Mailsonar {
	readonly jobs: Jobs;
	readonly catchall: CatchAll;
	readonly webhooks = { verify: verifyWebhook } as const;
	readonly #transport: Transport;

	constructor(options: MailsonarOptions) {
		const { baseUrl, apiKey, userAgent, fetch: given } = options;
		if (apiKey === '' || /[^\x21-\x7E]/.test(apiKey)) throw new TypeError('apiKey is not an API key');
		const ours = `mailsonar-typescript/${VERSION}`;
		this.#transport = new Transport({
			apiKey,
			baseUrl: rootOf(baseUrl),
			userAgent: userAgent === undefined ? ours : `${userAgent} ${ours}`,
			timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
			retries: options.retries ?? RETRIES,
			maxRetryWaitMs: options.maxRetryWaitMs ?? MAX_RETRY_WAIT_MS,
			// Workers and browsers refuse a `fetch` whose `this` is something else.
			fetch: given ?? (async (input, init) => fetch(input, init)),
			clock: options.clock ?? SYSTEM_CLOCK,
			random: options.random ?? Math.random,
		});
		this.jobs = new Jobs(this.#transport);
		this.catchall = new CatchAll(this.#transport);
	}

	/** Verifies one address. It costs credits, given back if the answer is `unknown`. */
	async verify(email: string, options: VerifyOptions = {}): Promise<Answer<Verification, VerifyMeta>> {
		const { mode, answerWithinMs, explain, ...call } = options;
		const body = { email, mode, timeoutMs: answerWithinMs, explain };
		return this.#transport.spend('/v1/verify', body, call);
	}

	/** Starts a job of up to 50,000 addresses. It costs credits, given back for each `unknown`. */
	async verifyBatch(
		list: readonly string[] | ListAsText,
		options: BatchOptions = {},
	): Promise<Answer<Job, CreatedMeta>> {
		const { idempotencyKey = await newIdempotencyKey() } = options;
		return this.#sendList(list, { ...options, idempotencyKey });
	}

	/** Says what a job of this list would hold and cost at most. Nothing is stored or charged. */
	async dryRunBatch(
		list: readonly string[] | ListAsText,
		options: CallOptions & Pick<BatchOptions, 'dedupe'> = {},
	): Promise<Answer<DryRun>> {
		return this.#sendList(list, { ...options, dryRun: true });
	}

	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says which of two answers it is
	async #sendList<T>(
		list: readonly string[] | ListAsText,
		options: BatchOptions & { readonly dryRun?: true },
	): Promise<T> {
		const { name, dedupe, dryRun, callbackUrl, validationFlags, ...call } = options;
		const { timeoutMs = BATCH_TIMEOUT_MS } = options;
		const about = { name, dedupe, dryRun, callbackUrl };
		const rescue = validationFlags?.auto_catchall_rescue;
		const content =
			'text' in list
				? { text: list, query: { column: list.column, ...about, auto_catchall_rescue: rescue } }
				: { body: { emails: list, ...about, validationFlags } };
		const path = '/v1/verify-batch';
		return this.#transport.data({ ...call, ...content, timeoutMs, method: 'POST', path, repeatable: true });
	}

	/** Describes up to 1,000 domains without asking a mail server. It costs credits. */
	async domains(
		domains: readonly string[],
		options: SpendingOptions = {},
	): Promise<Answer<{ readonly results: readonly DomainReport[] }, VerifyMeta>> {
		return this.#transport.spend('/v1/domains', { domains }, options);
	}

	/** The balance of the account. */
	async credits(options: CallOptions = {}): Promise<Answer<Credits>> {
		return this.#transport.data({ ...options, method: 'GET', path: '/v1/credits' });
	}

	/** Tells what became of messages, at most 1,000 at a time. It makes later answers about these addresses better. */
	async feedback(outcomes: readonly Outcome[], options: CallOptions = {}): Promise<Answer<Feedback>> {
		return this.#transport.data({ ...options, method: 'POST', path: '/v1/feedback', body: { outcomes } });
	}
}

/** The base URL without its version: paths are written in full. */
function rootOf(baseUrl: string): string {
	const url = new URL(baseUrl);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new TypeError('baseUrl is not http or https');
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
		throw new TypeError('baseUrl is an origin and a path, and nothing else');
	return (url.origin + url.pathname).replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}
