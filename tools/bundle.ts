import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Built } from './build.ts';

const KB = 1024;
/** A place in a built file: its name, row and column, from 1. */
export const FRAME = /((?:split\/)?[\w-]+\.js):(\d+):(\d+)/;

interface Size {
	readonly raw: number;
	readonly zipped: number;
}

/** The KB of what a build made, as they are and gzipped, each file by itself: all, and what each start reads. */
export function bundleSize(built: Built): { readonly all: Size; readonly start: Size } {
	const scripts = Object.keys(built).filter((path) => path.endsWith('.js'));
	return { all: sizeOf(scripts), start: sizeOf([...readAtStart(built)]) };
}

function sizeOf(paths: readonly string[]): Size {
	const files = paths.map((path) => readFileSync(path));
	const octets = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0) / KB;
	return {
		raw: octets(files.map((file) => file.length)),
		zipped: octets(files.map((file) => gzipSync(file).length)),
	};
}

/** The files that each start reads: the first one and all that they import, but not what is imported on demand. */
export function readAtStart(built: Built): ReadonlySet<string> {
	const found = new Set(Object.keys(built).filter((path) => built[path]?.entryPoint === 'src/index.ts'));
	for (const path of found)
		for (const { kind, external, path: imported } of built[path]?.imports ?? [])
			if (kind === 'import-statement' && external !== true) found.add(imported);
	return found;
}

/** Says for a frame in a built file which of our lines it is. Lines without such a frame stay as they are. */
export function frameReader(folder: string): (line: string) => string {
	const maps = new Map<string, SourceMap | null>();
	const mapOf = (name: string): SourceMap | null => {
		const file = join(folder, `${name}.map`);
		if (!maps.has(name))
			maps.set(name, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null);
		return maps.get(name) ?? null;
	};
	return (line) => {
		const [, name, row, column] = FRAME.exec(line) ?? [];
		if (name === undefined) return line;
		const entry = mapOf(name)?.findEntry(Number(row) - 1, Number(column) - 1);
		if (entry === undefined || !('originalSource' in entry)) return line;
		const source = entry.originalSource.replace(/^.*?(?=(?:src|node_modules)\/)/, '');
		return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
	};
}
