import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { buildWorker } from '../../tools/build.ts';
import { WRANGLER, WRANGLER_ENVIRONMENT } from '../../tools/wrangler-dev.ts';
import { startTemporaryService } from '../../tools/temporary-service.ts';
import type { Bench } from './report.ts';
import { bundleSize } from '../support/bundle-size.ts';
import { median, spread, sum } from '../support/statistics.ts';
import { atMost, table } from './report.ts';

// The start of an isolate: what has to be read and run before it can answer, and what the first caller waits for.

const US_PER_MS = 1000;
const STARTS = 7;
const STARTS_QUICK = 1;
const START_KB_MAX = 400;
const START_MS_MAX = 60;

/** Size of the bundle as it would be deployed, its start profiled, and starts of the whole service. */
export const benchStart: Bench = async ({ quick, say }) => {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-start-'));
	try {
		const { all, start: read } = bundleSize(await buildWorker(join(folder, 'bundle')));
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
			`What \`tools/build.ts\` makes of \`src/\`; ${isolates.length} profiles of \`wrangler check startup\`, without what they waited; ` +
				`${answers.length} starts of \`wrangler dev\` with its migrations, up to the first answer.`,
			table([
				['', ''],
				['all that is uploaded, KB (gzipped)', `${all.raw.toFixed(0)} (${all.zipped.toFixed(0)})`],
				['what each start reads, KB (gzipped)', `${read.raw.toFixed(0)} (${read.zipped.toFixed(0)})`],
				['isolate busy with its start, ms', spread(isolates)],
				['`wrangler dev` to its first answer, ms', spread(answers)],
				['the next answer, ms', spread(later)],
			]),
			[
				atMost('a start reads at most # KB, gzipped', START_KB_MAX, read.zipped, ' KB'),
				atMost('an isolate is busy with it for at most # ms', START_MS_MAX, median(isolates), ' ms'),
			].join('\n'),
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
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[WRANGLER, 'check', 'startup', '--outfile', file],
		{ encoding: 'utf8', env: { ...process.env, ...WRANGLER_ENVIRONMENT } },
	);
	if (status !== 0) throw new Error(`wrangler check startup failed:\n${stdout}${stderr}`);
	// A profile as V8 writes it: which function ran at each sample, and microseconds since the one before.
	const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as {
		readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
		readonly samples: readonly number[];
		readonly timeDeltas: readonly number[];
	};
	const idle = nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
	return sum(samples.map((id, i) => (id === idle ? 0 : (timeDeltas[i] ?? 0)))) / US_PER_MS;
}
