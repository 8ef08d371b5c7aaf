import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataPoint } from '../../../src/core/metrics/metrics.ts';
import { fakeAnalytics } from '../../support/analytics/fake-analytics.ts';
import type { FakeAnalytics, Stored } from '../../support/analytics/fake-analytics.ts';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import { runOps } from '../../support/ops.ts';
import { ringing } from '../../../tools/alerts.ts';
import { readStats } from '../../../tools/stats.ts';

// `ops stats`, `ops alerts` and `ops check-service` as cron needs them: exit code, and what the pager hears. `ops abuse`
// where a prober says nothing.

const WELL: Stored = dataPoint('mail', { outcome: 'sent', code: 'none', count: 9 });
const UNSENT: Stored = dataPoint('mail', { outcome: 'not_sent', code: 'E_X', count: 1 });
const OLD: Stored = { ...UNSENT, hoursAgo: 5 };

let analytics: Readonly<Record<'well' | 'ill' | 'busy', FakeAnalytics>>;
/** Plays the pager, and the service that is checked. */
const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
	const body = await textOf(request);
	if (request.url === '/pager') heard.push(JSON.parse(body));
	const status = health === 'ok' ? 200 : 503;
	if (request.url?.startsWith('/ops/askers') === true)
		response.end(JSON.stringify({ data: { accounts: [], silent } }));
	else if (request.url === '/healthz') response.writeHead(status).end(JSON.stringify({ status: health }));
	else response.end('{"success":true,"data":{"status":"deliverable"}}');
};
const server = createServer((request, response) => void serve(request, response));
let listener: Listener;
let url = '';
let health = 'ok';
let silent: readonly string[] = [];
const heard: unknown[] = [];

beforeAll(async () => {
	analytics = {
		well: await fakeAnalytics([WELL, OLD]),
		ill: await fakeAnalytics([WELL, UNSENT]),
		busy: await fakeAnalytics(POINTS),
	};
	listener = await openListener(server);
	url = `http://127.0.0.1:${listener.port}`;
});
afterAll(() => Promise.all([listener, ...Object.values(analytics)].map((one) => one.close())));

async function run(
	words: readonly string[],
	env: Readonly<Record<string, string>>,
): Promise<[number, string]> {
	heard.length = 0;
	const settings = {
		ALERT_WEBHOOK_URL: `${url}/pager`,
		CLOUDFLARE_ACCOUNT_ID: 'a',
		ANALYTICS_TOKEN: 'read-only',
	};
	const { code, stdout, stderr } = await runOps(words, { ...settings, ...env });
	return [code, stdout + stderr];
}

const VERIFY = { route: '/v1/verify', method: 'POST', count: 1, dnsMs: 10, accountMs: 20 };
const outcome = (operator: string, subStatus: string, count: number, more: Partial<Stored> = {}): Stored => ({
	...dataPoint('outcome', { operator, subStatus, stage: 'smtp', class: 'list', count }),
	...more,
});
const POINTS: readonly Stored[] = [
	outcome('google', 'accepted_email', 600),
	outcome('google', 'accepted_email', 50, { hoursAgo: 30 }),
	// A sampled point stands for ten.
	outcome('microsoft', 'rejected_email', 70, { interval: 10 }),
	...[100, 300].map((ms) => dataPoint('request', { ...VERIFY, status: '200', ms, proberMs: ms - 50 })),
];

describe('ops stats', () => {
	const asked = (words: readonly string[], env = {}) =>
		run(['stats', ...words], { ANALYTICS_URL: analytics.busy.url, ...env });

	test('adds the points of a day up, each for as many as it stands for', async () => {
		const [code, text] = await asked(['--json']);
		const google = { operator: 'google', stage: 'smtp', class: 'list', times: 1, total: 600 };
		expect([code, JSON.parse(text)]).toMatchObject([
			0,
			{
				hours: 24,
				figures: {
					outcome: [
						{ operator: 'microsoft', subStatus: 'rejected_email', times: 10, total: 700 },
						{ ...google, subStatus: 'accepted_email' },
					],
					request: [{ status: '200', total: 2, p50: 100, p95: 300, dnsMs: 10, proberMs: 150, accountMs: 20 }],
					mail: [],
				},
			},
		]);
		expect(JSON.parse((await asked(['--json', '--hours', '48']))[1])).toMatchObject({
			figures: { outcome: [{ total: 700 }, { total: 650 }] },
		});
	});

	test('shows tables to people, and leaves out those without a line', async () => {
		const [, text] = await asked([]);
		const lines = text.split('\n').map((line) => line.trim().split(/ {2,}/).join('|'));
		expect(lines).toContain('microsoft|rejected_email|smtp|list|10|700');
		expect(lines).not.toContain('mail');
		// A dataset begins to exist with its first point.
		expect(await asked(['--dataset', 'mailsonar_staging'])).toEqual([
			0,
			'The last 24 h: nothing was noted\n',
		]);
	});

	test.each([
		[{ CLOUDFLARE_ACCOUNT_ID: '', ANALYTICS_TOKEN: '' }, /CLOUDFLARE_ACCOUNT_ID.*ANALYTICS_TOKEN/],
		[{ ANALYTICS_TOKEN: 'wrong-token' }, /^Analytics Engine refuses ANALYTICS_TOKEN for this account\n$/],
	])('with %j says what is wrong, and prints no token', async (env, said) => {
		expect(await asked([], env)).toEqual([1, expect.stringMatching(said)]);
	});

	test.each([
		['--hours', '0'],
		['--hours', '2161'],
		['--hours', 'x'],
		['--dataset', 'a; DROP'],
	])('refuses %s %s', async (...words) => {
		expect((await asked(words))[0]).toBe(2);
	});
});

describe('each rule rings', () => {
	const at = (subStatus: string, count: number): Stored => outcome('google', subStatus, count);
	const line = (event: string, level: string, count: number): Stored =>
		dataPoint('log_line', { event, level, count });
	const request = (status: string, count: number, ms = 10): Stored =>
		dataPoint('request', { ...VERIFY, status, count, ms, proberMs: 0 });
	const state = (word: string): Stored =>
		dataPoint('prober_state', { prober: 'p1', state: word, connections: 1, waiting: 0, pauses: 0 });
	const oldest = (ms: number): Stored => dataPoint('queue_age', { queue: 'q', ms, deliveries: 1 });
	const lag = (ms: number): Stored => dataPoint('settle_lag', { class: 'list', ms });
	const refused = (count: number): Stored =>
		dataPoint('prober_refusal', { prober: 'p1', why: 'full', count });
	const paused = (why: string): Stored =>
		dataPoint('operator_pause', { prober: 'p1', operator: 'yahoo', why, count: 1 });
	test.each<[string, readonly Stored[], readonly Stored[]]>([
		['ours to blame', [at('accepted_email', 90), at('rate_limited', 10)], [at('rate_limited', 19)]],
		['nobody answers', [at('timeout', 1_000)], [at('timeout', 900)]],
		['parts wait', [oldest(60_000)], [oldest(50_000)]],
		['charged late', [lag(30_000)], [lag(20_000)]],
		['a prober is away', [state('silent'), state('away')], [state('silent'), state('works')]],
		['questions not taken', [at('accepted_email', 100), refused(1)], [refused(9)]],
		['turned away', [paused('listed')], [paused('rate')]],
		['a job is stuck', [line('job_stuck', 'error', 1)], [line('jobs_not_listed', 'warn', 1)]],
		['requests fail', [request('200', 98), request('503', 2)], [request('503', 99)]],
		['slow answers', [request('200', 1, 15_000)], [request('504', 1, 15_000)]],
		['errors', [line('mcp_failed', 'error', 20)], [line('lease_not_renewed', 'warn', 20)]],
		['a bug', [line('unexpected_error', 'error', 1)], []],
		['a part fails', [line('part_failed', 'error', 5)], [line('part_failed', 'error', 4)]],
		[
			'an account fails',
			[line('account_alarm_failed', 'error', 10)],
			[line('account_call_failed', 'error', 9)],
		],
		['the cron fails', [line('cron_failed', 'error', 1)], []],
		['money', [line('purchase_not_found', 'error', 1)], []],
		['misconfigured', [line('misconfigured', 'error', 1)], []],
	])('%s', async (name, ring, quiet) => {
		const [loud, calm] = await Promise.all([ring, quiet].map(ringingOf));
		expect([loud, calm]).toEqual([[name], []]);
	});

	async function ringingOf(stored: readonly Stored[]): Promise<readonly string[]> {
		const played = await fakeAnalytics(stored);
		try {
			const env = { CLOUDFLARE_ACCOUNT_ID: 'a', ANALYTICS_TOKEN: 'read-only', ANALYTICS_URL: played.url };
			return ringing(await readStats(env, 1, 'mailsonar')).map((one) => one.split(':')[0] ?? '');
		} finally {
			await played.close();
		}
	}
});

test.each([
	['well', 0, 'All is well.', []],
	[
		'ill',
		1,
		'mails stay: 1 (rings from 1)',
		[{ text: 'Mailsonar (mailsonar): mails stay: 1 (rings from 1)' }],
	],
] as const)('ops alerts of a service that is %s exits with %d', async (which, code, said, pages) => {
	const env = { ANALYTICS_URL: analytics[which].url };
	expect(await run(['alerts'], env)).toEqual([code, `${said}\n`]);
	expect(heard).toEqual(pages);
});

test.each([
	['ok', 'ms_test_key', 0, /^All is well/, 0],
	['unavailable', 'ms_test_key', 1, /^\/healthz answered 503/, 1],
	['ok', 'ms_live_key', 1, /is no test key/, 0],
])('ops check-service where health is %s, with %s, exits with %d', async (state, key, code, said, pages) => {
	health = state;
	const [exit, text] = await run(['check-service', '--url', url], { MAILSONAR_TEST_KEY: key });
	expect([exit, text]).toEqual([code, expect.stringMatching(said)]);
	expect(heard).toHaveLength(pages);
});

test.each([
	[[], 0],
	// Its accounts are missing, so the answer is no answer about an abuser.
	[['prober2.example.com'], 1],
])('ops abuse at MAILSONAR_URL, where the probers %j are silent, exits with %d', async (names, code) => {
	silent = names;
	const env = { MAILSONAR_URL: url, OPERATOR_TOKEN: 'any' };
	const [exit, text] = await run(['abuse', 'inbox.test', '--json'], env);
	expect([exit, JSON.parse(text)]).toEqual([code, { accounts: [], silent: names }]);
});
