import type { Clock } from './time.ts';

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

/** Work in steps: it yields between them, so that the caller can let other requests go first. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs the work, with a pause between steps. */
export async function doSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
		await pause();
	}
}

/** Runs the work without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

interface Waiter {
	/** When the waiter last checked for its turn, epoch ms. */
	seenAt: number;
}

// A waiter that has not checked for this long died with its request: it loses its place in the queue.
const PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 20;

/**
 * Runs heavy work in an isolate one piece at a time, in order of arrival. Between its steps it yields, so that other
 * requests wait for a step and not for all the work. A request may end at any await without notice, and must not wait
 * for another request's promise: hence polling by the clock instead of a lock.
 */
export class OneAtATime {
	readonly #clock: Clock;
	#waiting: Waiter[] = [];

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Runs the work when its turn has come. The work calls `pause` between its steps. */
	async run<T>(work: (pause: () => Promise<void>) => Promise<T>): Promise<T> {
		const waiter: Waiter = { seenAt: this.#clock.now() };
		try {
			while (!this.#isTurnOf(waiter)) await this.#clock.sleep(LOOK_EVERY_MS);
			return await work(async () => {
				await this.#clock.sleep(0);
				waiter.seenAt = this.#clock.now();
			});
		} finally {
			this.#waiting = this.#waiting.filter((each) => each !== waiter);
		}
	}

	#isTurnOf(waiter: Waiter): boolean {
		waiter.seenAt = this.#clock.now();
		this.#waiting = this.#waiting.filter(({ seenAt }) => waiter.seenAt - seenAt <= PATIENCE_MS);
		// After a standstill of the whole isolate all waiters look dead: live ones queue up again.
		if (!this.#waiting.includes(waiter)) this.#waiting.push(waiter);
		return this.#waiting[0] === waiter;
	}
}

// The limit of sendBatch (Cloudflare Queues).
const MESSAGES_MAX = 100;

/** Sends any number of messages to a queue, in batches. */
export async function sendInBatches<T>(
	queue: { sendBatch(messages: { body: T }[]): Promise<unknown> },
	bodies: readonly T[],
): Promise<void> {
	for (let from = 0; from < bodies.length; from += MESSAGES_MAX) {
		await queue.sendBatch(bodies.slice(from, from + MESSAGES_MAX).map((body) => ({ body })));
	}
}
