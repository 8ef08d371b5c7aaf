import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

// Each step of the largest job, and of the largest catch-all task, in a process whose heap may not grow beyond the limit. A Worker has 128 MB, which it
// shares with everything else that happens in its isolate.

const HEAP_MB = 64;
const ADDRESSES = 50_000;
const PER_DOMAIN = 8;
const STEPS = ['request', 'parts', 'completion'] as const;
const TASK_STEPS = [
	...STEPS,
	...(['task_request', 'task_parts', 'task_completion', 'results_page', 'download'] as const),
] as const;

const folders: string[] = [];
afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Addresses of about this many characters. */
function emails(length: number): string[] {
	return Array.from({ length: ADDRESSES }, (_, n) => {
		const domain = `d${Math.floor(n / PER_DOMAIN)}.example`;
		const localPart = `user${n}`.padEnd(Math.min(60, Math.max(0, length - domain.length - 1)), 'x');
		const labels = Math.max(0, Math.floor((length - localPart.length - domain.length - 1) / 61));
		return `${localPart}@${`${'y'.repeat(60)}.`.repeat(labels)}${domain}`;
	});
}

function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-memory-'));
	folders.push(folder);
	return folder;
}

/** Does the step of a job whose addresses are as long as told; the first one writes them. */
function expectEnough(
	folder: string,
	step: (typeof TASK_STEPS)[number],
	length: number,
	outcome: 'accepted_email' | 'catch_all',
): void {
	if (step === 'request')
		writeFileSync(join(folder, 'body.json'), JSON.stringify({ emails: emails(length) }));
	const { status, stderr } = spawnSync(
		process.execPath,
		[`--max-old-space-size=${HEAP_MB}`, 'test/support/memory/step.ts', folder, step, outcome],
		{ encoding: 'utf8' },
	);
	expect(status, stderr.slice(0, 2_000)).toBe(0);
}

describe.each([
	['addresses of usual length', 24],
	['addresses as long as they come', 250],
])('50,000 %s', (_, length) => {
	describe('in a job', () => {
		const folder = makeFolder();

		test.each(STEPS)(`need less than ${HEAP_MB} MB for its %s`, (step) => {
			expectEnough(folder, step, length, 'accepted_email');
		});
	});

	describe('on catch-all domains, in a job and then in a task', () => {
		const folder = makeFolder();

		test.each(TASK_STEPS)(`need less than ${HEAP_MB} MB for the %s`, (step) => {
			expectEnough(folder, step, length, 'catch_all');
		});
	});
});
