import { AsyncLocalStorage } from 'node:async_hooks';

/** `fetch` of a URL as text, as the adapters use it. */
export type Fetcher = (url: string, init: RequestInit) => Promise<Response>;

// An invocation may have this many connections that wait for the head of a response. The platform queues further ones,
// while their timeouts already run (Workers' limits, "simultaneous open connections").
export const CONNECTIONS_MAX = 6;

/** Places for connections, given out in the order of the requests for them. */
export class Places {
	#free: number;
	#waiting: (() => void)[] = [];

	constructor(most: number) {
		this.#free = most;
	}

	/** Waits for a place. Throws the signal's reason if the signal aborts first. */
	async take(signal?: AbortSignal | null): Promise<void> {
		signal?.throwIfAborted();
		if (this.#free > 0) {
			this.#free -= 1;
			return;
		}
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const giveUp = (): void => {
			this.#waiting = this.#waiting.filter((other) => other !== resolve);
			reject(signal?.reason);
		};
		this.#waiting.push(resolve);
		signal?.addEventListener('abort', giveUp, { once: true });
		try {
			await promise;
		} finally {
			signal?.removeEventListener('abort', giveUp);
		}
	}

	/** Gives a place back, to the request that has waited longest. */
	giveBack(): void {
		const next = this.#waiting.shift();
		if (next === undefined) this.#free += 1;
		else next();
	}
}

const invocation = new AsyncLocalStorage<Places>();

/** Runs an invocation (a request, a batch, a cron), whose calls of `invocationFetch` share its places. */
export function withConnections<T>(work: () => T): T {
	return invocation.run(new Places(CONNECTIONS_MAX), work);
}

/** `fetch` within the invocation's places. Outside of an invocation nothing is limited. */
export async function invocationFetch(url: string, init: RequestInit): Promise<Response> {
	const places = invocation.getStore();
	if (places === undefined) return fetch(url, init);
	await places.take(init.signal);
	try {
		return await fetch(url, init);
	} finally {
		places.giveBack();
	}
}
