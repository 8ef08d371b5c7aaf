/** Waits for `ms`, or until the signal aborts, which also clears the timer. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		const end = (): void => {
			clearTimeout(timer);
			resolve();
		};
		signal?.addEventListener('abort', end, { once: true });
	});
}
