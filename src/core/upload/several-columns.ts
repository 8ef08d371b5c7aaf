import { refusal } from './file-kind.ts';
import { ROWS_MAX } from './limits.ts';
import type { Row } from './row-reader.ts';

/** Columns of addresses that one list can have. */
export const ADDRESS_COLUMNS_MAX = 5;
/** The name of the column that holds the verified one of a row's addresses. */
export const VERIFIED_COLUMN = 'Verified address';

/**
 * Turns a file with several columns of addresses into one with a row for each address: the address comes first, then the
 * whole row that it is from. So each address has a result of its own, and every row keeps its cells. Throws
 * `ServiceError` for more rows than a list can have.
 */
export class RowPerAddress {
	readonly #columns: readonly number[];
	#isHeader: boolean;
	#rows = 0;

	constructor(columns: readonly number[], hasHeader: boolean) {
		this.#columns = columns;
		this.#isHeader = hasHeader;
	}

	spread(rows: readonly Row[]): readonly Row[] {
		return rows.flatMap((row) => this.#rowsOf(row));
	}

	#rowsOf({ number, cells }: Row): readonly Row[] {
		if (this.#isHeader) {
			this.#isHeader = false;
			return [{ number, cells: [VERIFIED_COLUMN, ...cells] }];
		}
		const filled = this.#columns.map((column) => cells[column] ?? '').filter((cell) => cell.trim() !== '');
		// A row without addresses is kept as well.
		const addresses = filled.length > 0 ? filled : [''];
		this.#rows += addresses.length;
		if (this.#rows > ROWS_MAX) {
			throw refusal(
				'These columns together hold more than 50,000 addresses, the most that a list can have. Choose fewer columns.',
			);
		}
		return addresses.map((address) => ({ number, cells: [address, ...cells] }));
	}
}
