import type { ActivityKind } from '../../core/identity/activity.ts';

/** Something that happened to an account, as its owner reads it. */
export interface Activity {
	/** Epoch milliseconds. */
	readonly at: number;
	readonly kind: ActivityKind;
	/** The browser and system in a few words; null: no browser of the owner's did it. */
	readonly device: string | null;
	/** What it was about: the label of a key, the name of a list, credits. */
	readonly about: string | null;
	/** Who did it, where it was not the owner at the dashboard. */
	readonly by: 'operator' | 'api' | null;
}

/** The activity of accounts, bounded in time and in number. */
export interface Activities {
	record(accountId: string, activity: Activity): Promise<void>;
	/** The newest first. */
	list(accountId: string, most: number): Promise<readonly Activity[]>;
	/** Deletes what is told no longer. */
	sweep(now: number): Promise<void>;
}
