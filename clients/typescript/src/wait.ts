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
	const { signal, timeoutMs, onProgress, withinMs, pollMs = POLL_MS } = options;
	const { clock } = transport.wire;
	const began = clock.now();
	for (let pause = Math.min(FIRST_PAUSE_MS, pollMs); ; pause = Math.min(pollMs, pause * GROWTH)) {
		const left = withinMs === undefined ? Number.POSITIVE_INFINITY : began + withinMs - clock.now();
		// A caller that waits for a list waits for a full window, too.
		const state = await read({ signal, timeoutMs, maxRetryWaitMs: left });
		await onProgress?.(state);
		if (state.status === 'completed') return state;
		if (state.status === 'failed')
			throw new MailsonarError(state.error ?? 'It failed', {
				code: failedCode,
				requestId: state.meta.requestId,
				details: { state },
			});
		if (withinMs !== undefined && clock.now() + pause > began + withinMs)
			throw new MailsonarError(`Not completed within ${withinMs / 1000} s`, {
				code: 'timeout',
				requestId: state.meta.requestId,
				details: { state },
			});
		await sleep(clock, pause, signal);
	}
}
