/** Work that stops between two steps, so that whoever does it can let others go first. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does the work, with a pause between two steps. */
export async function doSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
		await pause();
	}
}
