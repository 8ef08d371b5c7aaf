import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Built } from '../../tools/build.ts';

const KB = 1024;

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
