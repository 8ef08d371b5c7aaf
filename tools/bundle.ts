import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WRANGLER, WRANGLER_ENVIRONMENT } from './wrangler-dev.ts';

const KB = 1024;
const FRAME = /index\.js:(\d+):(\d+)/;

/** Runs wrangler to its end. Throws with what it wrote if it fails. */
export function runWrangler(...words: readonly string[]): void {
	const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...words], {
		encoding: 'utf8',
		env: { ...process.env, ...WRANGLER_ENVIRONMENT },
	});
	if (status !== 0) throw new Error(`wrangler ${words.join(' ')} failed:\n${stdout}${stderr}`);
}

/** Writes to a folder what a deploy would upload. */
export function buildBundle(folder: string): void {
	runWrangler('deploy', '--dry-run', '--outdir', folder);
}

/** The KB of a bundle, as they are and gzipped, each file by itself. */
export function bundleSize(folder: string): { raw: number; zipped: number } {
	// Source maps are uploaded, but no isolate reads them. Wrangler writes the README; the guides are ours.
	const files = readdirSync(folder)
		.filter((name) => !name.endsWith('.map') && name !== 'README.md')
		.map((name) => readFileSync(join(folder, name)));
	const octets = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0) / KB;
	return {
		raw: octets(files.map((file) => file.length)),
		zipped: octets(files.map((file) => gzipSync(file).length)),
	};
}

/** Says for a frame in the bundle which of our lines it is. Lines without such a frame stay as they are. */
export function frameReader(folder: string): (line: string) => string {
	const map = new SourceMap(JSON.parse(readFileSync(join(folder, 'index.js.map'), 'utf8')));
	return (line) => {
		const [, row, column] = FRAME.exec(line) ?? [];
		if (row === undefined) return line;
		const entry = map.findEntry(Number(row) - 1, Number(column) - 1);
		if (!('originalSource' in entry)) return line;
		const source = entry.originalSource.replace(/^.*?(?=(?:src|node_modules)\/)/, '');
		return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
	};
}
