/** Waits, or less when the signal says so: then no timer is left behind. */
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
