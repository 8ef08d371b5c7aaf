/** Limits how much work runs at a time; the rest waits in order. */
export class Slots {
	#free: number;
	#waiting: (() => void)[] = [];

	constructor(count: number) {
		this.#free = count;
	}

	/** Runs the work when a slot is free. Throws the signal's reason if the signal aborts before that. */
	async run<T>(work: () => Promise<T>, signal?: AbortSignal | null): Promise<T> {
		await this.#take(signal);
		try {
			return await work();
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#free += 1;
			else next();
		}
	}

	async #take(signal?: AbortSignal | null): Promise<void> {
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
}
