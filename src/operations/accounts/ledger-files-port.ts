import type { LedgerEntry } from './port.ts';

/** Lines that leave the ledger for a file. A month is cut into pieces, each of which can be stored again. */
export interface LedgerPiece {
	/** `2026-11`, UTC. */
	readonly month: string;
	/** From 0. */
	readonly piece: number;
	/** The oldest first; all of them have ended. */
	readonly entries: readonly LedgerEntry[];
}

/** A month of the ledger that stands in files. */
export interface LedgerMonth {
	/** `2026-11`, UTC. */
	readonly month: string;
	readonly pieces: number;
	readonly lines: number;
	/** By how much its lines changed the balance. */
	readonly change: number;
	/** Epoch milliseconds; null while lines of the month may follow. */
	readonly closedAt: number | null;
}

/** The pieces as CSV without a head. The names in it are ids: labels of keys are the owner's words, and change. */
export interface LedgerFiles {
	put(accountId: string, month: string, piece: number, csv: string): Promise<void>;
	/** Null: there is no such piece. */
	read(accountId: string, month: string, piece: number): Promise<string | null>;
}
