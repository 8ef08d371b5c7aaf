/** The largest file that we accept. */
export const FILE_OCTETS_MAX = 20 * 1024 * 1024;
/** The most non-empty rows, without the header: as many as a bulk job may have addresses. */
export const ROWS_MAX = 50_000;
// No spreadsheet has rows this long (a cell in Excel holds 32,767 characters), so a quotation mark was left open.
export const ROW_CHARS_MAX = 200_000;
export const COLUMNS_MAX = 500;
/** An upload that is not started is deleted after this time. */
export const UPLOAD_TTL_MS = 24 * 3_600_000;
