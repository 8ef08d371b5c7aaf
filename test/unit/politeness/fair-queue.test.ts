import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../../src/core/politeness/fair-queue.ts';
import type { Waiter } from '../../../src/core/politeness/fair-queue.ts';

const RANKS = { single: 0, small: 1, list: 2 };
const waiter = (asker: string | null, rank: keyof typeof RANKS, changes: Partial<Waiter> = {}): Waiter => ({
	asker,
	rank: RANKS[rank],
	recipients: 10,
	since: 0,
	...changes,
});

/** Serves all, one after the other. */
function drain(queue: FairQueue<Waiter>, now = 0): Waiter[] {
	const served: Waiter[] = [];
	for (;;) {
		const [next] = queue.inTurn(now);
		if (next === undefined) return served;
		queue.serve(next, next.recipients, now);
		served.push(next);
	}
}

describe('whose turn it is', () => {
	test('callers before small jobs, and those before lists', () => {
		const queue = new FairQueue<Waiter>();
		for (const rank of ['list', 'small', 'single'] as const) queue.add(waiter(rank, rank));
		expect(drain(queue).map(({ asker }) => asker)).toEqual(['single', 'small', 'list']);
	});

	test('a thousand questions of one account cost another one nothing', () => {
		const queue = new FairQueue<Waiter>();
		for (let at = 0; at < 1_000; at += 1) queue.add(waiter('acc_1', 'list'));
		for (let at = 0; at < 3; at += 1) queue.add(waiter('acc_2', 'list'));
		const first = drain(queue)
			.slice(0, 6)
			.map(({ asker }) => asker);
		expect(first.filter((asker) => asker === 'acc_2')).toHaveLength(3);
	});

	test('who comes late has nothing to catch up on', () => {
		const queue = new FairQueue<Waiter>();
		for (let at = 0; at < 100; at += 1) queue.add(waiter('acc_1', 'list'));
		for (let at = 0; at < 50; at += 1) {
			const [next] = queue.inTurn(0);
			if (next !== undefined) queue.serve(next, 10, 0);
		}
		for (let at = 0; at < 100; at += 1) queue.add(waiter('acc_2', 'list'));
		const next = drain(queue).slice(0, 20);
		const ofNew = next.filter(({ asker }) => asker === 'acc_2').length;
		expect(ofNew).toBeGreaterThanOrEqual(9);
		expect(ofNew).toBeLessThanOrEqual(11);
	});

	test('a list that has waited for forty seconds comes before nobody, and after nobody', () => {
		const queue = new FairQueue<Waiter>();
		const old = waiter('acc_1', 'list', { since: 0 });
		queue.add(old);
		for (let at = 0; at < 10; at += 1) queue.add(waiter(`acc_${at + 2}`, 'single', { since: 35_000 }));
		expect(queue.inTurn(39_999).at(-1)).toBe(old);
		expect(queue.inTurn(40_000)[0]).toBe(old);
	});

	test('lists that all wait for long, since there are so many, do not come before a small job', () => {
		const queue = new FairQueue<Waiter>();
		for (let at = 0; at < 10; at += 1) queue.add(waiter(`acc_${at}`, 'list'));
		const [first] = queue.inTurn(0);
		if (first !== undefined) queue.serve(first, 10, 14_000);
		const small = waiter('acc_small', 'small', { since: 15_000 });
		queue.add(small);
		expect(queue.inTurn(15_000)[0]).toBe(small);
		// Small jobs alone for twenty seconds: then it is a list's turn as well.
		expect(queue.inTurn(33_999)[0]).toBe(small);
		expect(queue.inTurn(34_000)[0]?.rank).toBe(RANKS.list);
	});
});

test('who goes round gets as much as anybody else who asks for as much, whatever the sizes of the questions', () => {
	const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 40, maxLength: 40 });
	fc.assert(
		fc.property(fc.tuple(sizes, sizes, sizes), (askers) => {
			const queue = new FairQueue<Waiter>();
			askers.forEach((each, asker) =>
				each.forEach((recipients) => queue.add(waiter(`acc_${asker}`, 'list', { recipients }))),
			);
			const got = [0, 0, 0];
			const left = askers.map((each) => each.length);
			for (;;) {
				const [next] = queue.inTurn(0);
				if (next === undefined || left.includes(0)) break;
				queue.serve(next, next.recipients, 0);
				const asker = Number(next.asker?.slice(4));
				got[asker] = (got[asker] ?? 0) + next.recipients;
				left[asker] = (left[asker] ?? 0) - 1;
			}
			// Never more than one question apart.
			expect(Math.max(...got) - Math.min(...got)).toBeLessThanOrEqual(60);
		}),
	);
});

test('how much comes before one’s turn: all of one’s own, and of each other asker as much', () => {
	const queue = new FairQueue<Waiter>();
	for (let at = 0; at < 50; at += 1) queue.add(waiter('acc_1', 'list'));
	queue.add(waiter('acc_2', 'single'));
	queue.add(waiter('acc_3', 'list'));
	const mine = waiter('acc_3', 'list');
	queue.add(mine);
	expect(queue.before(mine)).toBe(20 + 10 + 10);
});
