import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataPoint } from '../../../src/core/metrics/metrics.ts';
import { fakeAnalytics } from '../../support/analytics/fake-analytics.ts';
import type { FakeAnalytics, Stored } from '../../support/analytics/fake-analytics.ts';

// `ops alerts` and `ops check-service`, run as cron runs them: their exit code, and what the pager hears. `ops abuse`
// where a prober says nothing.

const WELL: Stored = dataPoint('mail', { outcome: 'sent', code: 'none', count: 9 });
const UNSENT: Stored = dataPoint('mail', { outcome: 'not_sent', code: 'E_X', count: 1 });
const OLD: Stored = { ...UNSENT, hoursAgo: 5 };

let analytics: Readonly<Record<'well' | 'ill', FakeAnalytics>>;
/** Plays the pager, and the service that is checked. */
const server = createServer((request, response) => {
	let body = '';
	request.on('data', (piece: Buffer) => (body += piece.toString()));
	request.on('end', () => {
		if (request.url === '/pager') heard.push(JSON.parse(body));
		const status = health === 'ok' ? 200 : 503;
		if (request.url?.startsWith('/ops/askers') === true)
			response.end(JSON.stringify({ data: { accounts: [], silent } }));
		else if (request.url === '/healthz') response.writeHead(status).end(JSON.stringify({ status: health }));
		else response.end('{"success":true,"data":{"status":"deliverable"}}');
	});
});
let url = '';
let health = 'ok';
let silent: readonly string[] = [];
const heard: unknown[] = [];

beforeAll(async () => {
	analytics = { well: await fakeAnalytics([WELL, OLD]), ill: await fakeAnalytics([WELL, UNSENT]) };
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
	server.close();
	server.closeAllConnections();
	await Promise.all(Object.values(analytics).map((one) => one.close()));
});

function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<[number, string]> {
	heard.length = 0;
	const settings = {
		ALERT_WEBHOOK_URL: `${url}/pager`,
		CLOUDFLARE_ACCOUNT_ID: 'a',
		ANALYTICS_TOKEN: 'read-only',
	};
	return new Promise((resolve) => {
		execFile(
			process.execPath,
			['tools/ops.ts', ...words],
			{ env: { ...process.env, ...settings, ...env } },
			(error, stdout, stderr) => {
				resolve([error === null ? 0 : Number(error.code), stdout + stderr]);
			},
		);
	});
}

describe('ops alerts', () => {
	test.each([
		['well', 0, 'All is well.', []],
		[
			'ill',
			1,
			'mails stay: 1 (rings from 1)',
			[{ text: 'Mailsonar (mailsonar): mails stay: 1 (rings from 1)' }],
		],
	] as const)('of a service that is %s exits with %d', async (which, code, said, pages) => {
		const env = { ANALYTICS_URL: analytics[which].url };
		expect(await run(['alerts'], env)).toEqual([code, `${said}\n`]);
		expect(heard).toEqual(pages);
	});
});

describe('ops check-service', () => {
	test.each([
		['ok', 'ms_test_key', 0, /^All is well/, 0],
		['unavailable', 'ms_test_key', 1, /^\/healthz answered 503/, 1],
		['ok', 'ms_live_key', 1, /is no test key/, 0],
	])('of a service whose health is %s, with %s, exits with %d', async (state, key, code, said, pages) => {
		health = state;
		const [exit, text] = await run(['check-service', '--url', url], { MAILSONAR_TEST_KEY: key });
		expect([exit, text]).toEqual([code, expect.stringMatching(said)]);
		expect(heard).toHaveLength(pages);
	});
});

describe('ops abuse, at the service that MAILSONAR_URL names', () => {
	test.each([
		[[], 0],
		// Its accounts are missing, so the answer is no answer about an abuser.
		[['prober2.example.com'], 1],
	])('where the silent probers are %j exits with %d', async (names, code) => {
		silent = names;
		const env = { MAILSONAR_URL: url, OPERATOR_TOKEN: 'any' };
		const [exit, text] = await run(['abuse', 'inbox.test', '--json'], env);
		expect([exit, JSON.parse(text)]).toEqual([code, { accounts: [], silent: names }]);
	});
});
