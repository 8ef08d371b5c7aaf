import { expect, test } from 'vitest';
import { OneAtATime } from '../../../src/lib/slots.ts';

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
