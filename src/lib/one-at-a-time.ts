interface Waiting {
	/** Epoch milliseconds of its last look. */
	seenAt: number;
}

// Whoever was not seen for so long died with its request: its turn is over, its place in the queue free.
const PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 20;

/**
 * Heavy work of an isolate, one piece at a time, in the order in which it came. Between its steps it lets go, so that
 * other requests wait for a step and not for all of it, however much work is asked for at once. A request may end at any
 * await and never say so, and must not wait for another request's promise: hence looks at a clock instead of a lock.
 */
export class OneAtATime {
	readonly #clock: { now(): number; sleep(ms: number): Promise<void> };
	#waiting: Waiting[] = [];

	constructor(clock: { now(): number; sleep(ms: number): Promise<void> }) {
		this.#clock = clock;
	}

	/** Does the work when its turn has come. It calls `pause` between its steps. */
	async run<T>(work: (pause: () => Promise<void>) => Promise<T>): Promise<T> {
		const own: Waiting = { seenAt: this.#clock.now() };
		try {
			while (!this.#isTurnOf(own)) await this.#clock.sleep(LOOK_EVERY_MS);
			return await work(async () => {
				await this.#clock.sleep(0);
				own.seenAt = this.#clock.now();
			});
		} finally {
			this.#waiting = this.#waiting.filter((each) => each !== own);
		}
	}

	#isTurnOf(own: Waiting): boolean {
		own.seenAt = this.#clock.now();
		this.#waiting = this.#waiting.filter(({ seenAt }) => own.seenAt - seenAt <= PATIENCE_MS);
		// Where nothing moved for a while, nobody was seen: those who are still there line up again.
		if (!this.#waiting.includes(own)) this.#waiting.push(own);
		return this.#waiting[0] === own;
	}
}
