import type { VerificationResult } from '../verification/render.ts';
import type { CsvRow } from './write.ts';

/**
 * The columns of a result, named like the API's fields. In the customer's own file, `namesBeside` keeps them apart
 * from the file's own names.
 */
export const RESULT_COLUMNS = [
	'status',
	'sub_status',
	'score',
	'risk_level',
	'reason',
	'did_you_mean',
	'free_email',
	'role_account',
	'disposable',
	'catch_all',
	'has_plus_tag',
	'mailbox_full',
	'no_reply',
	'smtp_provider',
	'gateway',
	'mx_record',
	'verified_at',
	'catch_all_score',
	'catch_all_verdict',
	'privacy_relay',
	'gibberish',
	'canonical_email',
	'action',
] as const;

export type ResultColumn = (typeof RESULT_COLUMNS)[number];

/** Takes the chosen columns out of cells in the order of `RESULT_COLUMNS`, in that order. */
export function chosenCells(cells: CsvRow, columns: readonly ResultColumn[]): CsvRow {
	return RESULT_COLUMNS.flatMap((name, at) => (columns.includes(name) ? [cells[at] ?? null] : []));
}

/** The cells of a result, in the order of `RESULT_COLUMNS`. */
export function resultCells(result: VerificationResult): CsvRow {
	const { general, attributes, mail_server: server, sub_status: subStatus } = result.details;
	return [
		result.status,
		subStatus,
		result.deliverability_score,
		result.risk_level,
		general.reason,
		result.did_you_mean,
		attributes.free_email,
		attributes.role_account,
		attributes.disposable,
		attributes.catch_all,
		attributes.has_plus_tag,
		attributes.mailbox_full,
		attributes.no_reply,
		server.smtp_provider,
		server.gateway,
		server.mx_record ?? server.implicit_mx,
		result.verified_at,
		result.catch_all_score ?? null,
		result.catch_all_verdict ?? null,
		attributes.privacy_relay,
		attributes.gibberish,
		result.canonical_email,
		result.action,
	];
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
export function namesBeside(
	original: readonly string[],
	columns: readonly ResultColumn[] = RESULT_COLUMNS,
): readonly string[] {
	const taken = new Set(original.map((name) => name.trim().toLowerCase()));
	return RESULT_COLUMNS.filter((name) => columns.includes(name)).map((name) => {
		let free: string = name;
		for (let n = 1; taken.has(free); n += 1) free = n === 1 ? `mailsonar_${name}` : `mailsonar_${name}_${n}`;
		taken.add(free);
		return free;
	});
}
