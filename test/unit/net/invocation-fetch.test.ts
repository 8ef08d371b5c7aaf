import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withInvocation } from '../../../src/lib/invocation.ts';
import { CONNECTIONS_MAX, invocationFetch } from '../../../src/net/invocation-fetch.ts';

// A server that answers when it is told to, and counts who waits.
let url: string;
let waiting: (() => void)[] = [];
let most = 0;
const server = createServer((_, response) => {
	waiting.push(() => response.end('ok'));
	most = Math.max(most, waiting.length);
});

beforeAll(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const visit = async (signal?: AbortSignal): Promise<string> =>
	(await invocationFetch(url, signal === undefined ? {} : { signal })).text();
/** Answers whoever waits, until all have been answered. */
async function answerAll<T>(work: Promise<T>): Promise<T> {
	const state = { isOver: false };
	const over = (): void => void (state.isOver = true);
	work.then(over, over);
	while (!state.isOver) {
		const [next] = waiting.splice(0, 1);
		next?.();
		await new Promise(setImmediate);
	}
	return work;
}

describe('an invocation', () => {
	test('waits for six responses at a time at most, and all are served', async () => {
		most = 0;
		const all = withInvocation(() => Promise.all(Array.from({ length: 20 }, () => visit())));
		await expect.poll(() => waiting.length).toBe(CONNECTIONS_MAX);
		expect(await answerAll(all)).toEqual(Array.from({ length: 20 }, () => 'ok'));
		expect(most).toBe(CONNECTIONS_MAX);
	});

	test('has nothing to do with another', async () => {
		const one = withInvocation(() => Promise.all(Array.from({ length: 6 }, () => visit())));
		const other = withInvocation(() => Promise.all(Array.from({ length: 6 }, () => visit())));
		await expect.poll(() => waiting.length).toBe(12);
		await answerAll(Promise.all([one, other]));
	});

	test('gives the place of whoever lost patience to the next', async () => {
		const abort = new AbortController();
		const all = withInvocation(async () => {
			const held = Array.from({ length: 6 }, () => visit());
			const impatient = visit(abort.signal);
			const patient = visit();
			abort.abort(new Error('no patience'));
			await expect(impatient).rejects.toThrow('no patience');
			return Promise.all([...held, patient]);
		});
		await expect.poll(() => waiting.length).toBe(6);
		expect(await answerAll(all)).toHaveLength(7);
	});
});
