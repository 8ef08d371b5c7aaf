import type { OutcomeKind } from '../../core/outcomes/outcome.ts';
import type { WindowView } from '../../core/rate-limit/window.ts';

/** The keyed hashes of an address, that of the secret in use first (see `addressDigests`). */
export type Digests = readonly string[];

/** A kept outcome; `at` is epoch milliseconds. */
export interface KeptOutcome {
	readonly kind: OutcomeKind;
	readonly at: number;
}

/** The result of a report. The three numbers add up to the outcomes in the report. */
export interface Recorded {
	/** New, or newer than what was known. */
	readonly recorded: number;
	/** Known already, or older than what is known. */
	readonly unchanged: number;
	/** Too old to be kept. */
	readonly expired: number;
}

export type RecordResult =
	| ({ readonly kind: 'recorded' } & Recorded)
	/** More new outcomes than an account may tell in a day; nothing was recorded. */
	| { readonly kind: 'too_many_today'; readonly window: WindowView };
