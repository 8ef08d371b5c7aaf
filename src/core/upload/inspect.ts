import type { Steps } from '../../lib/slots.ts';
import { RowReader, stepsOf } from './text.ts';
import { NoAddresses, refusal, refuseUnreadable, ROWS_MAX } from './file-kind.ts';
import { addressOf, findFormat, isAddress, shown } from './format.ts';
import type { FileFormat, Row } from './text.ts';
import { thousands } from '../../lib/text.ts';

/** The way to read the rows of a list. */
export interface Choice {
	/** Index of the column of addresses, from 0. */
	readonly column: number;
	/** The first row is a header, not data. */
	readonly hasHeader: boolean;
}

/** Our findings about a file, before the person chooses. */
export interface Inspection extends Choice {
	readonly format: FileFormat;
	readonly columns: readonly ColumnFacts[];
	/** Non-empty rows, without the header. */
	readonly rows: number;
	/** The first row with a misplaced quotation mark, which may have merged rows. Null: none. */
	readonly oddQuoteRow: number | null;
}

/**
 * Reads a whole file of text. `known`: the format, of a text that we wrote. Throws `ServiceError` with the fault and
 * its remedy if we can't accept it as a list.
 */
export function* inspectFile(file: Uint8Array, known?: FileFormat): Steps<Inspection> {
	refuseUnreadable(file);
	const format = known ?? (yield* findFormat(file));
	const reader = new RowReader(format);
	const survey = new Survey();
	for (const step of stepsOf(file)) {
		survey.add(reader.push(step));
		yield;
	}
	survey.add(reader.end());
	const { hasHeader, columns, rows } = survey.result();
	if (rows > ROWS_MAX) {
		throw refusal(
			`The file has ${thousands(rows)} rows; a list can have ${thousands(ROWS_MAX)}. Split it into ${Math.ceil(rows / ROWS_MAX)} files.`,
		);
	}
	const column = chooseColumn(columns);
	if (rows === 0 || column === null) {
		throw new NoAddresses(
			'No column of this file holds email addresses. Is it the right file? One row needs one address, such as ada@example.com.',
		);
	}
	return { format, hasHeader, columns, column, rows, oddQuoteRow: reader.oddQuoteRow };
}

/** Collects what the rows of a list tell about its columns. */
export class Survey {
	#first: Row | null = null;
	#rows = 0;
	readonly #tallies: ColumnTally[] = [];

	add(rows: readonly Row[]): void {
		for (const row of rows) {
			if (this.#first === null) this.#first = row;
			else this.#count(row.cells);
		}
	}

	result(): Pick<Inspection, 'hasHeader' | 'columns' | 'rows'> {
		const first = this.#first?.cells ?? [];
		const hasHeader = this.#isHeader(first);
		if (!hasHeader && this.#first !== null) this.#count(first);
		const width = Math.max(this.#tallies.length, first.length);
		const columns = Array.from({ length: width }, (_, index) => {
			const name = hasHeader ? (first[index] ?? '').trim() : '';
			const tally = this.#tallies[index] ?? new ColumnTally();
			return tally.facts(name === '' ? `Column ${index + 1}` : shown(name));
		});
		return { hasHeader, columns, rows: this.#rows };
	}

	#count(cells: readonly string[]): void {
		this.#rows += 1;
		// For a list that is too long, only the number of rows matters.
		if (this.#rows > ROWS_MAX) return;
		for (const [index, cell] of cells.entries()) (this.#tallies[index] ??= new ColumnTally()).add(cell);
	}

	/** Whether the first row holds no address itself, but the column below it does, or its name says so. */
	#isHeader(first: readonly string[]): boolean {
		if (first.some((cell) => cell.includes('@'))) return false;
		const isBelow = this.#tallies.some((tally) => tally.facts('').addressShare > 0);
		return isBelow || first.some((name) => rankHeader(name) > 0);
	}
}

/** Statistics of one column. */
type ColumnFacts = Readonly<ReturnType<ColumnTally['facts']>>;

const LOOKED_AT_MAX = 1_000;
const DISTINCT_MAX = 200;
// Below this share the addresses in a column are incidental, as in notes or links.
const SHARE_MIN = 0.5;

/** Collects the statistics of a column, cell by cell. */
class ColumnTally {
	#filled = 0;
	#lookedAt = 0;
	#addresses = 0;
	readonly #seen = new Set<string>();

	add(cell: string): void {
		if (cell === '' || cell.trim() === '') return;
		this.#filled += 1;
		if (this.#lookedAt >= LOOKED_AT_MAX) return;
		this.#lookedAt += 1;
		if (!isAddress(cell)) return;
		this.#addresses += 1;
		if (this.#addresses <= DISTINCT_MAX) this.#seen.add(addressOf(cell).toLowerCase());
	}

	/** `name`: from the header (long names are cut), else `Column 3`. */
	facts(name: string) {
		return {
			name,
			/** Number of non-empty cells. */
			filled: this.#filled,
			/** Share of addresses among its first 1,000 non-empty cells, 0-1. */
			addressShare: this.#lookedAt === 0 ? 0 : this.#addresses / this.#lookedAt,
			/** Different addresses among its first 200. */
			distinct: this.#seen.size,
		};
	}
}

/**
 * The column that most likely holds the addresses to verify, or null if no column holds any. The fullest decides; a
 * header that says so wins against a column that is at most twice as full, and a header that names another person loses
 * to all others. Repetition, as in an owner's column, decides only between equals: the preview warns of it.
 */
export function chooseColumn(columns: readonly ColumnFacts[]): number | null {
	const all = columns.map((facts, index) => {
		return { ...facts, index, rank: rankHeader(facts.name), addresses: addressesIn(facts) };
	});
	const from = (least: number) => all.filter(({ addressShare }) => addressShare >= least);
	const mostly = from(SHARE_MIN);
	const likely = mostly.length > 0 ? mostly : from(Number.MIN_VALUE);
	const named = likely.filter(({ rank }) => rank >= 0);
	const candidates = named.length > 0 ? named : likely;
	const most = Math.max(...candidates.map(({ addresses }) => addresses));
	const [best] = candidates
		.filter(({ addresses }) => 2 * addresses >= most)
		.toSorted(
			(a, b) => b.rank - a.rank || b.addresses - a.addresses || b.distinct - a.distinct || a.index - b.index,
		);
	return best?.index ?? null;
}

/**
 * What a caller may mean who names a column, or tells its number from 1; case does not matter. Who names one says that the
 * first row is a header.
 */
export function choicesOf(
	{ columns, hasHeader }: Pick<Inspection, 'columns' | 'hasHeader'>,
	first: readonly string[],
	wanted: string,
): readonly Choice[] {
	const number = /^\d{1,4}$/.test(wanted) ? Number(wanted) : null;
	const name = wanted.trim().toLowerCase();
	// In a list without a header, a number is no name.
	const named = number !== null && !hasHeader ? [] : first.map((cell) => cell.trim().toLowerCase() === name);
	const choices = [...named.keys()].filter((at) => named[at]).map((column) => ({ column, hasHeader: true }));
	if (choices.length > 0 || number === null || columns[number - 1] === undefined) return choices;
	return [{ column: number - 1, hasHeader }];
}

/** How many addresses a column holds, as far as its first cells tell. */
export function addressesIn(column: ColumnFacts | undefined): number {
	return column === undefined ? 0 : Math.round(column.filled * column.addressShare);
}

// Header names without spaces, punctuation, case and accents.
const NAMES: ReadonlySet<string> = new Set(
	(
		'email mail emailaddress mailaddress emailid emails primaryemail workemail businessemail contactemail useremail ' +
		'mailadresse emailadresse adresseemail adressemail courriel adressecourriel mel correo correoelectronico ' +
		'emailcorreo direccionemail direcciondecorreo indirizzoemail indirizzomail postaelettronica enderecodeemail ' +
		'enderecoemail correioeletronico emailadres mailadres epost epostadress epostadresse epostaadresi eposta ' +
		'sahkoposti sahkopostiosoite netfang adresemail adrespocztyelektronicznej poczta emailova adresaemail ' +
		'emailcim adresademail elpastas epasts emailaadress почта элпочта электроннаяпочта имейл ' +
		'електроннапошта пошта ηλεκτρονικοταχυδρομειο 邮箱 电子邮箱 电子邮件 邮件 電子郵件 電子信箱 信箱 メール メールアドレス ' +
		'eメール 이메일 이메일주소 전자우편 البريدالالكتروني بريدالكتروني דואל דואראלקטרוני อีเมล ईमेल thuđientu surel'
	)
		.split(' ')
		.map(fold),
);
// Headers of columns with another person's address, or with a second one of the same person.
const OTHER_PERSON =
	/second|altern|other|backup|recovery|owner|creat|assign|manager|agent|sales ?rep|sender|reply|from\b|updated|modified|referr|cc\b|mail.*[2-9]$/i;

/** 2: a usual name of the column; 1: it mentions mail; 0: neither; -1: another person's, or a second, address. */
function rankHeader(name: string): number {
	const folded = fold(name);
	if (NAMES.has(folded)) return 2;
	if (OTHER_PERSON.test(name)) return -1;
	return /mail|courriel|correo|メール/.test(folded) ? 1 : 0;
}

function fold(name: string): string {
	return name
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}]/gu, '');
}
