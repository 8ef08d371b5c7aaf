/** A party without a name. */
export interface Stranger {
	/** Where the request comes from: strangers of one network have few places together. */
	readonly network: string;
	/** The browser has worked for its place. */
	readonly hasWorked: boolean;
}

/** The name of a party that presented something, or a stranger. */
export type Party = string | Stranger;

/** A place in the line. Its request gets ready, then works, then rests, so that other requests can run. */
export interface Place {
	readonly who: Party;
	state: 'getting ready' | 'waiting' | 'at work';
	/** When its request last gave a sign of life, epoch ms. */
	seenAt: number;
}

export interface LineOptions {
	/** Places in the line, whatever their state. */
	readonly places: number;
	/** The most places for all strangers that have worked, and for all others, each. */
	readonly strangerPlaces: number;
	readonly placesPerNetwork: number;
	/** The most places for one known party. */
	readonly placesPerKnown: number;
	/** The shortest rest after a piece of work, for all other requests of the isolate. */
	readonly restMs: number;
	readonly now: () => number;
	readonly sleep: (ms: number) => Promise<void>;
	/** Runs something after the response. */
	readonly later: (work: () => Promise<void>) => void;
}

const LOOK_EVERY_MS = 50;
const LOST_AFTER_MS = 3_000;

/**
 * A short queue for work that keeps a whole isolate busy. It runs one piece at a time. While others wait, a rest
 * follows each piece, at least as long as the work, so that all other requests run. The platform may cancel any
 * request at any moment, and then runs no more of its code, not even `finally`. So no request wakes another: each
 * checks by its own timer whether it is its turn. The queue drops a place that gave no sign of life for a while.
 */
export class WaitingLine {
	readonly #options: LineOptions;
	#line: readonly Place[] = [];

	constructor(options: LineOptions) {
		this.#options = options;
	}

	/** Takes a place, synchronously, so that requests that arrive together are counted right. Null: none is left. */
	enter(who: Party): Place | null {
		const line = this.#present();
		if (line.length >= this.#options.places || this.#hasEnough(who, line)) return null;
		const place: Place = { who, state: 'getting ready', seenAt: this.#options.now() };
		this.#line = [...line, place];
		return place;
	}

	/** Whether half of the places for strangers that have not worked are taken. */
	isCrowded(): boolean {
		const strangers = strangersIn(this.#present()).filter(({ hasWorked }) => !hasWorked);
		return strangers.length * 2 >= this.#options.strangerPlaces;
	}

	#hasEnough(who: Party, line: readonly Place[]): boolean {
		const { strangerPlaces, placesPerNetwork, placesPerKnown } = this.#options;
		if (typeof who === 'string') return line.filter((place) => place.who === who).length >= placesPerKnown;
		const strangers = strangersIn(line);
		const neighbours = strangers.filter(({ network }) => network === who.network);
		const alike = strangers.filter(({ hasWorked }) => hasWorked === who.hasWorked);
		return neighbours.length >= placesPerNetwork || alike.length >= strangerPlaces;
	}

	/** Runs the work when it is the place's turn, and gives the place back after the rest. */
	async run<T>(place: Place, work: () => Promise<T>): Promise<T> {
		const { now, sleep, later, restMs } = this.#options;
		place.state = 'waiting';
		place.seenAt = now();
		// Preparing took so long that the place was dropped.
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
					// Measured only now: on Cloudflare the clock stands still while a Worker computes.
					const workedMs = now() - begunAt - restMs;
					if (workedMs > restMs) await sleep(workedMs - restMs);
					this.#remove(place);
				});
		}
	}

	/** Gives back a place whose work is no longer needed. A place at work is given back after its rest. */
	leave(place: Place): void {
		if (place.state !== 'at work') this.#remove(place);
	}

	#isTurnOf(place: Place): boolean {
		const line = this.#present();
		const isFree = !line.some(({ state }) => state === 'at work');
		// The first place that is ready: a place that still prepares does not block the others.
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

function strangersIn(line: readonly Place[]): readonly Stranger[] {
	return line.flatMap(({ who }) => (typeof who === 'string' ? [] : [who]));
}
