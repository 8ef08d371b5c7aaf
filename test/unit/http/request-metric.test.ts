import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { issueApiKey } from '../../../src/core/keys/api-key.ts';
import { dataPoint } from '../../../src/core/metrics/metrics.ts';
import { createApp } from '../../../src/http/app.ts';
import { timed, withInvocation } from '../../../src/lib/invocation.ts';
import type { Services } from '../../../src/services.ts';

// Each request is measured by the pattern of the route that answered it, and by what it waited for.

const { apiKey } = issueApiKey(
	{ version: 1, secret: new Uint8Array(32) },
	{ account: new Uint8Array(10), key: new Uint8Array(6), secret: new Uint8Array(20) },
);
const ADMITTED = {
	kind: 'admitted',
	window: { limit: 300, remaining: 299, resetSeconds: 900 },
	balance: { balance: 9, availableCredits: 9, reservedCredits: 0, lastTransactionAt: 0 },
	job: null,
};
const ACCOUNT_MS = 40;

const noted: [string, Record<string, unknown>][] = [];
const services = {
	forAccount: () => services,
	metrics: { note: (metric, point) => void noted.push([metric, point]) } as Services['metrics'],
	config: readConfig({ KEY_SIGNING_SECRET: `1:${'00'.repeat(32)}` }),
	clock: { now: () => Date.now() },
	newId: (prefix: string) => `${prefix}_1`,
	accounts: () => ({
		admit: () =>
			timed('account', async () => {
				await new Promise((resolve) => void setTimeout(resolve, ACCOUNT_MS));
				return ADMITTED;
			}),
	}),
} as unknown as Services;
const app = createApp(
	() => services,
	() => Promise.reject(new Error('no page is asked for')),
	() => Promise.reject(new Error('no tool is asked for')),
);

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
	const request = new Request(`http://localhost${path}`, { method, headers });
	const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
	const answer = withInvocation(() => app.fetch(request, {}, context));
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
