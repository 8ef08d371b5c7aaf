import { AsyncLocalStorage } from 'node:async_hooks';

// The values of an invocation, by the `PerInvocation` that they belong to.
const invocation = new AsyncLocalStorage<Map<object, unknown>>();

/**
 * Runs an invocation of the Worker: a request, a batch, a cron. Work that goes on after the response belongs to it
 * too.
 */
export function withInvocation<T>(work: () => T): T {
	return invocation.run(new Map(), work);
}

/** A value that each invocation has one of: the platform sets many limits by invocation. */
export class PerInvocation<T> {
	readonly #make: () => T;

	constructor(make: () => T) {
		this.#make = make;
	}

	/** Null outside of an invocation. */
	get current(): T | null {
		const held = invocation.getStore();
		if (held === undefined) return null;
		if (!held.has(this)) held.set(this, this.#make());
		return held.get(this) as T;
	}
}
