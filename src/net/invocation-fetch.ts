import { AsyncLocalStorage } from 'node:async_hooks';

/** `fetch` of a text address, as the adapters use it. */
export type Fetcher = (url: string, init: RequestInit) => Promise<Response>;

// Of one invocation no more than so many connections may wait for the head of a response; further ones queue within the
// platform, where their limits of time run on unseen (Workers' limits, "simultaneous open connections").
export const CONNECTIONS_MAX = 6;

/** Places that are taken in the order in which they are asked for. */
export class Places {
	#free: number;
	#waiting: (() => void)[] = [];

	constructor(most: number) {
		this.#free = most;
	}

	/** Waits for a place. Throws the signal's reason when it is aborted first. */
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

	/** Gives a place back: to who has waited longest. */
	giveBack(): void {
		const next = this.#waiting.shift();
		if (next === undefined) this.#free += 1;
		else next();
	}
}

const invocation = new AsyncLocalStorage<Places>();

/** Runs an invocation (a request, a batch, a cron): all that it opens by `invocationFetch` shares its places. */
export function withConnections<T>(work: () => T): T {
	return invocation.run(new Places(CONNECTIONS_MAX), work);
}

/** `fetch` within the invocation's places. Outside of one, nothing is limited. */
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
