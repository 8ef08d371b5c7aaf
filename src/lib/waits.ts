import { PerInvocation } from './invocation.ts';

/** What an invocation waits for. */
type Waited = 'dns' | 'prober' | 'account';

/** Milliseconds by what they were waited for. */
export type WaitedMs = Readonly<Record<Waited, number>>;

/** Milliseconds during which at least one of some waits was under way. */
class Watch {
	#underWay = 0;
	#since = 0;
	#ms = 0;

	begin(now: number): void {
		if (this.#underWay === 0) this.#since = now;
		this.#underWay += 1;
	}

	end(now: number): void {
		this.#ms = this.read(now);
		this.#since = now;
		this.#underWay -= 1;
	}

	read(now: number): number {
		return this.#ms + (this.#underWay === 0 ? 0 : now - this.#since);
	}
}

const watches = new PerInvocation(() => ({ dns: new Watch(), prober: new Watch(), account: new Watch() }));

/** Begins a wait of the current invocation. The function that it returns ends the wait. */
export function beginWait(what: Waited): () => void {
	const watch = watches.current?.[what];
	watch?.begin(Date.now());
	return () => watch?.end(Date.now());
}

/** Waits for some work, and adds the time to what its invocation has waited for. */
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
