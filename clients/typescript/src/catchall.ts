import type { Pages } from './pages.ts';
import type { CallOptions, PageOptions, SpendingOptions, Transport } from './transport.ts';
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

	/** Starts a task, which costs credits for each catch-all row of the job, given back for each `unknown`. */
	async start(
		jobId: string,
		options: SpendingOptions & {
			readonly name?: string | undefined;
			/** Told when the task ends. */
			readonly callbackUrl?: string | undefined;
		} = {},
	): Promise<Answer<CatchAllTask>> {
		const { name, callbackUrl, ...call } = options;
		return this.#transport.spend('/v1/catchall', { jobId, name, callbackUrl }, call);
	}

	async get(taskId: string, options: CallOptions = {}): Promise<Answer<CatchAllTask>> {
		return this.#transport.data({ ...options, method: 'GET', path: pathOf(taskId) });
	}

	/** The account's tasks, newest first. */
	list(options: PageOptions = {}): Pages<CatchAllTask> {
		return this.#transport.pages('/v1/catchall', 'tasks', options);
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
		const { verdict, ...call } = options;
		return this.#transport.pages(pathOf(taskId, '/results'), 'results', call, { verdict });
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
