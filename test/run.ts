import { execFile, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureDevVars } from '../tools/dev-vars.ts';
import { installPackages } from './install.ts';

// `npm test`: the checks and Vitest's projects, some at a time; `npm test -- lint`: one of them. Each has a process of its own, because Vitest ends a run
// with all its projects when the setup of one fails. Its last line is the sum of theirs.

const CHECKS: Readonly<Record<string, string>> = {
	// The linter asks TypeScript for the types anyway, so it tells their errors too. The client's package is compiled with
	// options of its own.
	lint: 'oxlint --type-aware --type-check --deny-warnings . && tsc --checkers 1 -p clients/typescript/tsconfig.cli.json',
	format: 'oxfmt --check .',
	unused: 'knip',
};
// The longest first, so that the run does not end with a long one alone.
const RUNS: Readonly<Record<string, readonly string[]>> = {
	all: ['contract', 'worker', 'unit', 'scenario', 'lint', 'prober', 'unused', 'format'],
	quick: ['unit', 'lint'],
	// Of the parts in workerd, each fault at each step.
	long: ['long', 'worker'],
};
/** The parts that start services, all of one build of the Worker. */
const WITH_SERVICES: ReadonlySet<string> = new Set(['contract', 'scenario', 'long']);
// Most parts wait for others more than they work, so one more than there are cores.
const AT_ONCE = Number(process.env['TEST_PARTS'] ?? availableParallelism() + 1);

interface Outcome {
	readonly part: string;
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

const word = process.argv[2] ?? 'all';
const parts = RUNS[word] ?? (RUNS['all']?.includes(word) === true ? [word] : undefined);
if (parts === undefined)
	throw new Error(`There is no run named ${word}, only ${Object.keys(RUNS).join(', ')}`);
installPackages(import.meta.dirname);
// Services that start at the same time would each make secrets of their own.
ensureDevVars();
const isServed = parts.some((part) => WITH_SERVICES.has(part));
const env = {
	...process.env,
	PATH: [path.resolve('node_modules/.bin'), process.env['PATH']].join(path.delimiter),
	// Compiler and linter: side by side with others one core is enough, and hardly any of their memory is ever garbage.
	GOGC: 'off',
	GOMAXPROCS: '1',
	// Each start of a program of ours would strip its types again.
	NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/mailsonar-compiled'),
	...(isServed ? { WORKER_BUILT: 'yes' } : {}),
	...(word === 'quick' || word === 'long' ? { [word.toUpperCase()]: 'yes' } : {}),
};
// What several parts need is made once.
const makers = ['test/support/openapi/client-types.ts', ...(isServed ? ['tools/build.ts'] : [])];
await Promise.all(makers.map((maker) => promisify(execFile)(process.execPath, [maker])));
const waiting = [...parts];
const outcomes: Outcome[] = [];
async function work(): Promise<void> {
	for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) outcomes.push(await run(part));
}
await Promise.all(Array.from({ length: AT_ONCE }, work));

const broken = outcomes.filter(({ failed }) => failed > 0).map(({ part }) => part);
if (broken.length > 0) console.log(`\nFailed, with its output above: ${broken.join(', ')}`);
const sum = (count: (outcome: Outcome) => number): number =>
	outcomes.reduce((all, one) => all + count(one), 0);
const skipped = sum((one) => one.skipped);
console.log(
	`\n${sum((one) => one.passed)} passed, ${sum((one) => one.failed)} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
);
process.exitCode = broken.length === 0 ? 0 : 1;

/** Runs a part to its end. Prints its last lines, and all of its output if something failed. */
async function run(part: string): Promise<Outcome> {
	const begun = performance.now();
	const check = CHECKS[part];
	const isCheck = check !== undefined;
	// Node reads the configuration as it is; Vite would bundle it first, which takes seconds.
	const command = check ?? `vitest run --configLoader native --project ${part}`;
	const child = spawn(command, { stdio: ['ignore', 'pipe', 'pipe'], env, shell: true });
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	const how = await new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
	});
	const isFine = how === 'exit code 0';
	const counted = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output);
	const [passed = 0, failures = 0, notRun = 0] = (counted ?? []).slice(1).map((text) => Number(text ?? 0));
	// A part that breaks off is a failure, whatever it has counted.
	const isCounted = isCheck || counted !== null;
	const failed = isCounted && isFine ? failures : Math.max(1, failures);
	if (failed > 0) console.log(`\n${output.trimEnd()}`);
	const reasons = output.match(/^ {2}\d+ skipped: .*$/gm) ?? [];
	const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
	const what = isCheck || !isCounted ? how : `${passed} passed, ${failed} failed`;
	console.log([`${failed === 0 ? '✓' : '✗'} ${part}: ${what} (${seconds} s)`, ...reasons].join('\n'));
	return { part, passed, failed, skipped: notRun };
}
