import type { RowCounts } from '../jobs/stored-row.ts';

// What an account's object tells an audit: figures as they are stored, also those that break its promises. Times are epoch
// milliseconds.

export interface LedgerSumsFacts {
	readonly lines: number;
	/** By how much the lines changed the balance, without what running jobs have charged. */
	readonly change: number;
}

export interface BooksFacts {
	readonly balance: {
		readonly granted: number;
		readonly consumed: number;
		readonly reserved: number;
		readonly refunded: number;
	};
	/** What the account's row says of its ledger; null: it does not. */
	readonly said: {
		readonly lines: number;
		readonly granted: number;
		readonly charged: number;
		readonly reserved: number;
	} | null;
	/** All lines, those that have left the ledger included. */
	readonly all: LedgerSumsFacts;
	/** The lines up to the last one that stands in a file. */
	readonly upToFiled: LedgerSumsFacts;
	readonly filedLines: number;
	readonly prunedLines: number;
	readonly months: readonly {
		readonly month: string;
		readonly pieces: number;
		readonly lines: number;
		readonly change: number;
	}[];
	/** Of all grants and adjustments, by their ids. */
	readonly grants: number;
	/** Of running jobs, from their parts. */
	readonly running: { readonly charged: number; readonly reserved: number };
	/** Of open verifications. */
	readonly openReservations: number;
	/** Reservations that outlived their time, the oldest first; some of them. */
	readonly late: readonly { readonly id: string; readonly at: number }[];
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
	readonly liveKeys: number;
	readonly runningJobs: number;
	/** When the first thing is due that the alarm sees to, and when it will ring. */
	readonly due: { readonly what: string; readonly at: number } | null;
	readonly alarmAt: number | null;
	readonly deliveries: DeliveryFacts;
}

/** Deliveries to endpoints that are not as they should be; some of them. */
export interface DeliveryFacts {
	/** Those that wait since long after their time. */
	readonly late: readonly WaitingDelivery[];
	/** Those that wait for a time far from now. */
	readonly far: readonly WaitingDelivery[];
	/** Of endpoints that are gone, all; of those that are disabled, those that wait. */
	readonly orphaned: readonly {
		readonly webhookId: string;
		readonly deliveries: number;
		readonly isGone: boolean;
	}[];
}

export interface WaitingDelivery {
	readonly eventId: string;
	readonly webhookId: string;
	readonly dueAt: number;
	readonly attempts: number;
}

/** Some lines of a ledger, between its marks. */
export interface StretchFacts {
	/** Lines that were read. */
	readonly lines: number;
	/** Marks that do not say what the lines before them add up to. */
	readonly wrong: readonly {
		readonly id: string;
		readonly at: number;
		readonly marked: LedgerSumsFacts;
		readonly counted: LedgerSumsFacts;
	}[];
	/** Open lines whose work has ended or never was; some of them. */
	readonly orphans: readonly { readonly id: string; readonly at: number; readonly kind: string }[];
	/** Lines about purchases: credits that were paid for, and those taken back after a refund. */
	readonly bought: readonly BoughtLine[];
	/** Where to go on; null: that was all. */
	readonly next: { readonly at: number; readonly id: string } | null;
}

export interface BoughtLine {
	readonly id: string;
	readonly at: number;
	readonly credits: number;
}

/** A purchase as the database has it. */
export interface PurchaseFacts {
	readonly id: string;
	readonly accountId: string;
	readonly credits: number;
	readonly state: string;
	readonly createdAt: number;
	/** The checkout at which it could be paid; null: it never had one. */
	readonly sessionId: string | null;
}

/** What an account was granted under an id, or what was taken back: of all of them, those whose lines are gone included. */
export interface GrantFacts {
	readonly id: string;
	readonly credits: number;
}

export interface JobFacts {
	readonly jobId: string;
	readonly status: string;
	readonly submitted: number;
	readonly accepted: number;
	readonly duplicates: number;
	readonly invalid: number;
	readonly parts: number;
	readonly price: number;
	readonly createdAt: number;
	readonly endedAt: number | null;
	readonly deletedAt: number | null;
	readonly purgeAt: number | null;
	readonly purged: boolean;
	readonly wakeAt: number | null;
	readonly horizonMs: number;
	readonly stored: {
		readonly parts: number;
		readonly addresses: number;
		readonly counts: RowCounts;
		readonly deferred: number;
	};
	/** Parts that contradict themselves, and those that wait for a time far from now. */
	readonly wrongParts: readonly number[];
	readonly farParts: readonly number[];
	/** The number of each part's last settled attempt, in the order of the parts; 0: none is. */
	readonly attempts: readonly number[];
	/** Its line in the ledger; `pruned`: it has left the ledger. */
	readonly line:
		| {
				readonly credits: number;
				readonly charged: number | null;
				readonly closedAt: number | null;
		  }
		| 'pruned'
		| null;
}
