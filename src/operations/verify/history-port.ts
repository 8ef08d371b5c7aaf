import type { Progress } from '../../core/verification/progress.ts';
import type { Examined } from '../../engine/examination.ts';

/**
 * The answer of a verification, with everything that its page shows. An account keeps it without the address
 * (`withoutAddress`, `withoutMailbox`).
 */
export interface KeptAnswer extends Pick<Examined, 'result' | 'breakdown' | 'answeredBy'> {
	/** Credits. */
	readonly charged: number;
}

/** What an account keeps of a verification at the dashboard. */
export interface KeptVerification {
	/** That of its reservation. */
	readonly id: string;
	/** Epoch milliseconds. */
	readonly at: number;
	/** `failed`: by our fault, so nothing was charged. */
	readonly state:
		| { readonly kind: 'under_way'; readonly progress: Progress }
		| { readonly kind: 'answered'; readonly answer: KeptAnswer }
		| { readonly kind: 'failed' };
}

/** `over`: it has its answer, or had it, and nothing more is charged. */
export type BegunVerification = 'at_work' | 'over';

/** A verification whole again, with its address. */
export interface ShownVerification extends KeptVerification {
	readonly email: string;
}

export interface VerificationsPage {
	/** False: the account keeps no history. */
	readonly isKept: boolean;
	/** Those that were answered, the newest first. */
	readonly verifications: readonly KeptVerification[];
	readonly total: number;
}

/**
 * Verifications at the dashboard, without their addresses. Each is deleted, its address first, by the account's own alarm:
 * after two days, or after some minutes where the account keeps no history.
 */
export interface VerificationHistory {
	/** Null: there is none, or its time is over. */
	findVerification(request: { id: string; now: number }): Promise<KeptVerification | null>;
	/**
	 * What became of a verification that was begun under this id, or at this time (epoch ms), should its record be gone; null:
	 * nothing, so that it may be begun.
	 */
	findBegun(request: { id: string; at: number; now: number }): Promise<BegunVerification | null>;
	/** A page of the history, from 0. Empty where the account keeps none. */
	listVerifications(request: { now: number; page: number; pageSize: number }): Promise<VerificationsPage>;
	/** Does nothing once the verification has ended. */
	noteProgress(request: { id: string; progress: Progress }): Promise<void>;
	/**
	 * Keeps a history from now on, or deletes it and keeps none. The alarm, which rings at once, deletes the addresses.
	 * False: it was so before.
	 */
	keepHistory(request: { keep: boolean; now: number }): Promise<boolean>;
}

/**
 * The addresses of verifications at the dashboard, in the bucket under `verifications/<accountId>/<id>`. Stored after the
 * verification is recorded, and deleted before its record is, so that no address is left of which nobody knows.
 */
export interface VerifiedAddresses {
	put(accountId: string, id: string, email: string): Promise<void>;
	/** Those that are there, by id. */
	read(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** Those that are gone already are no error. */
	remove(accountId: string, ids: readonly string[]): Promise<void>;
	/** Deletes all that were stored before this time (epoch ms), of every account. Returns their number. */
	removeOlderThan(at: number): Promise<number>;
}
