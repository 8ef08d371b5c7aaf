import { Inflate } from 'fflate';
import { refusal } from '../file-kind.ts';

/** A part of a zip archive. */
export interface ZipEntry {
	/** Octets in the archive. */
	readonly packed: number;
	readonly method: number;
	/** The offset of its local header. */
	readonly at: number;
}

/** A workbook has some dozens of parts; one with a picture in each row some thousand. */
export const ENTRIES_MAX = 10_000;
/** The message for an archive, or a part of it, that can't be read. */
export const DAMAGED =
	'This Excel workbook is damaged. Open it in a spreadsheet program, save it again, and upload that file.';

// PKWARE APPNOTE 6.3.10, §4.3.
const END_MARK = 0x06054b50;
const END_OCTETS = 22;
const COMMENT_MAX = 0xffff;
const ENTRY_MARK = 0x02014b50;
const ENTRY_OCTETS = 46;
const LOCAL_MARK = 0x04034b50;
const LOCAL_OCTETS = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
// One octet of deflated data inflates to 1,032 at most, so a slice never becomes more than some megabytes.
const SLICE_OCTETS = 4 * 1024;

/**
 * Reads the parts of a zip archive, by name, from its central directory. Local headers may contradict it, and often
 * lack sizes. Throws `ServiceError` for a damaged archive. Zip64 is for files beyond 4 GB.
 */
export function readDirectory(file: Uint8Array): ReadonlyMap<string, ZipEntry> {
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	const end = findEnd(view);
	const count = view.getUint16(end + 10, true);
	if (count > ENTRIES_MAX) throw refusal(DAMAGED);
	const entries = new Map<string, ZipEntry>();
	let at = view.getUint32(end + 16, true);
	for (let n = 0; n < count; n += 1) {
		if (at + ENTRY_OCTETS > end || view.getUint32(at, true) !== ENTRY_MARK) throw refusal(DAMAGED);
		if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) throw refusal(PROTECTED);
		const nameOctets = view.getUint16(at + 28, true);
		const name = new TextDecoder().decode(file.subarray(at + ENTRY_OCTETS, at + ENTRY_OCTETS + nameOctets));
		// Names are compared without case (ECMA-376-2 §6.2.2.3).
		entries.set(name.replace(/^\//, '').toLowerCase(), {
			method: view.getUint16(at + 10, true),
			packed: view.getUint32(at + 20, true),
			at: view.getUint32(at + 42, true),
		});
		at += ENTRY_OCTETS + nameOctets + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
	}
	return entries;
}

/** The message for an archive that needs a password. */
const PROTECTED = 'This file needs a password to be opened. Save it without one, and upload that file.';

function findEnd(view: DataView): number {
	const least = Math.max(0, view.byteLength - END_OCTETS - COMMENT_MAX);
	for (let at = view.byteLength - END_OCTETS; at >= least; at -= 1)
		if (view.getUint32(at, true) === END_MARK) return at;
	throw refusal(DAMAGED);
}

/**
 * Unpacks a part, piece by piece. The caller counts the octets and stops at its limit, because the archive's own
 * figures can't be trusted.
 */
export function* unpack(file: Uint8Array, { at, packed, method }: ZipEntry): Generator<Uint8Array> {
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	if (at + LOCAL_OCTETS > file.length || view.getUint32(at, true) !== LOCAL_MARK) throw refusal(DAMAGED);
	const from = at + LOCAL_OCTETS + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
	const until = from + packed;
	if (until > file.length || (method !== STORED && method !== DEFLATED)) throw refusal(DAMAGED);
	const pieces: Uint8Array[] = [];
	let ended = false;
	const inflate = new Inflate((piece, isLast) => {
		pieces.push(piece);
		ended ||= isLast;
	});
	for (let sliceAt = from; sliceAt < until; sliceAt += SLICE_OCTETS) {
		const sliceEnd = Math.min(until, sliceAt + SLICE_OCTETS);
		const slice = file.subarray(sliceAt, sliceEnd);
		if (method === STORED) {
			yield slice;
			continue;
		}
		try {
			inflate.push(slice, sliceEnd === until);
		} catch {
			throw refusal(DAMAGED);
		}
		yield* pieces.splice(0);
	}
	if (method === DEFLATED && !ended) throw refusal(DAMAGED);
}
