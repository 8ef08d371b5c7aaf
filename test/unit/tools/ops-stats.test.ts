import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataPoint } from '../../../src/core/metrics/metrics.ts';
import { fakeAnalytics } from '../../support/analytics/fake-analytics.ts';
import type { FakeAnalytics, Stored } from '../../support/analytics/fake-analytics.ts';
import { QUERIES } from '../../../tools/stats/queries.ts';

// `npm run ops -- stats`, run as a person runs it, on points as the Worker writes them.

const outcome = (operator: string, subStatus: string, count: number, more: Partial<Stored> = {}): Stored => ({
	...dataPoint('outcome', { operator, subStatus, stage: 'smtp', class: 'list', count }),
	...more,
});

const POINTS: readonly Stored[] = [
	outcome('google', 'accepted_email', 600),
	outcome('google', 'rate_limited', 30),
	outcome('google', 'rate_limited', 50, { hoursAgo: 30 }),
	// A sampled point stands for ten.
	outcome('microsoft', 'rejected_email', 20, { interval: 10 }),
	outcome('microsoft', 'timeout', 100),
	outcome('microsoft', 'free_limit', 10),
	outcome('none', 'no_mx_records', 60),
	dataPoint('deferral', { operator: 'google', subStatus: 'greylisted', kind: 'again', count: 40 }),
	...[100, 200, 300, 40_000].map((ms) =>
		dataPoint('queue_age', { queue: 'mailsonar-small', ms, deliveries: 1 }),
	),
	dataPoint('settle_lag', { class: 'single', ms: 12 }),
	dataPoint('prober_refusal', { prober: 'p1', why: 'silent', count: 3 }),
	dataPoint('prober_state', { prober: 'p1', state: 'works', connections: 1, waiting: 0, pauses: 1 }),
	dataPoint('operator_pause', { prober: 'p1', operator: 'yahoo', why: 'listed', count: 1 }),
	...[100, 300].map((ms) =>
		dataPoint('request', {
			...{ route: '/v1/verify', method: 'POST', status: '200', count: 1 },
			...{ ms, dnsMs: 10, proberMs: ms - 50, accountMs: 20 },
		}),
	),
	// One that stands for a hundred.
	dataPoint('request', {
		...{ route: '/v1/*', method: 'GET', status: '401', count: 100 },
		...{ ms: 2, dnsMs: 0, proberMs: 0, accountMs: 0 },
	}),
	dataPoint('mail', { outcome: 'sent', code: 'none', count: 1 }),
	dataPoint('mail', { outcome: 'not_sent', code: 'E_DAILY_LIMIT_EXCEEDED', count: 1 }),
	dataPoint('log_line', { event: 'part_failed', level: 'error', count: 1 }),
];

let analytics: FakeAnalytics;
beforeAll(async () => {
	analytics = await fakeAnalytics(POINTS);
});
afterAll(() => analytics.close());

interface Run {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
	const settings = {
		OPERATOR_TOKEN: '',
		CLOUDFLARE_ACCOUNT_ID: 'account1',
		ANALYTICS_TOKEN: 'read-only',
		ANALYTICS_URL: analytics.url,
	};
	return new Promise((resolve) => {
		const args = ['tools/ops.ts', 'stats', ...words];
		execFile(
			process.execPath,
			args,
			{ env: { ...process.env, ...settings, ...env } },
			(error, stdout, stderr) => {
				resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
			},
		);
	});
}

describe('ops stats', () => {
	test('adds the points of a day up, each for as many as it stands for', async () => {
		const { code, stdout } = await run(['--json']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual({
			hours: 24,
			verifications: 1_000,
			byStatus: { deliverable: 600, undeliverable: 260, risky: 0, unknown: 140 },
			byStage: { smtp: 1_000 },
			unknownBy: { ours: 30, theirs: 100, chosen: 10 },
			freeAnswers: 130,
			operators: [
				{ operator: 'microsoft', answers: 310, unknown: 110, ours: 0, mostly: 'timeout' },
				{ operator: 'google', answers: 630, unknown: 30, ours: 30, mostly: 'rate_limited' },
			],
			deferrals: [{ operator: 'google', why: 'greylisted (again)', count: 40 }],
			queueAges: [{ of: 'mailsonar-small', times: 4, p50: 200, p95: 40_000 }],
			settleLags: [{ of: 'single', times: 1, p50: 12, p95: 12 }],
			probers: [{ prober: 'p1', states: { works: 1 }, refusals: { silent: 3 } }],
			pauses: [{ prober: 'p1', operator: 'yahoo', why: 'listed', times: 1 }],
			requests: [
				{
					...{ route: 'GET /v1/*', status: '401', count: 100, p50: 2, p95: 2 },
					...{ dnsMs: 0, proberMs: 0, accountMs: 0 },
				},
				{
					...{ route: 'POST /v1/verify', status: '200', count: 2, p50: 100, p95: 300 },
					...{ dnsMs: 10, proberMs: 150, accountMs: 20 },
				},
			],
			mails: { sent: 1, 'not_sent: E_DAILY_LIMIT_EXCEEDED': 1 },
			logLines: { 'part_failed (error)': 1 },
		});
		expect(new Set(analytics.asked.map(({ path, token }) => `${path} ${token}`))).toEqual(
			new Set(['/accounts/account1/analytics_engine/sql read-only']),
		);
	});

	test('looks further back when it is told to', async () => {
		const { stdout } = await run(['--json', '--hours', '48']);
		expect(JSON.parse(stdout)).toMatchObject({ hours: 48, verifications: 1_050 });
	});

	test('shows tables to people, and leaves out those without a line', async () => {
		const { stdout } = await run([]);
		const cells = stdout.split('\n').map((line) => line.trim().split(/ {2,}/).join('|'));
		expect(cells).toEqual(
			expect.arrayContaining([
				'The last 24 h: 1,000 verifications',
				'unknown|140|14.0 %',
				'ours: capacity, addresses, code|30|3.0 %',
				'microsoft|310|110|35.5 %|0|timeout',
				'mailsonar-small|4|200 ms|40.0 s',
				'p1|works 1|silent 3',
				'POST /v1/verify|200|2|100 ms|300 ms|10 ms|150 ms|20 ms',
				'not_sent: E_DAILY_LIMIT_EXCEEDED|1',
				'part_failed (error)|1',
			]),
		);
	});

	test('of a dataset without points says that there is nothing, not that something is wrong', async () => {
		const { code, stdout } = await run(['--dataset', 'mailsonar_staging']);
		expect([code, stdout.split('\n')[0]]).toEqual([0, 'The last 24 h: 0 verifications']);
		expect(stdout).not.toContain('OPERATOR');
	});

	test('names all that it misses, and where it is found', async () => {
		const { code, stderr, stdout } = await run([], { CLOUDFLARE_ACCOUNT_ID: '', ANALYTICS_TOKEN: '' });
		expect([code, stdout]).toEqual([1, '']);
		expect(stderr).toContain('CLOUDFLARE_ACCOUNT_ID');
		expect(stderr).toContain('ANALYTICS_TOKEN');
		expect(stderr).not.toContain(String.raw`\u000a`);
	});

	test('says when its token is refused, and does not print it', async () => {
		const { code, stderr } = await run([], { ANALYTICS_TOKEN: 'wrong-token' });
		expect([code, stderr.trim()]).toEqual([1, 'Analytics Engine refuses ANALYTICS_TOKEN for this account']);
	});

	test.each([
		['--hours', '0'],
		['--hours', '2161'],
		['--hours', 'x'],
		['--dataset', 'a; DROP'],
	])('refuses %s %s', async (...words) => {
		expect((await run(words)).code).toBe(2);
	});
});

test('each question reads one metric, of the dataset and hours that it was given', () => {
	for (const ask of Object.values(QUERIES)) {
		const sql = ask({ dataset: 'mailsonar_staging', hours: 7 });
		expect(sql).toMatch(
			/FROM mailsonar_staging\nWHERE index1 = '\w+' AND timestamp > NOW\(\) - INTERVAL '7' HOUR/,
		);
	}
});
