/**
 * Waits for `ms`, or until the signal aborts, which also clears the timer. With an aborted signal it does not wait at
 * all.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	if (signal?.aborted === true) return Promise.resolve();
	const end = (): void => {
		clearTimeout(timer);
		signal?.removeEventListener('abort', end);
		resolve();
	};
	const timer = setTimeout(end, ms);
	signal?.addEventListener('abort', end, { once: true });
	return promise;
}
