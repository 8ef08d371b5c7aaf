const MINUTE_MS = 60_000;
// What goes out in a minute goes out all along it: a sixth of the time has at most a fifth of the budget.
const SHORT_MS = 10_000;
const SHORT_SHARE = 5;

/** How many go out in a short while at the most. */
export function burstOf(perMinute: number): number {
	return Math.ceil(perMinute / SHORT_SHARE);
}

/** What is wanted of a meter. */
export interface Wanted {
	/** Less is of no use. */
	readonly least: number;
	readonly most: number;
	/** In any minute. */
	readonly perMinute: number;
	/** Somebody waits for it: it need not be spread over the minute. */
	readonly urgent?: boolean;
}

/**
 * How much went out lately, and how much may go out now, so that no sixty seconds see more than the limit. What was
 * granted counts from then on, since it may go out at any moment.
 */
export class RateMeter {
	/** Oldest first. */
	readonly #sent: { readonly at: number; readonly count: number }[] = [];
	#held = 0;

	/** How long it takes until so many went out, in whole milliseconds, as far as can be told. */
	takesMs(now: number, count: number, perMinute: number): number {
		const free = Math.max(0, perMinute - this.used(now));
		const burst = burstOf(perMinute);
		const takes = Math.max(((count - free) / perMinute) * MINUTE_MS, ((count - burst) / burst) * SHORT_MS, 0);
		return Math.ceil(takes);
	}

	/** How many may be granted at `now` (epoch ms): none, or `least` to `most`. */
	room(now: number, { least, most, perMinute, urgent = false }: Wanted): number {
		const { minute, short } = this.#used(now);
		// Whoever wants more than a short while's share at once has to have it to himself.
		const ofShort = Math.max(burstOf(perMinute), short === 0 ? least : 0);
		const room = Math.min(most, perMinute - minute, urgent ? Infinity : ofShort - short);
		return room >= least ? room : 0;
	}

	/** When there will be room, if nothing else is granted; what is held is taken to go out now. */
	nextAt(now: number, { least, perMinute, urgent = false }: Omit<Wanted, 'most'>): number {
		if (this.room(now, { least, most: least, perMinute, urgent }) > 0) return now;
		const held = this.#held === 0 ? [] : [{ at: now, count: this.#held }];
		const sent = [...this.#sent, ...held];
		const freeAt = (windowMs: number, bearable: number): number => {
			let used = sent.reduce((sum, { at, count }) => sum + (at > now - windowMs ? count : 0), 0);
			for (const { at, count } of sent) {
				if (used <= bearable) break;
				if (at <= now - windowMs) continue;
				used -= count;
				if (used <= bearable) return at + windowMs;
			}
			return now;
		};
		const inMinute = freeAt(MINUTE_MS, perMinute - least);
		return urgent ? inMinute : Math.max(inMinute, freeAt(SHORT_MS, Math.max(0, burstOf(perMinute) - least)));
	}

	/** Grants so many: they are sent or given back later. */
	hold(count: number): void {
		this.#held += count;
	}

	/** So many of what was granted will not go out. */
	giveBack(count: number): void {
		this.#held = Math.max(0, this.#held - count);
	}

	/** So many go out now. */
	send(now: number, count: number): void {
		this.giveBack(count);
		this.#sent.push({ at: now, count });
		while ((this.#sent[0]?.at ?? now) <= now - MINUTE_MS) this.#sent.shift();
	}

	/** Granted, and not gone out yet. */
	get held(): number {
		return this.#held;
	}

	/** How many went out in the minute before `now`, with those that may at any moment. */
	used(now: number): number {
		return this.#used(now).minute;
	}

	#used(now: number): { readonly minute: number; readonly short: number } {
		let [minute, short] = [this.#held, this.#held];
		for (const { at, count } of this.#sent) {
			if (at > now - MINUTE_MS) minute += count;
			if (at > now - SHORT_MS) short += count;
		}
		return { minute, short };
	}
}
