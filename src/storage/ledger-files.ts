import type { LedgerFiles } from '../operations/accounts/ledger-files-port.ts';

/** Closed months of ledgers in R2. Nothing expires there. */
export class R2LedgerFiles implements LedgerFiles {
	readonly #bucket: R2Bucket;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
	}

	async put(accountId: string, month: string, piece: number, csv: string): Promise<void> {
		await this.#bucket.put(keyOf(accountId, month, piece), csv);
	}

	async read(accountId: string, month: string, piece: number): Promise<string | null> {
		const object = await this.#bucket.get(keyOf(accountId, month, piece));
		return object === null ? null : object.text();
	}
}

function keyOf(accountId: string, month: string, piece: number): string {
	return `${ledgerFilesPrefix(accountId)}${ledgerFileName(month, piece)}`;
}

/** The prefix of an account's files. */
export function ledgerFilesPrefix(accountId: string): string {
	return `ledgers/${accountId}/`;
}

/** The name of a piece of a month behind that prefix. */
export function ledgerFileName(month: string, piece: number): string {
	return `${month}/${String(piece).padStart(6, '0')}.csv`;
}
