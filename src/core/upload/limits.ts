/** The largest file we take. */
export const FILE_OCTETS_MAX = 20 * 1024 * 1024;
/** Rows with anything in them, without the header: as many as a bulk job has addresses. */
export const ROWS_MAX = 50_000;
// No spreadsheet holds a row this long (a cell of Excel's ends at 32,767), so a quotation mark was left open.
export const ROW_CHARS_MAX = 200_000;
export const COLUMNS_MAX = 500;
/** An upload that nobody started is gone after this time. */
export const UPLOAD_TTL_MS = 24 * 3_600_000;
