import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withInvocation } from '../../../src/lib/invocation.ts';
import { CONNECTIONS_MAX, invocationFetch } from '../../../src/net/invocation-fetch.ts';

// Requests are answered when the test says so, and counted while they wait.
const waiting: PromiseWithResolvers<Response>[] = [];
let most = 0;
beforeEach(() => {
	vi.stubGlobal('fetch', () => {
		const asked = Promise.withResolvers<Response>();
		most = Math.max(most, waiting.push(asked));
		return asked.promise;
	});
});
afterEach(() => void vi.unstubAllGlobals());

const visit = async (init: RequestInit = {}): Promise<string> =>
	(await invocationFetch('https://x.test/', init)).text();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Answers whoever waits, until all have been answered. */
async function answerAll<T>(work: Promise<T>): Promise<T> {
	const state = { isOver: false };
	const over = (): void => void (state.isOver = true);
	work.then(over, over);
	for (; !state.isOver; await turn()) waiting.shift()?.resolve(new Response('ok'));
	return work;
}

describe('an invocation', () => {
	test('waits for six responses at a time at most, and all are served', async () => {
		const all = withInvocation(() => Promise.all(Array.from({ length: 20 }, () => visit())));
		await turn();
		expect(waiting).toHaveLength(CONNECTIONS_MAX);
		expect(await answerAll(all)).toEqual(Array.from({ length: 20 }, () => 'ok'));
		expect(most).toBe(CONNECTIONS_MAX);
	});

	test('has nothing to do with another', async () => {
		const one = withInvocation(() => Promise.all(Array.from({ length: 6 }, () => visit())));
		const other = withInvocation(() => Promise.all(Array.from({ length: 6 }, () => visit())));
		await turn();
		expect(waiting).toHaveLength(12);
		await answerAll(Promise.all([one, other]));
	});

	test('gives the place of whoever lost patience to the next', async () => {
		const abort = new AbortController();
		const all = withInvocation(async () => {
			const held = Array.from({ length: 6 }, () => visit());
			const impatient = visit({ signal: abort.signal });
			const patient = visit();
			abort.abort(new Error('no patience'));
			await expect(impatient).rejects.toThrow('no patience');
			return Promise.all([...held, patient]);
		});
		await turn();
		expect(waiting).toHaveLength(6);
		expect(await answerAll(all)).toHaveLength(7);
	});
});
