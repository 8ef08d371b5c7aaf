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

test('the runbook lists an account again that the database has lost, while its customer goes on', async () => {
	service = await startTestService({ persistTo: stateFolder });
	const { accountId, apiKey } = await makeAccount(service, 5);
	await service.stop();
	lose();
	service = await startTestService({ persistTo: stateFolder });
	const shown = () => call(service!.url, service!.token, 'GET', `/ops/accounts/${accountId}`);
	expect((await call(service.url, apiKey, 'GET', '/v1/credits')).status).toBe(200);
	expect((await shown()).status).toBe(404);
	const [attach = '', ...rest] = commands();
	expect(rest).toEqual([]);
	const line = attach.replace('ACCOUNT', accountId).replace('EMAIL', 'ada@inbox.test');
	expect((await run(service, line)).code).toBe(0);
	expect((await shown()).body).toMatchObject({ data: { email: 'ada@inbox.test', check: [] } });
});
