import { ServiceError } from '../../errors.ts';
import { FILE_OCTETS_MAX } from './limits.ts';

const SAVE_AS_CSV = 'Open it, save it as CSV (UTF-8), and upload that file.';

// The first octets of other kinds of files that people upload as lists.
const KINDS: readonly { readonly octets: readonly number[]; readonly says: string }[] = [
	{
		octets: [0x50, 0x4b],
		says: `This is an Excel workbook (XLSX) or another zip archive, not a text file. ${SAVE_AS_CSV}`,
	},
	{
		octets: [0xd0, 0xcf, 0x11, 0xe0],
		says: `This is an Excel workbook (XLS), not a text file. ${SAVE_AS_CSV}`,
	},
	{
		octets: [0x25, 0x50, 0x44, 0x46],
		says: 'This is a PDF document, not a text file. Export the list as CSV where it comes from, and upload that file.',
	},
	{ octets: [0x1f, 0x8b], says: 'This file is compressed (gzip). Unpack it and upload the CSV file inside.' },
	{
		octets: [0x37, 0x7a, 0xbc, 0xaf],
		says: 'This file is compressed (7z). Unpack it and upload the CSV file inside.',
	},
	{
		octets: [0x52, 0x61, 0x72, 0x21],
		says: 'This file is compressed (RAR). Unpack it and upload the CSV file inside.',
	},
];

/** The message for a file that is not text. */
export const NOT_TEXT = 'This is not a text file. Export the list as CSV (UTF-8) and upload that file.';

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

/** The error for an unusable file: `message` says what is wrong with it and what to do. */
export function refusal(message: string): ServiceError {
	return new ServiceError('unusable_file', message);
}
