import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ensureDevVars } from '../tools/dev-vars.ts';
import { resultsOfPart, runPart, tracesOf } from './support/run/part.ts';
import type { Part, RunName } from './support/run/plan.ts';
import { planOf } from './support/run/plan.ts';
import type { Results } from './support/run/results.ts';
import { NO_REASON, summaryLine, sumOf } from './support/run/results.ts';

// `npm test`: every part in a process of its own, several at a time. What breaks one costs no results of the others, and
// the last line is the sum. `recount` adds up what a run that was killed left behind.

const FOLDER = 'node_modules/.cache/mailsonar/run';
const PLAN = `${FOLDER}/plan.json`;
// Most parts wait for others more than they work, so one more than there are cores.
const AT_ONCE = Number(process.env['TEST_PARTS'] ?? Math.max(2, availableParallelism()) + 1);

const word = process.argv[2] ?? 'all';
const results = word === 'recount' ? recount() : await run(word as RunName);
report(results);
process.exitCode = results.failed === 0 ? 0 : 1;

async function run(name: RunName): Promise<Results> {
	const parts = planOf(name);
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(PLAN, JSON.stringify(parts));
	// Services that start at the same time would each make secrets of their own.
	ensureDevVars();
	const stop = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
	console.log(`${parts.length} parts, ${AT_ONCE} at a time`);
	const waiting = [...parts];
	const done: Results[] = [];
	const work = async (): Promise<void> => {
		for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
			const begun = performance.now();
			if (!stop.signal.aborted) await runPart(FOLDER, part, stop.signal);
			const found = resultsOfPart(FOLDER, part);
			show(part, found, (performance.now() - begun) / 1000);
			done.push(found);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return sumOf(done);
}

/** A part in a line; all of its output where something failed. */
function show(part: Part, found: Results, seconds: number): void {
	const { output } = tracesOf(FOLDER, part);
	const said = existsSync(output) ? readFileSync(output, 'utf8') : '';
	const isFine = found.failed === 0;
	if (!isFine) console.log(`\n${said.trimEnd()}`);
	const what = part.kind === 'check' ? (isFine ? 'fine' : 'failed') : summaryLine(found);
	console.log(`${isFine ? '✓' : '✗'} ${part.name}: ${what} (${seconds.toFixed(0)} s)`);
	for (const [reason, count] of found.reasons) console.log(`    ${count} skipped: ${reason}`);
	const printed = found.reasons.has(NO_REASON) ? said.match(/^.*\bskipped: .*$/gim) : null;
	for (const line of printed ?? []) console.log(`    ${line}`);
}

/** What the traces of the last run say. */
function recount(): Results {
	const parts = JSON.parse(readFileSync(PLAN, 'utf8')) as readonly Part[];
	return sumOf(parts.map((part) => resultsOfPart(FOLDER, part)));
}

function report(found: Results): void {
	if (found.failures.length > 0)
		console.log(`\nFailed:\n${found.failures.map((one) => `  ${one}`).join('\n')}`);
	console.log(`\n${summaryLine(found)}`);
}
