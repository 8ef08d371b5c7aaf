import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Each step of the largest job, and of the largest catch-all task, in a process whose heap may not grow beyond the limit.
// A Worker has 128 MB, which it shares with everything else that happens in its isolate.

const HEAP_MB = 64;
const ADDRESSES = 50_000;
const STEPS = ['request', 'parts', 'completion'] as const;
const TASK_STEPS = [
	...STEPS,
	...(['task_request', 'task_parts', 'task_completion', 'results_page', 'download'] as const),
	...(['report', 'filtered_page', 'workbook'] as const),
] as const;

const folders: string[] = [];
afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A body with addresses of about this many characters, so many at each domain. */
function bodyOf(length: number, perDomain: number): string {
	const emails = Array.from({ length: ADDRESSES }, (_, n) => {
		const domain = `d${Math.floor(n / perDomain)}.example`;
		const localPart = `user${n}`.padEnd(Math.min(60, Math.max(0, length - domain.length - 1)), 'x');
		const labels = Math.max(0, Math.floor((length - localPart.length - domain.length - 1) / 61));
		return `${localPart}@${`${'y'.repeat(60)}.`.repeat(labels)}${domain}`;
	});
	return JSON.stringify({ emails });
}

function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-memory-'));
	folders.push(folder);
	return folder;
}

/** Does a step in a process of its own, with what its folder holds. */
function expectEnough(folder: string, step: string, outcome: 'accepted_email' | 'catch_all'): void {
	const { status, stderr } = spawnSync(
		process.execPath,
		[`--max-old-space-size=${HEAP_MB}`, 'test/support/memory/step.ts', folder, step, outcome],
		{ encoding: 'utf8' },
	);
	expect(status, stderr.slice(0, 2_000)).toBe(0);
}

const BODY_OCTETS_MAX = 14 * 1024 * 1024;

/** A body of 14 MiB: a text over and over between two others. */
const filled = (head: string, unit: string, tail: string): string =>
	head + unit.repeat(Math.floor((BODY_OCTETS_MAX - head.length - tail.length) / unit.length)) + tail;

describe.each([
	['addresses of usual length', 24, 8],
	['addresses as long as they come', 250, 8],
	['such addresses, each at a domain of its own', 250, 1],
] as const)('50,000 %s', (_, length, perDomain) => {
	describe.each([
		['in a job', STEPS, 'accepted_email'],
		['on catch-all domains, in a job and then in a task', TASK_STEPS, 'catch_all'],
	] as const)('%s', (__, steps, outcome) => {
		const folder = makeFolder();
		beforeAll(() => writeFileSync(join(folder, 'body.json'), bodyOf(length, perDomain)));

		test.each(steps)(`need less than ${HEAP_MB} MB for the %s`, (step) => {
			expectEnough(folder, step, outcome);
		});
	});
});

describe(`a body of 14 MB that is no list is a 400 in less than ${HEAP_MB} MB`, () => {
	test.each([
		['brackets that open', filled('', '[', '')],
		['objects that open', filled('', '{"a":', '')],
		['empty objects', filled('[', '{},', '{}]')],
		['empty objects in the list', filled('{"emails":[', '{},', '{}]}')],
		['empty lists in another field', filled('{"emails":["a@x.test"],"more":[', '[],', '[]]}')],
		['levels in another field', filled('{"emails":["a@x.test"],"more":', '[', '')],
		['numbers beyond all bounds', filled('{"emails":[', '1e999,', '1]}')],
		['one text', filled('{"emails":["', 'a', '"]}')],
		['one text of escapes', filled('{"emails":["', String.raw`\ud800`, '"]}')],
		['the name of a field', filled('{"', 'k', '":1,"emails":["a@x.test"]}')],
		['elements by the million', filled('{"emails":[', '"",', '""]}')],
		['50,001 texts that are as long as they may be', filled('{"emails":[', `"${'x'.repeat(280)}",`, '""]}')],
		['a list and something behind it', filled('{"emails":["a@x.test"]}', ' ', 'x')],
		['octets that are not UTF-8', Buffer.alloc(BODY_OCTETS_MAX, 0xff)],
	])('%s', (_, body) => {
		const folder = makeFolder();
		writeFileSync(join(folder, 'body.json'), body);
		expectEnough(folder, 'refused_request', 'accepted_email');
	});
});
