import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';

// `ops audit` against a service that finds something: every page is asked for, and the exit code says so.

const finding = {
	what: 'ledger_sum',
	accountId: 'acc_1',
	about: null,
	says: 'The lines add up to 3 credits',
};
const PAGES: Readonly<Record<string, object>> = {
	'': { findings: [finding], looked: { accounts: 1, lines: 2, jobs: 3, blobs: 4 }, next: 'x y' },
	'x y': { findings: [], looked: { accounts: 1, lines: 0, jobs: 0, blobs: 1 }, next: null },
};

const asked: string[] = [];
const server = createServer((request, response) => {
	asked.push(request.url ?? '');
	const after = new URL(request.url ?? '', 'http://x').searchParams.get('after') ?? '';
	response.end(JSON.stringify({ data: PAGES[after] }));
});
afterEach(() => server.close());

test('audit --all prints a line for each finding of all pages, and fails', async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const args = ['tools/ops.ts', 'audit', '--all', '--url', url];
	const env = { ...process.env, OPERATOR_TOKEN: 'token' };
	const run = await new Promise((resolve) => {
		execFile(process.execPath, args, { env }, (error, stdout) => resolve([error?.code, stdout]));
	});
	expect(run).toEqual([
		1,
		'acc_1 ledger_sum: The lines add up to 3 credits\nLooked at 2 accounts, 2 ledger lines, 3 jobs and tasks, 5 blobs: 1 findings\n',
	]);
	expect(asked).toEqual(['/ops/audit?', '/ops/audit?after=x+y']);
});
