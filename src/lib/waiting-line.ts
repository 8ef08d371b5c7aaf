/** A place in the line. Whoever has it gets ready, then works, then leaves the isolate to others for a while. */
export interface Place {
	readonly who: string | null;
	state: 'getting ready' | 'waiting' | 'at work';
	/** When its owner last gave a sign of life, epoch ms. */
	seenAt: number;
}

export interface LineOptions {
	/** Places in the line, those of all states. */
	readonly places: number;
	/** Of these, for those whom nobody knows, all together. */
	readonly strangers: number;
	/** Of these, for one and the same who is known. */
	readonly ofOne: number;
	/** How long all other requests have the isolate for themselves after a piece of work, at least. */
	readonly restMs: number;
	readonly now: () => number;
	readonly sleep: (ms: number) => Promise<void>;
	/** Does something after the answer. */
	readonly later: (work: () => Promise<void>) => void;
}

const LOOK_EVERY_MS = 50;
const LOST_AFTER_MS = 3_000;

/**
 * A short line before work that keeps a whole isolate busy: one at a time, and while others wait a rest after each, no
 * shorter than the work was, in which all other requests have their turn. Requests share it, and any of them may be cancelled at any moment, when nothing of it runs
 * any more, no `finally` either. So nobody is called by somebody else: each looks by a timer of its own whether it is
 * its turn, and a place that gave no sign of life for a while counts no more.
 */
export class WaitingLine {
	readonly #options: LineOptions;
	#line: readonly Place[] = [];

	constructor(options: LineOptions) {
		this.#options = options;
	}

	/** Takes a place, at once: a crowd that comes together is told apart here. Null: there is none left. */
	enter(who: string | null): Place | null {
		const { places, strangers, ofOne, now } = this.#options;
		const line = this.#present();
		const alike = line.filter((place) => place.who === who).length;
		if (line.length >= places || alike >= (who === null ? strangers : ofOne)) return null;
		const place: Place = { who, state: 'getting ready', seenAt: now() };
		this.#line = [...line, place];
		return place;
	}

	/** Whether half of the places for strangers are taken. */
	isCrowded(): boolean {
		const strangers = this.#present().filter(({ who }) => who === null).length;
		return strangers * 2 >= this.#options.strangers;
	}

	/** Does the work when it is the place's turn, and gives the place back after the rest. */
	async run<T>(place: Place, work: () => Promise<T>): Promise<T> {
		const { now, sleep, later, restMs } = this.#options;
		place.state = 'waiting';
		place.seenAt = now();
		// Getting ready took so long that the place was given away.
		if (!this.#line.includes(place)) this.#line = [...this.#line, place];
		while (!this.#isTurnOf(place)) {
			await sleep(LOOK_EVERY_MS);
			place.seenAt = now();
		}
		place.state = 'at work';
		const begunAt = now();
		try {
			return await work();
		} finally {
			if (this.#present().length <= 1) this.#remove(place);
			else
				later(async () => {
					await sleep(restMs);
					// Known only now: on Cloudflare the clock stands still while a Worker computes.
					const workedMs = now() - begunAt - restMs;
					if (workedMs > restMs) await sleep(workedMs - restMs);
					this.#remove(place);
				});
		}
	}

	/** Gives back a place whose work turned out not to be needed. One that is at work goes after its rest. */
	leave(place: Place): void {
		if (place.state !== 'at work') this.#remove(place);
	}

	#isTurnOf(place: Place): boolean {
		const line = this.#present();
		const isFree = !line.some(({ state }) => state === 'at work');
		// The first of those who are ready: who still gets ready holds nobody up.
		return isFree && line.find(({ state }) => state === 'waiting') === place;
	}

	#present(): readonly Place[] {
		const lostBefore = this.#options.now() - LOST_AFTER_MS;
		this.#line = this.#line.filter(({ seenAt }) => seenAt > lostBefore);
		return this.#line;
	}

	#remove(place: Place): void {
		this.#line = this.#line.filter((other) => other !== place);
	}
}
