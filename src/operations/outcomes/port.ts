import type { BandCount } from '../../core/outcomes/band.ts';
import type { OutcomeKind, ToldOutcome } from '../../core/outcomes/outcome.ts';
import type { WindowView } from '../../core/rate-limit/window.ts';

/** The keyed hashes of an address, that of the secret in use first (see `addressDigests`). */
export type Digests = readonly string[];

/** A kept outcome; `at` is epoch milliseconds. */
export interface KeptOutcome {
	readonly kind: OutcomeKind;
	readonly at: number;
}

/** What a report came to. The three numbers add up to the outcomes that were told. */
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

/** What became of an account's own messages: hashes, times and counts, never an address. */
export interface Outcomes {
	/** The kept outcome of each address, in their order; null: none. */
	findOutcomes(request: {
		now: number;
		addresses: readonly Digests[];
	}): Promise<readonly (KeptOutcome | null)[]>;
	/** Repeating a call changes nothing. */
	recordOutcomes(request: {
		now: number;
		outcomes: readonly (ToldOutcome & { readonly digests: Digests })[];
	}): Promise<RecordResult>;
	/** Remembers for some weeks which band the signals put an address in, so that its outcome can be counted there. */
	noteScores(request: {
		now: number;
		scorecard: string;
		scores: readonly { readonly digests: Digests; readonly band: number }[];
	}): Promise<void>;
	/** How many outcomes each band has had. */
	countOutcomes(): Promise<readonly BandCount[]>;
}
