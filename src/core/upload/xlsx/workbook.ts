import type { Steps } from '../../../lib/slots.ts';
import { refusal } from '../file-kind.ts';
import { shown } from '../format.ts';
import { patternOf, SharedText } from './cell-text.ts';
import { Allowance, readXml } from './xml.ts';
import type { XmlReader } from './xml.ts';
import { DAMAGED, readDirectory } from './zip.ts';
import type { ZipEntry } from './zip.ts';

/** A sheet that people see. */
export interface Sheet {
	readonly name: string;
	readonly entry: ZipEntry;
}

/** All that is needed to read the sheets of a workbook. */
export interface Workbook {
	readonly sheets: readonly Sheet[];
	/** The pattern of each cell format; null: numbers are shown as they are. */
	readonly patterns: readonly (string | null)[];
	readonly countsFrom1904: boolean;
	readonly shared: readonly string[];
	readonly allowance: Allowance;
}

/** Octets that we unpack of one workbook: sheets of 50,000 rows with thirty columns have about 100 MB. */
export const UNPACKED_MAX = 160 * 1024 * 1024;
/** Sheets that can be chosen from. */
export const SHEETS_MAX = 50;
const FORMATS_MAX = 70_000;
// A workbook also lists hidden sheets, charts and styles: some hundred at most.
const LISTED_MAX = 2_000;
const SAVE_AS = 'Save the sheet as XLSX or CSV, and upload that file.';

/** Opens an XLSX workbook (ECMA-376): its sheets, and what their cells refer to. Throws `ServiceError`. */
export function* openWorkbook(file: Uint8Array): Steps<Workbook> {
	const entries = readDirectory(file);
	const main = mainPartOf(entries);
	const allowance = new Allowance(UNPACKED_MAX);
	const read = function* (entry: ZipEntry | undefined, reader: XmlReader): Steps<void> {
		if (entry !== undefined) yield* readXml(file, entry, { allowance, reader });
	};
	const book = new BookReader();
	yield* read(main.entry, book);
	const targets = new RelationsReader();
	yield* read(entries.get(`${main.folder}_rels/${main.name}.rels`), targets);
	const entryOf = (target: string | undefined): ZipEntry | undefined =>
		target === undefined ? undefined : entries.get(pathOf(main.folder, target));
	const styles = new StylesReader();
	yield* read(entryOf(targets.firstOf('styles')), styles);
	const shared = new SharedText();
	yield* read(entryOf(targets.firstOf('sharedStrings')), shared);
	const sheets: Sheet[] = [];
	for (const { name, relation } of book.sheets) {
		const target = targets.byId.get(relation);
		// Others are charts and dialogs.
		const entry = target?.type === 'worksheet' ? entryOf(target.target) : undefined;
		if (entry !== undefined && sheets.length < SHEETS_MAX) sheets.push({ name, entry });
	}
	if (sheets.length === 0) throw refusal('This Excel workbook has no sheet with rows.');
	const { countsFrom1904 } = book;
	return { sheets, patterns: styles.patterns, countsFrom1904, shared: shared.texts, allowance };
}

interface MainPart {
	readonly entry: ZipEntry;
	readonly folder: string;
	readonly name: string;
}

function mainPartOf(entries: ReadonlyMap<string, ZipEntry>): MainPart {
	const path = [...entries.keys()].find((each) => /(?:^|\/)workbook\d*\.xml$/.test(each));
	const entry = path === undefined ? undefined : entries.get(path);
	if (path === undefined || entry === undefined) {
		if (entries.has('xl/workbook.bin')) throw refusal(`This is a binary Excel workbook (XLSB). ${SAVE_AS}`);
		if (entries.has('content.xml')) throw refusal(`This is an OpenDocument file. ${SAVE_AS}`);
		throw refusal(
			'This is a zip archive, and no Excel workbook (XLSX). Unpack it and upload the list inside.',
		);
	}
	const folder = path.slice(0, path.lastIndexOf('/') + 1);
	return { entry, folder, name: path.slice(folder.length) };
}

/** The target of a relationship, as a name in the archive. */
function pathOf(folder: string, target: string): string {
	const steps = (target.startsWith('/') ? target : `/${folder}${target}`).toLowerCase().split('/');
	const path: string[] = [];
	for (const step of steps) {
		if (step === '..') path.pop();
		else if (step !== '' && step !== '.') path.push(step);
	}
	return path.join('/');
}

class BookReader implements XmlReader {
	readonly sheets: { readonly name: string; readonly relation: string }[] = [];
	countsFrom1904 = false;

	readonly open = (name: string, attribute: (name: string) => string | undefined): void => {
		if (name === 'workbookPr') this.countsFrom1904 = /^(?:1|true|on)$/.test(attribute('date1904') ?? '');
		if (name !== 'sheet' || /hidden/i.test(attribute('state') ?? '')) return;
		if (this.sheets.length >= LISTED_MAX) throw refusal(DAMAGED);
		this.sheets.push({ name: shown(attribute('name') ?? ''), relation: attribute('id') ?? '' });
	};
}

class RelationsReader implements XmlReader {
	readonly byId = new Map<string, { readonly type: string; readonly target: string }>();

	readonly open = (name: string, attribute: (name: string) => string | undefined): void => {
		if (name !== 'Relationship') return;
		if (this.byId.size >= LISTED_MAX) throw refusal(DAMAGED);
		const type = attribute('Type') ?? '';
		const target = attribute('Target') ?? '';
		this.byId.set(attribute('Id') ?? '', { type: type.slice(type.lastIndexOf('/') + 1), target });
	};

	firstOf(type: string): string | undefined {
		return [...this.byId.values()].find((each) => each.type === type)?.target;
	}
}

class StylesReader implements XmlReader {
	readonly patterns: (string | null)[] = [];
	readonly #formats = new Map<number, string>();
	#inCellFormats = false;

	readonly open = (name: string, attribute: (name: string) => string | undefined): void => {
		if (name === 'numFmt') {
			if (this.#formats.size >= FORMATS_MAX) throw refusal(DAMAGED);
			this.#formats.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '');
		} else if (name === 'cellXfs') this.#inCellFormats = true;
		else if (name === 'xf' && this.#inCellFormats) {
			if (this.patterns.length >= FORMATS_MAX) throw refusal(DAMAGED);
			this.patterns.push(patternOf(Number(attribute('numFmtId') ?? 0), this.#formats));
		}
	};

	readonly close = (name: string): void => {
		if (name === 'cellXfs') this.#inCellFormats = false;
	};
}
