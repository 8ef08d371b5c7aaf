// How long tests wait, in one place: an event ends a wait, and a busy machine only makes it longer. The limits end what
// hangs; no promise is measured by them.

/** The limit of one wait. */
export const WAIT_MS = 5 * 60_000;

/** The limit of a test or a hook, with all its waits. */
export const TEST_MS = 15 * 60_000;

/**
 * Waits until a look succeeds; it throws until then. Returns what the look found. The pauses grow with the wait, so that a
 * long one stays below the rate limit of what it looks at.
 */
export async function eventually<T>(look: () => T | Promise<T>, intervalMs = 50): Promise<T> {
	const beganAt = performance.now();
	for (;;) {
		try {
			return await look();
		} catch (error) {
			if (performance.now() > beganAt + WAIT_MS) throw error;
		}
		const pauseMs = Math.max(intervalMs, (performance.now() - beganAt) / 50);
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
	}
}
