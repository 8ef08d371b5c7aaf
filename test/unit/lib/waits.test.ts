import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { timed, waitedMs, withInvocation } from '../../../src/lib/invocation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const fail = (ms: number) => async (): Promise<void> => {
	await wait(ms)();
	throw new Error('no answer');
};

/** What an invocation has waited for, once its work is done. */
async function waitedFor(work: () => Promise<unknown>): Promise<ReturnType<typeof waitedMs>> {
	const waited = withInvocation(async () => {
		await work();
		return waitedMs();
	});
	await vi.runAllTimersAsync();
	return waited;
}

const inTurn = async (): Promise<void> => {
	await timed('prober', wait(10));
	await wait(100)();
	await timed('prober', wait(5));
};
const dns = (ms: number): Promise<void> => timed('dns', wait(ms));

test.each<[string, () => Promise<unknown>, Partial<ReturnType<typeof waitedMs>>]>([
	['one wait', () => dns(20), { dns: 20 }],
	['waits side by side count once', () => Promise.all([20, 30].map(dns)), { dns: 30 }],
	[
		'each kind counts by itself',
		() => Promise.all([dns(20), timed('account', wait(50))]),
		{ dns: 20, account: 50 },
	],
	['the time between two waits is no wait', inTurn, { prober: 15 }],
	['a wait that fails', () => timed('account', fail(40)).catch(() => {}), { account: 40 }],
])('%s', async (_, work, waited) => {
	expect(await waitedFor(work)).toEqual({ dns: 0, prober: 0, account: 0, ...waited });
});

test('an invocation counts its own waits alone', async () => {
	const [short, long] = await Promise.all([10, 70].map((ms) => waitedFor(() => timed('dns', wait(ms)))));
	expect([short?.dns, long?.dns]).toEqual([10, 70]);
});
