import { newIdempotencyKey } from './idempotency-key.ts';
import type { PageOptions } from './jobs.ts';
import { LIMIT_MAX, Pages } from './pages.ts';
import type { Pagination } from './pages.ts';
import type { CallOptions, SpendingOptions, Transport } from './transport.ts';
import type { Answer, CatchAllTask, CatchAllVerdict } from './types.ts';
import { untilCompleted } from './wait.ts';
import type { WaitOptions } from './wait.ts';

/** Rows of a task by their verdict. `unknown` rows were refunded, and are in neither. */
export type VerdictFilter = 'valid' | 'invalid';

/** The deeper check of a completed job's catch-all rows. */
export class CatchAll {
	readonly #transport: Transport;

	constructor(transport: Transport) {
		this.#transport = transport;
	}

	/** Starts a task: 1 credit for each catch-all row of the job, given back for each `unknown`. */
	async start(
		jobId: string,
		options: SpendingOptions & {
			readonly name?: string | undefined;
			/** Told when the task ends. */
			readonly callbackUrl?: string | undefined;
		} = {},
	): Promise<Answer<CatchAllTask>> {
		const { name, callbackUrl, idempotencyKey = await newIdempotencyKey(), ...call } = options;
		const body = { jobId, name, callbackUrl };
		return this.#transport.data({ ...call, method: 'POST', path: '/v1/catchall', body, idempotencyKey });
	}

	async get(taskId: string, options: CallOptions = {}): Promise<Answer<CatchAllTask>> {
		return this.#transport.data({ ...options, method: 'GET', path: pathOf(taskId) });
	}

	/** The account's tasks, newest first. */
	list(options: PageOptions = {}): Pages<CatchAllTask> {
		const { limit = LIMIT_MAX, ...call } = options;
		return new Pages(async (page) => {
			const query = { page, limit };
			const data = await this.#transport.data<{ tasks: CatchAllTask[]; pagination: Pagination }>({
				...call,
				method: 'GET',
				path: '/v1/catchall',
				query,
			});
			return { rows: data.tasks, pagination: data.pagination };
		});
	}

	/** Waits until the task is completed. Throws a `task_failed` if it failed; a failed task costs nothing. */
	async wait(taskId: string, options: WaitOptions<Answer<CatchAllTask>> = {}): Promise<Answer<CatchAllTask>> {
		return untilCompleted(this.#transport, async (call) => this.get(taskId, call), 'task_failed', options);
	}

	/** The rows of a completed task, each with the breakdown that adds up to its score. */
	results(
		taskId: string,
		options: PageOptions & { readonly verdict?: VerdictFilter | undefined } = {},
	): Pages<CatchAllVerdict> {
		const { verdict, limit = LIMIT_MAX, ...call } = options;
		return new Pages(async (page) => {
			const path = pathOf(taskId, '/results');
			const query = { page, limit, verdict };
			const data = await this.#transport.data<{ results: CatchAllVerdict[]; pagination: Pagination }>({
				...call,
				method: 'GET',
				path,
				query,
			});
			return { rows: data.results, pagination: data.pagination };
		});
	}

	/** The rows as CSV, while it comes: Email, Score, Verdict. */
	async download(
		taskId: string,
		options: CallOptions & { readonly verdict?: VerdictFilter | undefined } = {},
	): Promise<ReadableStream<Uint8Array>> {
		const { verdict, ...call } = options;
		const query = { verdict };
		return this.#transport.stream({ ...call, method: 'GET', path: pathOf(taskId, '/download'), query });
	}
}

function pathOf(taskId: string, below = ''): string {
	return `/v1/catchall/${encodeURIComponent(taskId)}${below}`;
}
