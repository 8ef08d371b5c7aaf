import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { OneAtATime, Slots } from '../../../src/lib/slots.ts';
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

/** A clock whose time goes on with each sleep, and whose sleepers wake up in their order. */
function restlessClock() {
	let now = 0;
	return {
		now: () => now,
		sleep: async (ms: number) => {
			now += Math.max(1, ms);
			await new Promise<void>((resolve) => setImmediate(resolve));
		},
	};
}

test('work is done one piece at a time, in its order, and others go on between its steps', async () => {
	const works = new OneAtATime(restlessClock());
	const said: string[] = [];
	const others = { goOn: true, steps: 0 };
	const other = (async () => {
		while (others.goOn) {
			await new Promise<void>((resolve) => setImmediate(resolve));
			others.steps += 1;
		}
	})();
	const work = (name: string) =>
		works.run(async (pause) => {
			for (let step = 0; step < 3; step += 1) {
				said.push(`${name}${step}`);
				await pause();
			}
			return name;
		});
	expect(await Promise.all([work('a'), work('b'), work('c')])).toEqual(['a', 'b', 'c']);
	others.goOn = false;
	await other;
	expect(said).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2', 'c0', 'c1', 'c2']);
	expect(others.steps).toBeGreaterThanOrEqual(said.length);
});

test('work that fails lets the next one in', async () => {
	const works = new OneAtATime(restlessClock());
	const failing = works.run(() => Promise.reject(new Error('no list')));
	const next = works.run(() => Promise.resolve('done'));
	await expect(failing).rejects.toThrow('no list');
	expect(await next).toBe('done');
});

test('work whose request has ended half-way does not block others for good', async () => {
	const works = new OneAtATime(restlessClock());
	void works.run(() => new Promise(() => {}));
	expect(await works.run(() => Promise.resolve('done'))).toBe('done');
});
