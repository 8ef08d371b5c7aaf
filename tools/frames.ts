import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildWorker } from './build.ts';
import { FRAME, frameReader } from './bundle.ts';

// `npm run -s frames`: reads a line of the log, or frames, and prints where in our sources each frame is. The Worker is
// built anew, so the deployed version has to be checked out.

const folder = mkdtempSync(join(tmpdir(), 'mailsonar-frames-'));
try {
	const input = await text(process.stdin);
	await buildWorker(folder);
	const read = frameReader(folder);
	for (const [frame] of input.matchAll(new RegExp(FRAME, 'g'))) console.log(read(frame));
} finally {
	rmSync(folder, { recursive: true, force: true });
}
