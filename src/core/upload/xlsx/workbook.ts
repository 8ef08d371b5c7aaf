import type { Steps } from '../../../lib/slots.ts';
import { refusal, FILE_OCTETS_MAX } from '../file-kind.ts';
import { shown } from '../format.ts';
import { patternOf, RichText } from './cell-text.ts';
import { readXml, TOO_LARGE } from './xml.ts';
import type { Allowance, XmlReader } from './xml.ts';
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

// Octets that we unpack of one workbook: sheets of 50,000 rows with thirty columns have about 100 MB.
const UNPACKED_MAX = 160 * 1024 * 1024;
/** Different texts of a workbook: eight columns of them in 50,000 rows. Some 60 MB of heap hold them. */
export const TEXTS_MAX = 400_000;
const FORMATS_MAX = 70_000;
// A workbook also lists hidden sheets, charts and styles: some hundred at most.
const LISTED_MAX = 2_000;
const SAVE_AS = 'Save the sheet as XLSX or CSV, and upload that file.';

/** Opens an XLSX workbook (ECMA-376): its sheets, and what their cells refer to. Throws `ServiceError`. */
export function* openWorkbook(file: Uint8Array): Steps<Workbook> {
	const entries = readDirectory(file);
	const path = mainPartOf(entries);
	const allowance = { left: UNPACKED_MAX };
	const read = function* (entry: ZipEntry | undefined, reader: XmlReader): Steps<void> {
		if (entry !== undefined) yield* readXml(file, entry, { allowance, reader });
	};
	const listed: { readonly name: string; readonly relation: string }[] = [];
	let countsFrom1904 = false;
	yield* read(entries.get(path), {
		open: (name, attribute) => {
			if (name === 'workbookPr') countsFrom1904 = /^(?:1|true|on)$/.test(attribute('date1904') ?? '');
			if (name !== 'sheet' || /hidden/i.test(attribute('state') ?? '')) return;
			if (listed.length >= LISTED_MAX) throw refusal(DAMAGED);
			listed.push({ name: shown(attribute('name') ?? ''), relation: attribute('id') ?? '' });
		},
	});
	const targets = new Map<string, { readonly type: string; readonly target: string }>();
	const at = path.lastIndexOf('/') + 1;
	yield* read(entries.get(`${path.slice(0, at)}_rels/${path.slice(at)}.rels`), {
		open: (name, attribute) => {
			if (name !== 'Relationship') return;
			if (targets.size >= LISTED_MAX) throw refusal(DAMAGED);
			const type = (attribute('Type') ?? '').replace(/^.*\//, '');
			targets.set(attribute('Id') ?? '', { type, target: attribute('Target') ?? '' });
		},
	});
	const partOf = (type: string): ZipEntry | undefined => {
		const target = [...targets.values()].find((each) => each.type === type)?.target;
		return target === undefined ? undefined : entries.get(pathOf(path, target));
	};
	const patterns: (string | null)[] = [];
	yield* read(partOf('styles'), stylesReader(patterns));
	const shared: string[] = [];
	yield* read(partOf('sharedStrings'), sharedReader(shared));
	const sheets = listed.flatMap(({ name, relation }): readonly Sheet[] => {
		const found = targets.get(relation);
		// Others are charts and dialogs.
		const entry = found?.type === 'worksheet' ? entries.get(pathOf(path, found.target)) : undefined;
		return entry === undefined ? [] : [{ name, entry }];
	});
	if (sheets.length === 0) throw refusal('This Excel workbook has no sheet with rows.');
	return { sheets, patterns, countsFrom1904, shared, allowance };
}

function mainPartOf(entries: ReadonlyMap<string, ZipEntry>): string {
	const path = [...entries.keys()].find((each) => /(?:^|\/)workbook\d*\.xml$/.test(each));
	if (path !== undefined) return path;
	if (entries.has('xl/workbook.bin')) throw refusal(`This is a binary Excel workbook (XLSB). ${SAVE_AS}`);
	if (entries.has('content.xml')) throw refusal(`This is an OpenDocument file. ${SAVE_AS}`);
	throw refusal('This is a zip archive, and no Excel workbook (XLSX). Unpack it and upload the list inside.');
}

/** The target of a relationship of the part at `path`, as a name in the archive. */
function pathOf(path: string, target: string): string {
	const from = target.startsWith('/') ? '' : path.slice(0, path.lastIndexOf('/') + 1);
	const steps: string[] = [];
	for (const step of `${from}${target}`.toLowerCase().split('/')) {
		if (step === '..') steps.pop();
		else if (step !== '' && step !== '.') steps.push(step);
	}
	return steps.join('/');
}

/** Reads the pattern of each cell format. */
function stylesReader(patterns: (string | null)[]): XmlReader {
	const inFile = new Map<number, string>();
	let inCellFormats = false;
	return {
		open: (name, attribute) => {
			if (name === 'cellXfs') inCellFormats = true;
			if (inFile.size >= FORMATS_MAX || patterns.length >= FORMATS_MAX) throw refusal(DAMAGED);
			if (name === 'numFmt') inFile.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '');
			else if (name === 'xf' && inCellFormats)
				patterns.push(patternOf(Number(attribute('numFmtId') ?? 0), inFile));
		},
		close: (name) => {
			if (name === 'cellXfs') inCellFormats = false;
		},
	};
}

/** Reads the texts that cells share. Throws `ServiceError` for more of them than a list can have. */
function sharedReader(texts: string[]): XmlReader {
	const rich = new RichText();
	let chars = 0;
	return {
		open: (name) => (name === 'si' ? rich.begin() : rich.open(name)),
		text: (text) => rich.add(text),
		close: (name) => {
			rich.close(name);
			if (name !== 'si') return;
			const text = rich.end();
			chars += text.length;
			if (texts.length >= TEXTS_MAX || chars > FILE_OCTETS_MAX) throw refusal(TOO_LARGE);
			texts.push(text);
		},
	};
}
