/** A broken promise of our own code. Never thrown for input: that is a `ServiceError` or a value. */
export class AssertionError extends Error {
	override readonly name = 'AssertionError';
}

/** Throws when what we rely on does not hold. `promise` says what should have been true. */
export function assert(condition: boolean, promise: string): asserts condition {
	if (!condition) throw new AssertionError(`Broken promise: ${promise}`);
}
