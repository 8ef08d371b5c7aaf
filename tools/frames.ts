import { globSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildWorker, FOLDER } from './build.ts';

// `npm run -s frames`: reads a line of the log, or frames, and prints where in our sources each frame is. The Worker is
// built anew, so the deployed version has to be checked out.

// A place in a built file: its name, row and column, from 1.
const FRAME = /((?:split\/)?[\w-]+\.js):(\d+):(\d+)/;

/** Says for a frame in a built file which of our lines it is. Lines without such a frame stay as they are. */
export function frameReader(folder: string): (line: string) => string {
	const files = globSync('**/*.map', { cwd: folder });
	const mapOf = (file: string) => new SourceMap(JSON.parse(readFileSync(join(folder, file), 'utf8')));
	const maps = new Map(files.map((file) => [file.replace(/\.map$/, ''), mapOf(file)]));
	return (line) => {
		const [, name = '', row, column] = FRAME.exec(line) ?? [];
		const entry = maps.get(name)?.findEntry(Number(row) - 1, Number(column) - 1);
		if (entry === undefined || !('originalSource' in entry)) return line;
		const source = entry.originalSource.replace(/^.*?(?=(?:src|node_modules)\/)/, '');
		return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
	};
}

if (import.meta.main) {
	await buildWorker(FOLDER);
	const read = frameReader(join(FOLDER, 'worker'));
	for (const [frame] of (await text(process.stdin)).matchAll(new RegExp(FRAME, 'g')))
		console.log(read(frame));
}
