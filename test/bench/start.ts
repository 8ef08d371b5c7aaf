import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startTemporaryService } from '../../tools/temporary-service.ts';
import { WRANGLER, WRANGLER_ENVIRONMENT } from '../../tools/wrangler-dev.ts';
import type { Bench } from './section.ts';
import { median, spread, sum } from './statistics.ts';
import { table } from './table.ts';

// The start of an isolate: what has to be read, and what the first caller waits for.

const STARTS = 5;
const STARTS_QUICK = 1;
const KB = 1024;

/** Size of the bundle as it would be deployed, and time of the first and the second request after a start. */
export const benchStart: Bench = async ({ quick, say }) => {
	const { raw, zipped } = bundleSize();
	const starts: { ready: number; first: number; second: number }[] = [];
	for (let start = 0; start < (quick ? STARTS_QUICK : STARTS); start += 1) {
		const begun = performance.now();
		const service = await startTemporaryService({ wrangler: ['--log-level', 'error'] });
		try {
			const ready = performance.now() - begun;
			// No key: refused at the door, so that it is the start alone.
			const first = await timed(`${service.url}/v1/credits`);
			starts.push({ ready, first, second: await timed(`${service.url}/v1/credits`) });
		} finally {
			await service.remove();
		}
		say(`start: ${start + 1}`);
	}
	return [
		`Bundle of \`wrangler deploy --dry-run\`, and ${starts.length} starts of \`wrangler dev\` (migrations included in the first line, which production never waits for).`,
		table([
			['', ''],
			['bundle, KB', raw.toFixed(0)],
			['bundle gzipped, KB', zipped.toFixed(0)],
			['start to ready, ms', spread(starts.map(({ ready }) => ready))],
			['first request, ms', spread(starts.map(({ first }) => first))],
			['second request, ms', spread(starts.map(({ second }) => second))],
			['first less second, ms', median(starts.map(({ first, second }) => first - second)).toFixed(0)],
		]),
	].join('\n\n');
};

async function timed(url: string): Promise<number> {
	const begun = performance.now();
	await (await fetch(url)).arrayBuffer();
	return performance.now() - begun;
}

function bundleSize(): { raw: number; zipped: number } {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-bundle-'));
	try {
		const { status, stdout, stderr } = spawnSync(
			process.execPath,
			[WRANGLER, 'deploy', '--dry-run', '--outdir', folder],
			{ encoding: 'utf8', env: { ...process.env, ...WRANGLER_ENVIRONMENT } },
		);
		if (status !== 0) throw new Error(`The bundle could not be made:\n${stdout}${stderr}`);
		// Source maps are uploaded, but no isolate reads them.
		const files = readdirSync(folder)
			.filter((name) => !/\.(?:map|md)$/.test(name))
			.map((name) => readFileSync(join(folder, name)));
		return {
			raw: sum(files.map((file) => file.length)) / KB,
			zipped: sum(files.map((file) => gzipSync(file).length)) / KB,
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
