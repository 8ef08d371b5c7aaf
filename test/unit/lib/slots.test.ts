import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Slots } from '../../../src/lib/slots.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';

test('never more than so many work at once, all come to their turn, and one that fails makes room', async () => {
	const jobs = fc.array(fc.record({ ms: fc.nat({ max: 20 }), fails: fc.boolean() }), { maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(jobs, fc.integer({ min: 1, max: 5 }), async (list, count) => {
			const clock = virtualClock();
			const slots = new Slots(count);
			let working = 0;
			let most = 0;
			const work = list.map(({ ms, fails }, index) =>
				slots.run(async () => {
					working += 1;
					most = Math.max(most, working);
					await clock.sleep(ms);
					working -= 1;
					if (fails) throw new Error('failed');
					return index;
				}),
			);
			const ends = await clock.run(Promise.allSettled(work));
			expect(ends.map(({ status }) => status === 'rejected')).toEqual(list.map(({ fails }) => fails));
			expect(most).toBe(Math.min(count, list.length));
		}),
		{ numRuns: 40 },
	);
});

test('slots are given in the order in which they were asked for', async () => {
	const slots = new Slots(1);
	const order: number[] = [];
	const { promise: held, resolve: free } = Promise.withResolvers<void>();
	const first = slots.run(() => held);
	const waits = [1, 2, 3].map((n) => slots.run(async () => void order.push(n)));
	free();
	await Promise.all([first, ...waits]);
	expect(order).toEqual([1, 2, 3]);
});
