import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dataPoint } from '../../../src/core/metrics/metrics.ts';
import { timed, withInvocation } from '../../../src/lib/invocation.ts';
import { ADMITTED, apiApp, apiKey } from '../../support/unit/api-app.ts';

// Each request is measured by the pattern of the route that answered it, and by what it waited for.

const ACCOUNT_MS = 40;

const noted: [string, Record<string, unknown>][] = [];
const call = apiApp({
	metrics: { note: (...point: (typeof noted)[number]) => void noted.push(point) },
	clock: { now: () => Date.now() },
	accounts: () => ({
		admit: () =>
			timed('account', async () => {
				await new Promise((resolve) => void setTimeout(resolve, ACCOUNT_MS));
				return ADMITTED;
			}),
	}),
});

beforeEach(() => {
	noted.length = 0;
	vi.useFakeTimers();
	vi.spyOn(console, 'info').mockImplementation(() => {});
	// Below each share that is measured.
	vi.spyOn(Math, 'random').mockReturnValue(0.009);
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

async function ask(method: string, path: string, key: string | null): Promise<void> {
	const headers = key === null ? {} : { authorization: `Bearer ${key}` };
	const answer = withInvocation(async () => call(path, { method, headers }));
	await vi.runAllTimersAsync();
	await answer;
}

test.each<[string, string, string | null, object]>([
	['GET', '/v1/credits', apiKey, { route: '/v1/credits', status: '200', count: 10 }],
	['GET', '/v1/jobs/job_x', apiKey, { route: '/v1/jobs/:jobId', status: '404', count: 10 }],
	['DELETE', '/v1/credits', apiKey, { route: '/v1/credits', status: '405', count: 10 }],
	['GET', '/v1/ada@example.com', apiKey, { route: '/v1/*', status: '404', count: 10 }],
])(
	'%s %s with a key is one request of its route, and knows how long the account took',
	async (method, path, key, point) => {
		await ask(method, path, key);
		const times = { ms: ACCOUNT_MS, dnsMs: 0, proberMs: 0, accountMs: ACCOUNT_MS };
		expect(noted).toEqual([['request', { method, ...times, ...point }]]);
		expect(dataPoint('request', noted[0]![1] as never).blobs).toEqual([
			(point as { route: string }).route,
			method,
			(point as { status: string }).status,
		]);
	},
);

test.each<[string, string | null, number, readonly number[]]>([
	['/v1/credits', null, 0.009, [100]],
	['/v1/credits', null, 0.01, []],
	['/v1/credits', apiKey, 0.099, [10]],
	['/v1/credits', apiKey, 0.1, []],
	// Without a key too: each failure is ours.
	['/healthz', null, 0.999, [1]],
])(
	'of requests a share is measured, and each failure: %s, key %s, chance %d',
	async (path, key, chance, counts) => {
		vi.spyOn(console, 'error').mockImplementation(() => {});
		vi.mocked(Math.random).mockReturnValue(chance);
		await ask('GET', path, key);
		expect(noted.map(([, { count }]) => count)).toEqual(counts);
	},
);
