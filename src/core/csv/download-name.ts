import { isByStatus, isOpen } from '../jobs/report/listed-row.ts';
import type { RowFilter } from '../jobs/report/listed-row.ts';

// Characters that file systems don't accept in a name, and that a header must not contain. People read the name, so
// letters of all scripts stay.
const UNFIT = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}/\\:*?"<>|]+/gu;
/** The ending of the name of a file that people bring as a list. */
export const EXTENSION = /\.(?:csv|txt|tsv|xlsx?)$/i;
// With four octets a letter and the endings, below the 255 octets that file systems allow.
const LETTERS_MAX = 55;

/**
 * The download name of a list's file: `customers-2026-verified.csv`, or `…-verified-risky.csv` for some of its rows.
 */
export function verifiedName(listName: string, filter: RowFilter, extension: string): string {
	const plain = listName.replace(EXTENSION, '').replace(UNFIT, '-').toWellFormed();
	const base = Array.from(plain)
		.slice(0, LETTERS_MAX)
		.join('')
		.replaceAll(/^[\s.-]+|(?<![\s.-])[\s.-]+$/g, '');
	return `${base === '' ? 'list' : base}-verified${suffixOf(filter)}.${extension}`;
}

function suffixOf(filter: RowFilter): string {
	if (isOpen(filter)) return '';
	const { status } = filter;
	return status === null || !isByStatus(filter) ? '-selection' : `-${status.replace('_', '-')}`;
}

/** The value of the header `Content-Disposition` that saves an answer under a name (RFC 6266 §4.3, RFC 8187 §3.2). */
export function contentDisposition(fileName: string): string {
	const plain = fileName.replaceAll(/[^A-Za-z0-9._ -]+/g, '-');
	const encoded = encodeURIComponent(fileName).replaceAll(
		/['()*!]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
