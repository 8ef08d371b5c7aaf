/** A bug in our own code. Never thrown because of input: that gives a `ServiceError` or a value. */
export class AssertionError extends Error {
	override readonly name = 'AssertionError';
}

/** Throws when an invariant does not hold. `promise` says what should be true. */
export function assert(condition: boolean, promise: string): asserts condition {
	if (!condition) throw new AssertionError(`Broken promise: ${promise}`);
}
