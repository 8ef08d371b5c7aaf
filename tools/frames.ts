import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildWorker, WORKER } from './build.ts';

// `npm run -s frames`: reads a line of the log, or frames, and prints where in our sources each frame is. The Worker is
// built anew, so the deployed version has to be checked out.

// A place in a built file: its name, row and column, from 1.
const FRAME = /((?:split\/)?[\w-]+\.js):(\d+):(\d+)/;

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

if (import.meta.main) {
	const input = await text(process.stdin);
	await buildWorker(WORKER);
	const read = frameReader(WORKER);
	for (const [frame] of input.matchAll(new RegExp(FRAME, 'g'))) console.log(read(frame));
}
