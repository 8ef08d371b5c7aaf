import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { resultsOfPart, runPart, tracesOf } from '../../support/run/part.ts';
import { dealt, planOf } from '../../support/run/plan.ts';
import type { Part } from '../../support/run/plan.ts';
import { parseEvents, resultsOf, summaryLine, sumOf } from '../../support/run/results.ts';
import type { RunEvent } from '../../support/run/results.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailsonar-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BEGAN: RunEvent = { kind: 'file_began', file: 'a.test.ts' };
const PASSED: RunEvent = { kind: 'test', file: 'a.test.ts', name: 'one', state: 'passed' };
const FAILED: RunEvent = { kind: 'test', file: 'a.test.ts', name: 'two', state: 'failed' };
const SKIPPED: RunEvent = {
	kind: 'test',
	file: 'a.test.ts',
	name: 'three',
	state: 'skipped',
	note: 'no danted',
};
const fileEnded = (broken: boolean): RunEvent => ({ kind: 'file_ended', file: 'a.test.ts', broken });
const ended = (...errors: string[]): RunEvent => ({ kind: 'run_ended', errors });
const WHOLE = [BEGAN, PASSED, SKIPPED, fileEnded(false), ended()];

test.each([
	['nothing', [ended()], '0 passed, 0 failed'],
	['a test of each kind', [...WHOLE, FAILED], '1 passed, 1 failed, 1 skipped'],
	['a file that cannot be read', [BEGAN, fileEnded(true), ended()], '0 passed, 1 failed'],
	['an error outside of every test', [BEGAN, PASSED, fileEnded(false), ended('oops')], '1 passed, 1 failed'],
] satisfies [string, RunEvent[], string][])('%s is counted', (_, events, line) => {
	expect(summaryLine(resultsOf(events))).toBe(line);
});

test('several runs are one sum, with the reasons why tests were skipped', () => {
	const sum = sumOf([resultsOf(WHOLE), resultsOf(WHOLE)]);
	expect(summaryLine(sum)).toBe('2 passed, 0 failed, 2 skipped');
	expect([...sum.reasons]).toEqual([['no danted', 2]]);
});

const lines = (events: readonly RunEvent[]): string =>
	events.map((event) => JSON.stringify(event)).join('\n');

test('a line that was cut off costs no other', () => {
	expect(parseEvents(lines(WHOLE).slice(0, -5))).toEqual(WHOLE.slice(0, -1));
});

describe('a part', () => {
	/** A process that leaves these events and then does what the script says. */
	async function ran(events: readonly RunEvent[], script: string): Promise<ReturnType<typeof resultsOfPart>> {
		const part: Part = {
			...planOf('quick')[0]!,
			kind: 'tests',
			name: 'part',
			program: process.execPath,
			args: ['-e', script],
		};
		writeFileSync(tracesOf(folder, part).events, lines(events));
		await runPart(folder, part, new AbortController().signal);
		return resultsOfPart(folder, part);
	}

	test('that comes to its end counts as its tests', async () => {
		expect(summaryLine(await ran(WHOLE, ''))).toBe('1 passed, 0 failed, 1 skipped');
	});

	test.each([
		['is killed', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
		['rejects and nobody handles it', "Promise.reject(new Error('Premature close'))", 'exit code 1'],
	])('that %s is one failure, names the file, and keeps what had passed', async (_, script, how) => {
		const found = await ran([BEGAN, PASSED, SKIPPED], script);
		expect(summaryLine(found)).toBe('1 passed, 1 failed, 1 skipped');
		expect(found.failures).toEqual([`part broke off (${how}, in a.test.ts; 1 tests had passed)`]);
	});

	test('that fails though every test passed is a failure', async () => {
		expect(summaryLine(await ran(WHOLE, 'process.exit(1)'))).toBe('1 passed, 1 failed, 1 skipped');
	});

	test('that cannot be started is a failure with the reason', async () => {
		const part: Part = { name: 'absent', kind: 'check', program: '/no/such/program', args: [], seconds: 1 };
		await runPart(folder, part, new AbortController().signal);
		expect(resultsOfPart(folder, part).failures).toEqual([expect.stringMatching(/^absent: .*ENOENT/)]);
	});

	test('that was never begun, because all of it was killed, is a failure', () => {
		const part: Part = { name: 'never', kind: 'check', program: 'npm', args: [], seconds: 1 };
		expect(resultsOfPart(folder, part).failures).toEqual(['never: it never came to its end']);
	});
});

test('every file of a project is in one group', () => {
	const files = ['a', 'b', 'test/contract/verify.test.ts', 'c'];
	expect(dealt(files, 2).flat().toSorted()).toEqual(files.toSorted());
	expect(dealt(files, 2)).toContainEqual(['test/contract/verify.test.ts']);
});

test('the whole run has every project and every check, and the quick one is part of it', () => {
	const words = (run: 'all' | 'quick'): string[] => planOf(run).map(({ args }) => args.join(' '));
	for (const project of ['unit', 'worker', 'prober', 'contract', 'browser', 'scenario'])
		expect(words('all').filter((one) => one.includes(`--project ${project}`)).length).toBeGreaterThan(0);
	for (const check of ['types', 'lint', 'format', 'unused'])
		expect(words('all')).toContain(`run --silent check:${check}`);
	expect(words('all')).toEqual(expect.arrayContaining(words('quick')));
});

test('every file of tests belongs to a project, and every file of the bare run is there', () => {
	const folders = new Set(globSync('test/**/*.test.{ts,tsx}').map((file) => file.split('/')[1]));
	const projects = planOf('all').flatMap(({ args }) => {
		const at = args.indexOf('--project');
		return at < 0 ? [] : [args[at + 1]];
	});
	expect(folders).toEqual(new Set(projects));
	const bare = planOf('bare').flatMap(({ args }) => args.filter((one) => one.endsWith('.test.ts')));
	expect(bare.length).toBeGreaterThan(0);
	expect(bare.filter((file) => !existsSync(file))).toEqual([]);
});
