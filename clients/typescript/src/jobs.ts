import type { Pages } from './pages.ts';
import type { CallOptions, PageOptions, Transport } from './transport.ts';
import type { Answer, Job, RejectedRow, Verification } from './types.ts';
import { untilCompleted } from './wait.ts';
import type { WaitOptions } from './wait.ts';

/** Rows of a job by their verdict. */
export type StatusFilter = 'deliverable' | 'undeliverable' | 'risky' | 'unknown' | 'catch_all';

/** Lists of addresses: see `Mailsonar.verifyBatch`. */
export class Jobs {
	readonly #transport: Transport;

	constructor(transport: Transport) {
		this.#transport = transport;
	}

	async get(jobId: string, options: CallOptions = {}): Promise<Answer<Job>> {
		return this.#transport.data({ ...options, method: 'GET', path: pathOf(jobId) });
	}

	/** The account's jobs, newest first. */
	list(options: PageOptions & { readonly status?: Job['status'] | undefined } = {}): Pages<Job> {
		const { status, ...call } = options;
		return this.#transport.pages('/v1/jobs', 'jobs', call, { status });
	}

	/** Waits until the job is completed. Throws a `job_failed` if it failed; a failed job costs nothing. */
	async wait(jobId: string, options: WaitOptions<Answer<Job>> = {}): Promise<Answer<Job>> {
		return untilCompleted(this.#transport, async (call) => this.get(jobId, call), 'job_failed', options);
	}

	/** The rows of a completed job, in the order in which the addresses were sent. */
	results(
		jobId: string,
		options: PageOptions & { readonly status?: StatusFilter | undefined } = {},
	): Pages<Verification> {
		const { status, ...call } = options;
		return this.#transport.pages(pathOf(jobId, '/results'), 'results', call, { status });
	}

	/** What is not in the job: repetitions and malformed addresses. */
	rejected(jobId: string, options: PageOptions = {}): Pages<RejectedRow> {
		return this.#transport.pages(pathOf(jobId, '/rejected'), 'rejected', options);
	}

	/** The rows as a file, while it comes: CSV that no spreadsheet runs, or JSON Lines. */
	async download(
		jobId: string,
		options: CallOptions & {
			readonly format?: 'csv' | 'jsonl' | undefined;
			readonly status?: StatusFilter | undefined;
		} = {},
	): Promise<ReadableStream<Uint8Array>> {
		const { format = 'csv', status, ...call } = options;
		const query = { format, status };
		return this.#transport.stream({ ...call, method: 'GET', path: pathOf(jobId, '/download'), query });
	}

	/** Ends the job early: what has no answer yet becomes `unknown` (`not_asked`), and is refunded. */
	async finish(jobId: string, options: CallOptions = {}): Promise<Answer<Job>> {
		const path = pathOf(jobId, '/finish');
		return this.#transport.data({ ...options, method: 'POST', path, repeatable: true });
	}

	/** Deletes its results now. */
	async delete(jobId: string, options: CallOptions = {}): Promise<void> {
		return this.#transport.nothing({ ...options, method: 'DELETE', path: pathOf(jobId) });
	}
}

function pathOf(jobId: string, below = ''): string {
	return `/v1/jobs/${encodeURIComponent(jobId)}${below}`;
}
