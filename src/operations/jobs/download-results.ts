import { describeFault, parseAddress } from '../../core/address/parse-address.ts';
import { verifiedName } from '../../core/csv/download-name.ts';
import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import {
	NO_CELLS,
	chosenCells,
	malformedCells,
	namesBeside,
	padded,
	resultCells,
} from '../../core/csv/result-columns.ts';
import type { ResultColumn } from '../../core/csv/result-columns.ts';
import { isOpen, matcherOf, renderListed } from '../../core/jobs/report/listed-row.ts';
import type { ListedRow, RowFilter } from '../../core/jobs/report/listed-row.ts';
import type { FinalRow } from '../../core/jobs/stored-row.ts';
import type { OriginalList } from '../../core/upload/upload.ts';
import { addressOf, bareText } from '../../core/upload/format.ts';
import { readPlace } from '../../core/upload/list-rows.ts';
import { RowReader } from '../../core/upload/text.ts';
import { writeXlsx } from '../../core/xlsx/write-xlsx.ts';
import { assert } from '../../lib/assert.ts';
import { streamOf } from '../../lib/streams.ts';
import type { JobRecord } from './port.ts';
import { listedRows, requireResults, resultsExpired } from './steps/stored-results.ts';
import { begun } from './export-results.ts';
import type { Download } from './export-results.ts';
import type { Services } from '../../services.ts';
import type { ReadResultsServices } from './steps/stored-results.ts';

type Listed = AsyncGenerator<ListedRow, void, undefined>;

export const FILE_FORMATS = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

// Without it, spreadsheets take UTF-8 for Windows-1252. Only for people's files: programs would read it as part of the
// first column's name.
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Which rows of a file to include besides the first of each address. `kept`: repetitions, with the same result, and in
 * the whole list also rows with a malformed or no address. `left_out`: none, so as many rows as the list has.
 */
export type Repeats = 'kept' | 'left_out';

export interface DownloadResultsRequest {
	readonly job: JobRecord;
	readonly filter: RowFilter;
	readonly repeats: Repeats;
	/** Ours, beside those of the file. */
	readonly columns: readonly ResultColumn[];
	readonly format: FileFormat;
}

/**
 * The results of a completed job as a file for people, with what the last catch-all check found out: the rows of the customer's file
 * in its order with the chosen columns appended or, for a job without a file, one row per address. Throws as
 * `readResults` does.
 */
export async function downloadResults(
	services: ReadResultsServices & Pick<Services, 'uploadBlobs'>,
	request: DownloadResultsRequest,
): Promise<Download> {
	const { job, filter, format } = request;
	requireResults(job, services.clock.now());
	const original = await services.uploadBlobs.findOriginal(job.jobId);
	const fileName = verifiedName(original?.fileName ?? job.name ?? job.jobId, filter, format);
	// Reads the first row now, so that an error at the start is reported before the first octet is sent.
	const results = await begun(listedRows(services, job));
	if (original === null) {
		const rows = plainRows(results, request);
		return { fileName, body: streamOf(format === 'xlsx' ? writeXlsx(rows) : writeCsv(rows)) };
	}
	const file = await services.uploadBlobs.readOriginal(job.jobId);
	if (file === null) throw resultsExpired(job);
	const rows = originalRows(file, original, { finder: new ResultFinder(results), request });
	if (format === 'xlsx') return { fileName, body: streamOf(writeXlsx(rows)) };
	const delimiter = original.format.delimiter === ';' ? ';' : ',';
	return { fileName, body: streamOf(marked(writeCsv(rows, delimiter))) };
}

/** One row per address that passes the filter, below the names of the columns. */
async function* plainRows(
	results: Listed,
	{ filter, columns }: DownloadResultsRequest,
): AsyncGenerator<CsvRow, void, undefined> {
	const matches = matcherOf(filter);
	yield ['email', ...namesBeside([], columns)];
	for await (const row of results) {
		if (matches(row)) yield [row.row[1], ...chosenCells(resultCells(renderListed(row)), columns)];
	}
}

async function* originalRows(
	file: AsyncIterable<Uint8Array>,
	original: OriginalList,
	{ finder, request }: { readonly finder: ResultFinder; readonly request: DownloadResultsRequest },
): AsyncGenerator<CsvRow, void, undefined> {
	const { columns } = request;
	const belongs = belongingOf(request);
	const reader = new RowReader(original.format, original.hasHeader);
	let row = 0;
	const rowsFor = async function* rowsFor(
		octets: Uint8Array | null,
	): AsyncGenerator<CsvRow, void, undefined> {
		for (const { cells } of octets === null ? reader.end() : reader.push(octets)) {
			if (row === 0) yield headerOf(reader.header, original, columns);
			const found = await finder.find(original.places[row], cells[original.column] ?? '');
			row += 1;
			if (belongs(found)) yield [...padded(cells, original.columns), ...chosenCells(cellsOf(found), columns)];
		}
	};
	for await (const octets of file) yield* rowsFor(octets);
	yield* rowsFor(null);
	assert(row === original.places.length, 'the file has as many rows as when it was started');
}

type Found =
	| { readonly kind: 'empty' }
	| { readonly kind: 'malformed'; readonly text: string }
	/** `isFirst`: no row before it has the same address. */
	| { readonly kind: 'result'; readonly row: ListedRow; readonly isFirst: boolean };

/**
 * Finds the results of a file's rows in one pass over both. A result is only kept if a later row repeats it, until that
 * row.
 */
class ResultFinder {
	readonly #results: Listed;
	// In the stored form, which is a third of the size.
	readonly #kept = new Map<number, ListedRow>();
	#next = 0;

	constructor(results: Listed) {
		this.#results = results;
	}

	async find(place: number | undefined, cell: string): Promise<Found> {
		const read = readPlace(place);
		const text = addressOf(cell);
		assert((read.kind === 'empty') === (text === ''), 'a row is empty as it was when the job was started');
		if (read.kind === 'empty') return read;
		if (read.kind === 'malformed') return { kind: 'malformed', text: bareText(cell) };
		const { index, again } = read;
		const isFirst = index === this.#next;
		const row = isFirst ? await this.#advance() : this.#kept.get(index);
		assert(row !== undefined, 'a result is met first by its first row');
		// A row with the result of another address would be worse than none.
		assert(isOf(row.row, text), 'a row has the result of its own address');
		if (again) this.#kept.set(index, row);
		else this.#kept.delete(index);
		return { kind: 'result', row, isFirst };
	}

	async #advance(): Promise<ListedRow | undefined> {
		this.#next += 1;
		const next = await this.#results.next();
		return next.done === true ? undefined : next.value;
	}
}

function isOf([, email]: FinalRow, text: string): boolean {
	const [typed, stored] = [parseAddress(text), parseAddress(email)];
	if (!typed.ok || !stored.ok || typed.address.domain !== stored.address.domain) return false;
	return typed.address.localPart.toLowerCase() === stored.address.localPart.toLowerCase();
}

function belongingOf({ filter, repeats }: DownloadResultsRequest): (found: Found) => boolean {
	const matches = matcherOf(filter);
	const isWhole = repeats === 'kept' && isOpen(filter);
	return (found) => {
		if (found.kind !== 'result') return isWhole;
		return (repeats === 'kept' || found.isFirst) && matches(found.row);
	};
}

function cellsOf(found: Found): CsvRow {
	if (found.kind === 'empty') return NO_CELLS;
	if (found.kind === 'result') return resultCells(renderListed(found.row));
	const parsed = parseAddress(found.text);
	assert(!parsed.ok, 'what was malformed still is');
	return malformedCells(parsed.reason, describeFault(parsed.reason, found.text));
}

function headerOf(
	header: readonly string[] | null,
	{ columns, column }: OriginalList,
	ours: readonly ResultColumn[],
): CsvRow {
	const names = Array.from({ length: columns }, (_, index) => {
		const name = header?.[index]?.trim() ?? '';
		if (name !== '') return name;
		return header === null && index === column ? 'email' : `column_${index + 1}`;
	});
	return [...names, ...namesBeside(names, ours)];
}

async function* marked(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
	yield BYTE_ORDER_MARK;
	yield* pieces;
}
