import { describeFault, domainOf } from '../address/parse-address.ts';
import { isNotAsked, leastMinutesOf } from '../jobs/estimate.ts';
import { displayNameOf, wordOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { publicMailOf } from '../mail-operators/public-mail.ts';
import { ListCleaner } from '../jobs/clean-list.ts';
import { HeaderSplit } from './choice.ts';
import type { Choice } from './choice.ts';
import { addressOf, holdsMore, shown } from './format.ts';
import type { Row } from './row-reader.ts';

/** The counts of a job made from a file. The four below `rows` add up to `rows`. */
export interface ListCounts {
	/** Non-empty rows, without the header. */
	readonly rows: number;
	/** Addresses that would be verified. */
	readonly addresses: number;
	readonly duplicates: number;
	readonly malformed: number;
	/** Rows with an empty cell in the column of addresses. */
	readonly empty: number;
}

export interface ListPreview {
	readonly counts: ListCounts;
	/** The first rows of data, with long cells cut. */
	readonly firstRows: readonly Row[];
	/** The addresses at large providers that accept every recipient, and the names of these providers. */
	readonly untold: { readonly addresses: number; readonly providers: readonly string[] };
	/** How long the addresses at large providers take at least: they decide the time. */
	readonly leastMinutes: number;
	/** The rows whose cell holds several addresses: the first is taken. `first`: the number of the first such row. */
	readonly several: { readonly rows: number; readonly first: number };
	/** The malformed addresses, up to a thousand, with the reasons. */
	readonly malformedRows: readonly {
		readonly number: number;
		readonly text: string;
		readonly reason: string;
	}[];
}

const FIRST_ROWS = 10;
const MALFORMED_ROWS = 1_000;

/** Counts the rows of a future job, row by row. */
export class Preview {
	readonly #choice: Choice;
	readonly #split: HeaderSplit;
	readonly #cleaner: ListCleaner;
	readonly #atProviders = new Map<OperatorName, number>();
	readonly #counts = { rows: 0, addresses: 0, duplicates: 0, malformed: 0, empty: 0 };
	readonly #several = { rows: 0, first: 0 };
	readonly #firstRows: Row[] = [];
	readonly #malformedRows: { number: number; text: string; reason: string }[] = [];

	constructor(choice: Choice) {
		this.#choice = choice;
		this.#cleaner = new ListCleaner(choice.byMailbox === true ? 'mailbox' : 'address');
		this.#split = new HeaderSplit(choice);
	}

	add(rows: readonly Row[]): void {
		for (const row of this.#split.dataOf(rows)) {
			this.#counts.rows += 1;
			if (this.#firstRows.length < FIRST_ROWS) this.#firstRows.push({ ...row, cells: row.cells.map(shown) });
			this.#count(row);
		}
	}

	result(): ListPreview {
		return {
			counts: { ...this.#counts },
			untold: untoldOf(this.#atProviders),
			leastMinutes: leastMinutesOf(this.#atProviders),
			several: { ...this.#several },
			firstRows: this.#firstRows,
			malformedRows: this.#malformedRows,
		};
	}

	#count({ number, cells }: Row): void {
		const cell = cells[this.#choice.column] ?? '';
		const text = addressOf(cell);
		if (holdsMore(cell)) {
			this.#several.first ||= number;
			this.#several.rows += 1;
		}
		if (text === '') {
			this.#counts.empty += 1;
			return;
		}
		const cleaned = this.#cleaner.clean(text);
		if (cleaned.kind === 'accepted') {
			this.#counts.addresses += 1;
			const operator = publicMailOf(domainOf(cleaned.email));
			if (operator !== null) this.#atProviders.set(operator, (this.#atProviders.get(operator) ?? 0) + 1);
		} else if (cleaned.kind === 'duplicate') this.#counts.duplicates += 1;
		else {
			this.#counts.malformed += 1;
			if (this.#malformedRows.length < MALFORMED_ROWS)
				this.#malformedRows.push({ number, text: shown(text), reason: describeFault(cleaned.reason, text) });
		}
	}
}

/** The addresses that stay unknown however we ask, by the domains of large providers alone. */
function untoldOf(atProviders: ReadonlyMap<OperatorName, number>): ListPreview['untold'] {
	const untold = [...atProviders]
		.filter(([operator]) => isNotAsked(operator))
		.toSorted(([, a], [, b]) => b - a);
	return {
		addresses: untold.reduce((sum, [, addresses]) => sum + addresses, 0),
		providers: [...new Set(untold.map(([operator]) => displayNameOf(wordOf(operator) ?? operator)))],
	};
}
