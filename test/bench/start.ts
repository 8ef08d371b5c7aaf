import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startTemporaryService } from '../../tools/temporary-service.ts';
import { WRANGLER, WRANGLER_ENVIRONMENT } from '../../tools/wrangler-dev.ts';
import { busyMs } from './cpu-profile.ts';
import type { CpuProfile } from './cpu-profile.ts';
import type { Bench } from './section.ts';
import { spread, sum } from './statistics.ts';
import { table } from './table.ts';

// The start of an isolate: what has to be read and run before it can answer, and what the first caller waits for.

const STARTS = 5;
const STARTS_QUICK = 1;
const KB = 1024;

/** Size of the bundle as it would be deployed, its start profiled, and starts of the whole service. */
export const benchStart: Bench = async ({ quick, say }) => {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-start-'));
	try {
		const { raw, zipped } = bundleSize(folder);
		const isolates: number[] = [];
		const answers: number[] = [];
		const later: number[] = [];
		for (let start = 0; start < (quick ? STARTS_QUICK : STARTS); start += 1) {
			isolates.push(isolateStartMs(folder));
			const begun = performance.now();
			const service = await startTemporaryService({ wrangler: ['--log-level', 'error'] });
			try {
				// No key: refused at the door, so that it is the start alone. It is held until the runtime is up.
				await get(`${service.url}/v1/credits`);
				answers.push(performance.now() - begun);
				const again = performance.now();
				await get(`${service.url}/v1/credits`);
				later.push(performance.now() - again);
			} finally {
				await service.remove();
			}
			say(`start: ${start + 1}`);
		}
		return [
			`The bundle of \`wrangler deploy --dry-run\`; ${isolates.length} profiles of \`wrangler check startup\`, without what they waited; ` +
				`${answers.length} starts of \`wrangler dev\` with its migrations, up to the first answer.`,
			table([
				['', ''],
				['bundle, KB', raw.toFixed(0)],
				['bundle gzipped, KB', zipped.toFixed(0)],
				['isolate busy with its start, ms', spread(isolates)],
				['`wrangler dev` to its first answer, ms', spread(answers)],
				['the next answer, ms', spread(later)],
			]),
		].join('\n\n');
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
};

async function get(url: string): Promise<void> {
	await (await fetch(url)).arrayBuffer();
}

function bundleSize(parent: string): { raw: number; zipped: number } {
	const folder = join(parent, 'bundle');
	wrangler('deploy', '--dry-run', '--outdir', folder);
	// Source maps are uploaded, but no isolate reads them. Wrangler writes the README; the guides are ours.
	const files = readdirSync(folder)
		.filter((name) => !name.endsWith('.map') && name !== 'README.md')
		.map((name) => readFileSync(join(folder, name)));
	return {
		raw: sum(files.map((file) => file.length)) / KB,
		zipped: sum(files.map((file) => gzipSync(file).length)) / KB,
	};
}

/** How long an isolate computes before it can take a request. */
function isolateStartMs(folder: string): number {
	const file = join(folder, 'start.cpuprofile');
	wrangler('check', 'startup', '--outfile', file);
	return busyMs(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile);
}

function wrangler(...words: readonly string[]): void {
	const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...words], {
		encoding: 'utf8',
		env: { ...process.env, ...WRANGLER_ENVIRONMENT },
	});
	if (status !== 0) throw new Error(`wrangler ${words.join(' ')} failed:\n${stdout}${stderr}`);
}
