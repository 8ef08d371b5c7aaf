/** Work in steps: it yields between them, so that the caller can let other requests go first. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs the work, with a pause between steps. */
export async function doSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
		await pause();
	}
}
