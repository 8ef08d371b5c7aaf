/** Limits how much work runs at a time; the rest waits in order. */
export class Slots {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(count: number) {
		this.#free = count;
	}

	/** Runs the work when a slot is free. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#free > 0) this.#free -= 1;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#free += 1;
			else next();
		}
	}
}
