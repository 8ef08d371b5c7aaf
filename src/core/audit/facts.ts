import type { RowCounts } from '../jobs/stored-row.ts';

// Facts that an account's object reports to an audit: stored figures, including those that break its promises. Times
// are epoch milliseconds.

export interface LedgerSumsFacts {
	readonly lines: number;
	/** The change of the balance by the lines, without charges of running jobs. */
	readonly change: number;
}

export interface BooksFacts {
	readonly balance: {
		readonly granted: number;
		readonly consumed: number;
		readonly reserved: number;
		readonly refunded: number;
	};
	/** The sums in the account's row; null: it has none. */
	readonly said: {
		readonly lines: number;
		readonly granted: number;
		readonly charged: number;
		readonly reserved: number;
	} | null;
	/** The sums of all days: of all lines, deleted lines included. */
	readonly all: LedgerSumsFacts;
	/** The sum of all grants and adjustments, by their ids. */
	readonly grants: number;
	/** Sums of running jobs, from their parts. */
	readonly running: { readonly charged: number; readonly reserved: number };
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
	readonly liveKeys: number;
	readonly runningJobs: number;
	/** The first task of the alarm and its due time, and the time at which the alarm is set to ring. */
	readonly due: { readonly what: string; readonly at: number } | null;
	readonly alarmAt: number | null;
	readonly deliveries: DeliveryFacts;
}

/** Deliveries to endpoints that are not as they should be; some of them. */
export interface DeliveryFacts {
	/** Deliveries that are long overdue. */
	readonly late: readonly WaitingDelivery[];
	/** Deliveries that are due far from now. */
	readonly far: readonly WaitingDelivery[];
	/** All deliveries of endpoints that are gone, and the waiting ones of disabled endpoints. */
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

/** Some days of a ledger. */
export interface StretchFacts {
	/** Lines that were read. */
	readonly lines: number;
	/** Days whose lines do not add up to what the account says of them. */
	readonly wrong: readonly {
		readonly said: LedgerSumsFacts & { readonly day: string };
		readonly counted: LedgerSumsFacts;
	}[];
	/** Open lines whose work has ended or never existed; some of them. */
	readonly orphans: readonly { readonly id: string; readonly at: number; readonly kind: string }[];
	/** Lines about purchases: credits that were paid for, and those taken back after a refund. */
	readonly bought: readonly BoughtLine[];
	/** The last of these days; null: that was all. */
	readonly next: string | null;
}

export interface BoughtLine {
	readonly id: string;
	readonly at: number;
	readonly credits: number;
}

/** A purchase as stored in the database. */
export interface PurchaseFacts {
	readonly id: string;
	readonly accountId: string;
	readonly credits: number;
	readonly state: string;
	readonly createdAt: number;
	/** The checkout at which it could be paid; null: it never had one. */
	readonly sessionId: string | null;
}

/** Credits granted to an account, or withdrawn, under an id. Includes those whose lines are gone. */
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
	/** Its line in the ledger; `deleted`: it was too old. */
	readonly line:
		| {
				readonly credits: number;
				readonly charged: number | null;
				readonly closedAt: number | null;
		  }
		| 'deleted'
		| null;
}
