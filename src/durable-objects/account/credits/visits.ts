import { addUsage, countRequest } from '../../../core/credits/usage.ts';
import type { UsageToday } from '../../../core/credits/usage.ts';
import { countLater } from '../../../core/rate-limit/window.ts';
import type { CountedOn } from '../../../core/rate-limit/window.ts';
import type { AccountState } from './row.ts';

type Counted = Pick<AccountState, 'windows' | 'today'>;

/**
 * Requests that spend nothing, counted in memory until the account's row is written next. A row for each of them would
 * cost more than the list whose progress they ask for.
 */
export class Visits {
	readonly #writeSoon: () => void;
	#windows: AccountState['windows'] = {};
	#keys: UsageToday['keys'] = {};

	/** @param writeSoon has the row written before the platform takes an idle object out of memory */
	constructor(writeSoon: () => void) {
		this.#writeSoon = writeSoon;
	}

	/** None: the row has them all. */
	get isEmpty(): boolean {
		return Object.keys(this.#windows).length === 0;
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
		this.#windows = {};
		this.#keys = {};
	}
}
