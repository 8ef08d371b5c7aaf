import type { Progress } from '../../core/verification/trace.ts';
import type { Examined } from '../../engine/case.ts';

/**
 * The answer of a verification, with everything that its page shows. An account keeps it without the address
 * (`withoutAddress`, `withoutMailbox`).
 */
export interface KeptAnswer extends Pick<Examined, 'result' | 'breakdown' | 'answeredBy'> {
	/** Credits. */
	readonly charged: number;
}

/** An account's record of a verification at the dashboard. */
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
	/** The answered verifications, newest first. */
	readonly verifications: readonly KeptVerification[];
	readonly total: number;
}

/**
 * The addresses of verifications at the dashboard, in the bucket under `verifications/<accountId>/<id>`. We store an
 * address after the record of its verification, and delete it before the record, so that every stored address has a
 * record.
 */
export interface VerifiedAddresses {
	put(accountId: string, id: string, email: string): Promise<void>;
	/** The stored addresses, by id. */
	read(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** A missing address is no error. */
	remove(accountId: string, ids: readonly string[]): Promise<void>;
}
