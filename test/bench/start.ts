import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle, bundleSize, runWrangler } from '../../tools/bundle.ts';
import { startTemporaryService } from '../../tools/temporary-service.ts';
import { busyMs } from './cpu-profile.ts';
import type { CpuProfile } from './cpu-profile.ts';
import type { Bench } from './section.ts';
import { spread } from './statistics.ts';
import { table } from './table.ts';

// The start of an isolate: what has to be read and run before it can answer, and what the first caller waits for.

const STARTS = 5;
const STARTS_QUICK = 1;

/** Size of the bundle as it would be deployed, its start profiled, and starts of the whole service. */
export const benchStart: Bench = async ({ quick, say }) => {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-start-'));
	try {
		const bundle = join(folder, 'bundle');
		buildBundle(bundle);
		const { raw, zipped } = bundleSize(bundle);
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

/** How long an isolate computes before it can take a request. */
function isolateStartMs(folder: string): number {
	const file = join(folder, 'start.cpuprofile');
	runWrangler('check', 'startup', '--outfile', file);
	return busyMs(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile);
}
