import { addUsage, countRequest } from '../../../core/credits/usage.ts';
import type { UsageToday } from '../../../core/credits/usage.ts';
import { countLater } from '../../../core/rate-limit/window.ts';
import type { CountedOn } from '../../../core/rate-limit/window.ts';
import type { AccountState } from './row.ts';

type Counted = Pick<AccountState, 'windows' | 'today'>;

// An object that waits is billed for its time: a tenth of a second costs a sixth of a row.
export const TOGETHER_MS = 100;

/**
 * Requests that spend nothing, counted in memory until the account's row is written next. Only those that come just after
 * a write: many at once would each wait for a row of their own.
 */
export class Visits {
	readonly #now: () => number;
	readonly #writeSoon: () => void;
	#writtenAt = -Infinity;
	#windows: AccountState['windows'] = {};
	#keys: UsageToday['keys'] = {};

	/**
	 * @param now the object's own clock
	 * @param writeSoon has the row written after `TOGETHER_MS`
	 */
	constructor(now: () => number, writeSoon: () => void) {
		this.#now = now;
		this.#writeSoon = writeSoon;
	}

	/** None: the row has them all. */
	get isEmpty(): boolean {
		return Object.keys(this.#windows).length === 0;
	}

	/** The row was written a moment ago, so the next requests are written together. */
	get mayWait(): boolean {
		return this.#now() - this.#writtenAt < TOGETHER_MS;
	}

	/** Counts a request. `windows`: those of the account as it was read. */
	count(keyId: string, countedOn: CountedOn, { windows }: Counted, now: number): void {
		const { category } = countedOn;
		const window = countLater(windows[category] ?? null, countedOn);
		if (this.isEmpty) this.#writeSoon();
		this.#windows = { ...this.#windows, ...(window === null ? {} : { [category]: window }) };
		({ keys: this.#keys } = countRequest({ day: '', keys: this.#keys }, keyId, now));
	}

	/** The stored state, and these requests. */
	over(state: AccountState): AccountState {
		if (this.isEmpty) return state;
		const { windows, today } = state;
		const keys = { ...today.keys };
		for (const [keyId, usage] of Object.entries(this.#keys)) {
			const before = keys[keyId];
			keys[keyId] = before === undefined ? usage : addUsage(before, usage);
		}
		return { ...state, windows: { ...windows, ...this.#windows }, today: { ...today, keys } };
	}

	/** They are written. */
	clear(): void {
		this.#writtenAt = this.#now();
		this.#windows = {};
		this.#keys = {};
	}
}
