import { ServiceError } from '../../errors.ts';

/** The largest file that we accept. */
export const FILE_OCTETS_MAX = 20 * 1024 * 1024;
/** The most non-empty rows, without the header: as many as a bulk job may have addresses. */
export const ROWS_MAX = 50_000;
// No spreadsheet has rows this long (a cell in Excel holds 32,767 characters), so a quotation mark was left open.
export const ROW_CHARS_MAX = 200_000;
export const COLUMNS_MAX = 500;
/** An upload that is not started is deleted after this time. */
export const UPLOAD_TTL_MS = 24 * 3_600_000;

const SAVE_AS_XLSX = 'Open it, save it as XLSX without a password, and upload that file.';

// Every zip archive begins with these octets, and so does every workbook.
const ZIP: readonly number[] = [0x50, 0x4b, 0x03, 0x04];

// The first octets of other kinds of files that people upload as lists.
const KINDS: readonly { readonly octets: readonly number[]; readonly says: string }[] = [
	{
		octets: [0xd0, 0xcf, 0x11, 0xe0],
		says: `This is an Excel workbook of the old kind (XLS), or one with a password. ${SAVE_AS_XLSX}`,
	},
	{
		octets: [0x25, 0x50, 0x44, 0x46],
		says: 'This is a PDF document, not a text file. Export the list as CSV where it comes from, and upload that file.',
	},
	{ octets: [0x1f, 0x8b], says: compressed('gzip') },
	{ octets: [0x37, 0x7a, 0xbc, 0xaf], says: compressed('7z') },
	{ octets: [0x52, 0x61, 0x72, 0x21], says: compressed('RAR') },
];

function compressed(how: string): string {
	return `This file is compressed (${how}). Unpack it and upload the CSV file inside.`;
}

/** The message for a file that is not text. */
export const NOT_TEXT = 'This is not a text file. Export the list as CSV (UTF-8) and upload that file.';

/** The message without the advice to upload the file again, for callers who upload nothing. */
export function withoutUpload(message: string): string {
	return message.replaceAll(/,? and upload (?:the|that) (?:CSV )?file(?: inside| again)?/g, '');
}

/** Whether a file is a zip archive, as XLSX workbooks are. */
export function isArchive(file: Uint8Array): boolean {
	return ZIP.every((octet, index) => file[index] === octet);
}

/** Throws `ServiceError` for a file whose kind rules out a list. */
export function refuseUnreadable(file: Uint8Array): void {
	if (file.length === 0) throw refusal('The file is empty. Choose a file with one address a row.');
	if (file.length > FILE_OCTETS_MAX) {
		const megabytes = (file.length / 1024 / 1024).toFixed(1);
		throw refusal(
			`The file has ${megabytes} MB; a list can have 20 MB. Keep only the columns you need, or split it.`,
		);
	}
	for (const { octets, says } of KINDS) {
		if (octets.every((octet, index) => file[index] === octet)) throw refusal(says);
	}
}

/** The error for a file without a column of addresses. */
export class NoAddresses extends ServiceError {
	constructor(message: string) {
		super('unusable_file', message);
	}
}

/** The error for an unusable file: `message` says what is wrong with it and what to do. */
export function refusal(message: string): ServiceError {
	return new ServiceError('unusable_file', message);
}
