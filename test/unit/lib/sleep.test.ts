import { expect, test, vi } from 'vitest';
import { sleep } from '../../../src/lib/time.ts';

test.each<[string, (abort: AbortController) => void]>([
	['before it began', (abort) => abort.abort()],
	['meanwhile', (abort) => setImmediate(() => abort.abort())],
])('a wait whose signal aborts %s ends at once, and leaves no timer behind', async (_, end) => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	const abort = new AbortController();
	end(abort);
	await sleep(60_000, abort.signal);
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
});

test('a wait that is over listens to its signal no longer', async () => {
	const { signal } = new AbortController();
	const listening = vi.spyOn(signal, 'addEventListener');
	const over = vi.spyOn(signal, 'removeEventListener');
	await sleep(1, signal);
	expect(over.mock.calls.map(([name]) => name)).toEqual(listening.mock.calls.map(([name]) => name));
});
