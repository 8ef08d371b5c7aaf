import type { VerificationResult } from '../verification/render.ts';
import type { CsvCell, CsvRow } from './write.ts';

/**
 * The columns of a result, named like the API's fields, and their cells. In the customer's own file, `namesBeside` keeps
 * the names apart from the file's own.
 */
const CELLS = {
	status: ({ status }) => status,
	sub_status: ({ details }) => details.sub_status,
	score: ({ deliverability_score: score }) => score,
	risk_level: ({ risk_level: level }) => level,
	reason: ({ details }) => details.general.reason,
	did_you_mean: ({ did_you_mean: meant }) => meant,
	free_email: ({ details }) => details.attributes.free_email,
	role_account: ({ details }) => details.attributes.role_account,
	disposable: ({ details }) => details.attributes.disposable,
	catch_all: ({ details }) => details.attributes.catch_all,
	has_plus_tag: ({ details }) => details.attributes.has_plus_tag,
	mailbox_full: ({ details }) => details.attributes.mailbox_full,
	no_reply: ({ details }) => details.attributes.no_reply,
	smtp_provider: ({ details }) => details.mail_server.smtp_provider,
	gateway: ({ details }) => details.mail_server.gateway,
	mx_record: ({ details: { mail_server: server } }) => server.mx_record ?? server.implicit_mx,
	verified_at: ({ verified_at: at }) => at,
	catch_all_score: ({ catch_all_score: score }) => score ?? null,
	catch_all_verdict: ({ catch_all_verdict: verdict }) => verdict ?? null,
	privacy_relay: ({ details }) => details.attributes.privacy_relay,
	gibberish: ({ details }) => details.attributes.gibberish,
	canonical_email: ({ canonical_email: email }) => email,
	action: ({ action }) => action,
} as const satisfies Readonly<Record<string, (result: VerificationResult) => CsvCell>>;

export type ResultColumn = keyof typeof CELLS;
export const RESULT_COLUMNS = Object.keys(CELLS) as readonly ResultColumn[];

/** Takes the chosen columns out of cells in the order of `RESULT_COLUMNS`, in that order. */
export function chosenCells(cells: CsvRow, columns: readonly ResultColumn[]): CsvRow {
	return RESULT_COLUMNS.flatMap((name, at) => (columns.includes(name) ? [cells[at] ?? null] : []));
}

/** The cells of a result, in the order of `RESULT_COLUMNS`. */
export function resultCells(result: VerificationResult): CsvRow {
	return RESULT_COLUMNS.map((name) => CELLS[name](result));
}

/** The cells for a row whose address is malformed: it is never verified and never charged. */
export function malformedCells(fault: string, reason: string): CsvRow {
	return padded(['malformed', fault, null, null, reason], RESULT_COLUMNS.length);
}

/** The cells for a row with nothing to verify. */
export const NO_CELLS: CsvRow = padded([], RESULT_COLUMNS.length);

/** The row, filled up with nulls to `width` cells. */
export function padded(row: CsvRow, width: number): CsvRow {
	return row.length >= width ? row : [...row, ...Array.from({ length: width - row.length }, () => null)];
}

/** The names of our columns in a customer's file, different from all of the file's own. */
export function namesBeside(original: readonly string[], columns: readonly ResultColumn[] = RESULT_COLUMNS) {
	const taken = new Set(original.map((name) => name.trim().toLowerCase()));
	return RESULT_COLUMNS.filter((name) => columns.includes(name)).map((name) => {
		let free: string = name;
		for (let n = 1; taken.has(free); n += 1) free = n === 1 ? `mailsonar_${name}` : `mailsonar_${name}_${n}`;
		taken.add(free);
		return free;
	});
}
