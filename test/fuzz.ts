import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { casesOf, checkTarget } from './support/fuzz/target.ts';
import type { Finding, FuzzTarget } from './support/fuzz/target.ts';
import { FUZZ_TARGETS } from './support/fuzz/targets.ts';

// `npm run fuzz -- [--cases N] [--seed N] [--only NAME]`: every reader of what strangers send, with inputs that are nearly
// right. Each works in a thread of its own with bounded memory, and is ended if one case takes longer than a case may.

const CASE_MS_MAX = 5_000;
// Until the first case, a thread loads its readers.
const START_MS_MAX = 120_000;
const MEMORY_MB_MAX = 512;
const LOOK_EVERY_MS = 250;

interface Work {
	readonly name: string;
	readonly seed: number;
	readonly cases: number;
	/** Two numbers of 32 bits: the cases begun, and the most milliseconds that one took. */
	readonly progress: SharedArrayBuffer;
}

if (isMainThread) {
	const { values } = parseArgs({
		options: {
			cases: { type: 'string', default: '1000000' },
			seed: { type: 'string', default: String(Math.trunc(Date.now() % 2 ** 31)) },
			only: { type: 'string' },
		},
	});
	const seed = Number(values.seed);
	console.log(`seed ${seed}, ${Number(values.cases).toLocaleString('en')} cases each`);
	let findings = 0;
	for (const target of FUZZ_TARGETS) {
		const { name } = target;
		if (values.only !== undefined && values.only !== name) continue;
		// One after the other: the time of a case is its own.
		// oxlint-disable-next-line no-await-in-loop
		const found = await fuzz(target, seed, Number(values.cases));
		if (found === null) continue;
		findings += 1;
		console.log(`${name}: ${found}`);
	}
	console.log(findings === 0 ? 'Nothing was found.' : `Findings: ${findings}`);
	process.exitCode = findings === 0 ? 0 : 1;
} else {
	const { name, seed, cases, progress } = workerData as Work;
	const counts = new Int32Array(progress);
	const target = FUZZ_TARGETS.find((one) => one.name === name);
	if (target === undefined) throw new Error(`There is no reader named ${name}`);
	let last = performance.now();
	const finding = await checkTarget(target, { seed, cases }, () => {
		const now = performance.now();
		if (counts[0] !== 0) counts[1] = Math.max(counts[1] ?? 0, Math.ceil(now - last));
		last = now;
		Atomics.add(counts, 0, 1);
	});
	// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
	parentPort?.postMessage(finding);
}

/** What was found, in words, or null. */
async function fuzz(target: FuzzTarget, seed: number, cases: number): Promise<string | null> {
	const progress = new SharedArrayBuffer(8);
	const counts = new Int32Array(progress);
	const began = performance.now();
	const { name } = target;
	const work: Work = { name, seed, cases, progress };
	const worker = new Worker(fileURLToPath(import.meta.url), {
		workerData: work,
		resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
	});
	const { promise, resolve } = Promise.withResolvers<string | null>();
	let seen = { cases: 0, at: began };
	const watch = setInterval(() => {
		const begun = Atomics.load(counts, 0);
		if (begun !== seen.cases) seen = { cases: begun, at: performance.now() };
		else if (performance.now() - seen.at > (begun === 0 ? START_MS_MAX : CASE_MS_MAX))
			resolve(`case ${begun} of seed ${seed} takes too long`);
	}, LOOK_EVERY_MS);
	worker.on('error', (error) => resolve(`seed ${seed}: ${String(error)}`));
	worker.on('message', (finding: Finding | null) => {
		const seconds = (performance.now() - began) / 1000;
		if (finding === null)
			console.log(
				`${name}: ${casesOf(target, cases).toLocaleString('en')} cases in ${seconds.toFixed(0)} s, the slowest ${counts[1]} ms`,
			);
		resolve(finding && JSON.stringify(finding, null, '\t'));
	});
	try {
		return await promise;
	} finally {
		clearInterval(watch);
		await worker.terminate();
	}
}
