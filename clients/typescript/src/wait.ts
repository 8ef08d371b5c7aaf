import { sleep } from './clock.ts';
import { MailsonarError } from './error.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface WaitOptions<T> extends CallOptions {
	/** Called with each state that was read, the last one too. What it throws ends the waiting. */
	readonly onProgress?: ((state: T) => unknown) | undefined;
	/** Milliseconds until the waiting itself ends with a `timeout`; by default never. `timeoutMs` is for one request. */
	readonly withinMs?: number | undefined;
	/** The longest pause between two questions; by default the ten seconds that the API recommends. */
	readonly pollMs?: number | undefined;
}

interface State {
	readonly status: 'processing' | 'completed' | 'failed';
	readonly error: string | null;
	readonly meta: { readonly requestId: string };
}

const FIRST_PAUSE_MS = 500;
const GROWTH = 1.5;
const POLL_MS = 10_000;

/** Asks until it is completed. Throws `failedCode` if it failed. */
export async function untilCompleted<T extends State>(
	transport: Transport,
	read: (options: CallOptions & { maxRetryWaitMs: number }) => Promise<T>,
	failedCode: 'job_failed' | 'task_failed',
	options: WaitOptions<T>,
): Promise<T> {
	const { signal, timeoutMs, onProgress, withinMs = Number.POSITIVE_INFINITY, pollMs = POLL_MS } = options;
	const { clock } = transport.wire;
	const until = clock.now() + withinMs;
	for (let pause = Math.min(FIRST_PAUSE_MS, pollMs); ; pause = Math.min(pollMs, pause * GROWTH)) {
		// A caller that waits for a list waits for a full window, too.
		const state = await read({ signal, timeoutMs, maxRetryWaitMs: until - clock.now() });
		await onProgress?.(state);
		if (state.status === 'completed') return state;
		const about = { requestId: state.meta.requestId, details: { state } };
		if (state.status === 'failed')
			throw new MailsonarError(state.error ?? 'It failed', { code: failedCode, ...about });
		if (clock.now() + pause > until)
			throw new MailsonarError(`Not completed within ${withinMs / 1000} s`, { code: 'timeout', ...about });
		await sleep(clock, pause, signal);
	}
}
