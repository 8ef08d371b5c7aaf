import { describe, expect, test } from 'vitest';
import { remembered } from '../../../src/lib/expiring-map.ts';

const FRESH_MS = 10_000;
const PATIENCE_MS = 5_000;

/** A question that is answered when the test says so; sleeps end when the test lets time pass. */
function world() {
	let now = 0;
	let sleepers: { at: number; wake: () => void }[] = [];
	const asked: { answer(value: string): void; fail(): void }[] = [];
	const clock = {
		now: () => now,
		sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
	};
	const pass = (ms: number): void => {
		now += ms;
		for (const { at, wake } of sleepers) if (at <= now) wake();
		sleepers = sleepers.filter(({ at }) => at > now);
	};
	const ask = remembered(
		clock,
		{ freshMs: FRESH_MS, patienceMs: PATIENCE_MS },
		() =>
			new Promise<string>((resolve, reject) => {
				asked.push({ answer: resolve, fail: () => reject(new Error('no answer')) });
			}),
	);
	return { ask, asked, pass };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a question', () => {
	test('is asked once for all concurrent callers, and once in ten seconds', async () => {
		const { ask, asked, pass } = world();
		const all = Promise.all(Array.from({ length: 20 }, ask));
		asked[0]?.answer('well');
		expect(new Set(await all)).toEqual(new Set(['well']));
		pass(FRESH_MS - 1);
		expect(await ask()).toBe('well');
		expect(asked).toHaveLength(1);
		pass(1);
		const next = ask();
		asked[1]?.answer('ill');
		expect(await next).toBe('ill');
		expect(asked).toHaveLength(2);
	});

	test('that fails is not cached, and callers that waited for it ask again', async () => {
		const { ask, asked } = world();
		const [first, second] = [ask(), ask()];
		asked[0]?.fail();
		await expect(first).rejects.toThrow('no answer');
		await turn();
		asked[1]?.answer('well');
		expect(await second).toBe('well');
	});

	test('whose asker has gone delays others no longer than their patience', async () => {
		const { ask, asked, pass } = world();
		void ask();
		const second = ask();
		await turn();
		expect(asked).toHaveLength(1);
		pass(PATIENCE_MS);
		await turn();
		asked[1]?.answer('well');
		expect(await second).toBe('well');
	});
});
