import type { Progress } from '../../core/verification/progress.ts';
import type { Examined } from '../../engine/examined.ts';

/** The answer of a verification, with everything that its page shows. */
export interface KeptAnswer extends Pick<Examined, 'result' | 'breakdown' | 'answeredBy'> {
	/** Credits. */
	readonly charged: number;
}

/** A verification at the dashboard, as long as it is kept. */
export interface KeptVerification {
	/** That of its reservation. */
	readonly id: string;
	readonly email: string;
	/** Epoch milliseconds. */
	readonly at: number;
	/** `failed`: by our fault, so nothing was charged. */
	readonly state:
		| { readonly kind: 'under_way'; readonly progress: Progress }
		| { readonly kind: 'answered'; readonly answer: KeptAnswer }
		| { readonly kind: 'failed' };
}

export interface VerificationsPage {
	/** False: the account keeps no history. */
	readonly isKept: boolean;
	/** Those that were answered, the newest first. */
	readonly verifications: readonly KeptVerification[];
	readonly total: number;
}

/**
 * Verifications at the dashboard. They hold addresses, so each is deleted by the account's own alarm: after two days, or
 * after some minutes where the account keeps no history.
 */
export interface VerificationHistory {
	/** Null: there is none, or its time is over. */
	findVerification(request: { id: string; now: number }): Promise<KeptVerification | null>;
	/** A page of the history, from 0. Empty where the account keeps none. */
	listVerifications(request: { now: number; page: number; pageSize: number }): Promise<VerificationsPage>;
	/** Does nothing once the verification has ended. */
	noteProgress(request: { id: string; progress: Progress }): Promise<void>;
	/** Keeps a history from now on, or deletes it and keeps none. */
	keepHistory(request: { keep: boolean; now: number }): Promise<void>;
}
