import { describeFault, parseAddress } from '../../core/address/parse-address.ts';
import { NO_CELLS, malformedCells, namesBeside, padded, resultCells } from '../../core/csv/result-columns.ts';
import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { belongsTo } from '../../core/jobs/pages.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import type { FinalRow } from '../../core/jobs/stored-row.ts';
import { HeaderSplit } from '../../core/upload/choice.ts';
import { addressOf } from '../../core/upload/format.ts';
import { readPlace } from '../../core/upload/row-places.ts';
import { RowReader } from '../../core/upload/row-reader.ts';
import { assert } from '../../lib/assert.ts';
import { streamOf } from '../../lib/streams.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { JobRecord } from './port.ts';
import type { Clock } from '../../engine/ports.ts';
import { begun, fileNameOf, plainRows } from './steps/result-file.ts';
import type { Download, Results } from './steps/result-file.ts';
import { requireResults, resultsExpired, streamRows } from './steps/stored-results.ts';
import { RowsWithVerdicts } from './steps/verdicts-beside.ts';
import type { Octets, OriginalList, UploadBlobs } from '../uploads/port.ts';

export interface DownloadResultsServices {
	readonly clock: Clock;
	readonly jobBlobs: JobBlobs;
	readonly uploadBlobs: UploadBlobs;
}

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
	readonly list: ResultList;
	readonly repeats: Repeats;
}

/**
 * The results of a completed job as CSV: the rows of the customer's file with our columns appended or, for a job
 * without a file, one row per address. Throws as `readResults` does.
 */
export async function downloadResults(
	services: DownloadResultsServices,
	request: DownloadResultsRequest,
): Promise<Download> {
	const { job, list, repeats } = request;
	requireResults(job, services.clock.now());
	const original = await services.uploadBlobs.findOriginal(job.jobId);
	const fileName = fileNameOf(original?.fileName ?? job.name ?? job.jobId, list, 'csv');
	// Reads the first row now, so that an error at the start is reported before the first octet is sent.
	const results = await begun(streamRows(services, job, original === null ? list : 'all'));
	const rendered = new RowsWithVerdicts(services, job);
	if (original === null) return { fileName, body: streamOf(writeCsv(plainRows(results, rendered))) };
	const file = await services.uploadBlobs.readOriginal(job.jobId);
	if (file === null) throw resultsExpired(job);
	const belongs = repeats === 'kept' ? isInFile(list) : isFirstIn(list);
	const rows = originalRows(file, original, { finder: new ResultFinder(results), rendered, belongs });
	const delimiter = original.format.delimiter === ';' ? ';' : ',';
	return { fileName, body: streamOf(marked(writeCsv(rows, delimiter))) };
}

async function* originalRows(
	file: Octets,
	original: OriginalList,
	{ finder, rendered, belongs }: Finding,
): AsyncGenerator<CsvRow, void, undefined> {
	const reader = new RowReader(original.format);
	const split = new HeaderSplit(original);
	let row = 0;
	const rowsFor = async function* rowsFor(
		octets: Uint8Array | null,
	): AsyncGenerator<CsvRow, void, undefined> {
		for (const { cells } of split.dataOf(octets === null ? reader.end() : reader.push(octets))) {
			if (row === 0) yield headerOf(split.header, original);
			const found = await finder.find(original.places[row], addressOf(cells[original.column] ?? ''));
			row += 1;
			if (belongs(found)) yield [...padded(cells, original.columns), ...(await cellsOf(found, rendered))];
		}
	};
	for await (const octets of file) yield* rowsFor(octets);
	yield* rowsFor(null);
	assert(row === original.places.length, 'the file has as many rows as when it was started');
}

interface Finding {
	readonly finder: ResultFinder;
	readonly rendered: RowsWithVerdicts;
	readonly belongs: (found: Found) => boolean;
}

type Found =
	| { readonly kind: 'empty' }
	| { readonly kind: 'malformed'; readonly text: string }
	/** `isFirst`: no row before it has the same address. */
	| { readonly kind: 'result'; readonly row: FinalRow; readonly isFirst: boolean };

/**
 * Finds the results of a file's rows in one pass over both. A result is only kept if a later row repeats it, until that
 * row.
 */
class ResultFinder {
	readonly #results: Results;
	// In the stored form, which is a third of the size.
	readonly #kept = new Map<number, FinalRow>();
	#next = 0;

	constructor(results: Results) {
		this.#results = results;
	}

	async find(place: number | undefined, text: string): Promise<Found> {
		const read = readPlace(place);
		assert((read.kind === 'empty') === (text === ''), 'a row is empty as it was when the job was started');
		if (read.kind === 'empty') return read;
		if (read.kind === 'malformed') return { kind: 'malformed', text };
		const { index, again } = read;
		const isFirst = index === this.#next;
		const row = isFirst ? await this.#advance() : this.#kept.get(index);
		assert(row !== undefined, 'a result is met first by its first row');
		// A row with the result of another address would be worse than none.
		assert(isOf(row, text), 'a row has the result of its own address');
		if (again) this.#kept.set(index, row);
		else this.#kept.delete(index);
		return { kind: 'result', row, isFirst };
	}

	async #advance(): Promise<FinalRow | undefined> {
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

function isInFile(list: ResultList): (found: Found) => boolean {
	return (found) => list === 'all' || (found.kind === 'result' && belongsTo(found.row, list));
}

function isFirstIn(list: ResultList): (found: Found) => boolean {
	return (found) => found.kind === 'result' && found.isFirst && belongsTo(found.row, list);
}

async function cellsOf(found: Found, rendered: RowsWithVerdicts): Promise<CsvRow> {
	if (found.kind === 'empty') return NO_CELLS;
	if (found.kind === 'result') return resultCells(await rendered.render(found.row));
	const parsed = parseAddress(found.text);
	assert(!parsed.ok, 'what was malformed still is');
	return malformedCells(parsed.reason, describeFault(parsed.reason));
}

function headerOf(header: readonly string[] | null, { columns, column }: OriginalList): CsvRow {
	const names = Array.from({ length: columns }, (_, index) => {
		const name = header?.[index]?.trim() ?? '';
		if (name !== '') return name;
		return header === null && index === column ? 'email' : `column_${index + 1}`;
	});
	return [...names, ...namesBeside(names)];
}

async function* marked(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
	yield BYTE_ORDER_MARK;
	yield* pieces;
}
