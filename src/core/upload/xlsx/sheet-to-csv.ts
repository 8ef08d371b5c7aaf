import type { Steps } from '../../../lib/steps.ts';
import { CsvText } from '../csv-text.ts';
import { refusal } from '../file-kind.ts';
import { SheetRows } from './sheet-rows.ts';
import type { Sheet, Workbook } from './workbook.ts';
import { readXml } from './xml.ts';

/**
 * Writes a sheet as CSV, each row with its number, so that the code for text files can read it. Throws `ServiceError`
 * for too many rows, or for more text than a file can have.
 */
export function* sheetToCsv(file: Uint8Array, book: Workbook, sheet: Sheet): Steps<Uint8Array> {
	const reader = new SheetRows(book);
	const text = new CsvText();
	let written = 0;
	const take = (): void => {
		for (const { number, cells } of reader.rows.splice(0)) {
			text.skip(number - written - 1);
			text.write(cells);
			written = number;
		}
	};
	yield* readXml(file, sheet.entry, { allowance: book.allowance, reader }, () => {
		take();
		return reader.isTooLong;
	});
	if (reader.isTooLong) {
		throw refusal(
			`The sheet “${sheet.name}” has more than 50,000 rows, the most that a list can have. Split it into several files.`,
		);
	}
	take();
	return text.end();
}
