import { addressOf, isAddress } from './format.ts';

/** Statistics of one column. */
export type ColumnFacts = Readonly<ReturnType<ColumnTally['facts']>>;

const LOOKED_AT_MAX = 1_000;
const DISTINCT_MAX = 200;
// Below this share the addresses in a column are incidental, as in notes or links.
const SHARE_MIN = 0.5;

/** Collects the statistics of a column, cell by cell. */
export class ColumnTally {
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

/** The columns of this name in a first row, ignoring case. */
export function columnsNamed(first: readonly string[], name: string): readonly number[] {
	const wanted = name.trim().toLowerCase();
	return [...first.keys()].filter((at) => first[at]?.trim().toLowerCase() === wanted);
}

/** The column of this number, from 1; null: it is no number of one. */
export function columnNumbered(columns: number, text: string): number | null {
	const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	return number >= 1 && number <= columns ? number - 1 : null;
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

/** True for a header that usually names a column of addresses. */
export function namesAddresses(name: string): boolean {
	return rankHeader(name) > 0;
}

function fold(name: string): string {
	return name
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}]/gu, '');
}
