import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';

// The database goes back to before all accounts, and an operator follows the runbook, line by line.

const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-lost-'));
let service: TestService | null = null;

afterAll(async () => {
	await service?.stop();
	rmSync(stateFolder, { recursive: true, force: true });
});

/** The commands that the runbook has for it. */
function commands(): readonly string[] {
	const [, section = ''] = readFileSync('docs/runbook.md', 'utf8').split('## D1 is lost, or restored\n');
	const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
	return block.trim().split('\n');
}

/** Runs a line of the runbook against the service. */
function run({ url, token }: TestService, line: string): Promise<{ code: number; stdout: string }> {
	const ops = `'${process.execPath}' tools/ops.ts --url ${url}`;
	const env = { ...process.env, OPERATOR_TOKEN: token };
	return new Promise((resolve) => {
		execFile('sh', ['-c', line.replaceAll('npm run -s ops --', ops)], { env }, (error, stdout) => {
			resolve({ code: error === null ? 0 : Number(error.code), stdout });
		});
	});
}

function lose(): void {
	const folder = join(stateFolder, 'v3', 'd1', 'miniflare-D1DatabaseObject');
	const tables = readdirSync(folder)
		.filter((name) => name.endsWith('.sqlite'))
		.map((name) => new DatabaseSync(join(folder, name)))
		.filter((database) => database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").get());
	expect(tables).toHaveLength(1);
	for (const database of tables) {
		database.exec('DELETE FROM accounts; DELETE FROM jobs');
		database.close();
	}
}

test('the runbook lists again what the database has lost', async () => {
	service = await startTestService({ persistTo: stateFolder });
	const [customer, other] = [await makeAccount(service, 5), await makeAccount(service, 5)];
	const submitted = await call(service.url, customer.apiKey, 'POST', '/v1/verify-batch', {
		emails: ['ada@inbox.test'],
	});
	expect(submitted.status, submitted.text).toBe(202);
	await service.stop();
	lose();
	service = await startTestService({ persistTo: stateFolder });
	expect((await call(service.url, customer.apiKey, 'GET', '/v1/credits')).status).toBe(200);
	const [look = '', relist = '', again = '', ...rest] = commands();
	expect(rest).toEqual([]);
	const seen = await run(service, look);
	expect(seen.code).toBe(1);
	for (const { accountId } of [customer, other])
		expect(seen.stdout).toContain(`${accountId} listing_differs:`);
	expect((await run(service, relist)).code).toBe(0);
	expect(await run(service, again)).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^Looked at 2 accounts, .*: nothing is off\n$/),
	});
});
