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

/** Milliseconds of waiting, by the parties that an invocation waits for. */
export type WaitedMs = Readonly<Record<'dns' | 'prober' | 'account', number>>;
type Waited = keyof WaitedMs;

/** Measures the time during which at least one of several waits is in progress. */
class Watch {
	#underWay = 0;
	#since = 0;
	#ms = 0;

	/** Begins or ends a wait. */
	turn(by: 1 | -1): void {
		const now = Date.now();
		this.#ms = this.read(now);
		this.#since = now;
		this.#underWay += by;
	}

	read(now: number): number {
		return this.#ms + (this.#underWay === 0 ? 0 : now - this.#since);
	}
}

const watches = new PerInvocation(() => ({ dns: new Watch(), prober: new Watch(), account: new Watch() }));

/** Begins a wait of the current invocation. The function that it returns ends the wait. */
export function beginWait(what: Waited): () => void {
	const watch = watches.current?.[what];
	watch?.turn(1);
	return () => watch?.turn(-1);
}

/** Runs some work, and adds its time to the waits of the invocation. */
export async function timed<T>(what: Waited, work: () => Promise<T>): Promise<T> {
	const end = beginWait(what);
	try {
		return await work();
	} finally {
		end();
	}
}

/** How long this invocation has waited so far. Waits of the same kind side by side count once. */
export function waitedMs(): WaitedMs {
	const now = Date.now();
	const read = (what: Waited): number => watches.current?.[what].read(now) ?? 0;
	return { dns: read('dns'), prober: read('prober'), account: read('account') };
}
