import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { WaitingLine } from '../../../src/lib/waiting-line.ts';
import type { LineOptions, Party, Place } from '../../../src/lib/waiting-line.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';

const STRANGER = { network: '192.0.2', hasWorked: false };
const OTHER = { network: '198.51.100', hasWorked: false };
const WORKED = { network: '192.0.2', hasWorked: true };
const REST_MS = 100;
const WORK_MS = 150;
// Nothing of a cancelled request ever runs again: no timer of it rings, and no work of it ends.
const NEVER = new Promise<void>(() => {});

function lineWith(options: Partial<LineOptions> = {}) {
	const clock = virtualClock();
	const resting: Promise<void>[] = [];
	const cancelled = { next: false };
	const line = new WaitingLine({
		places: 1_000,
		strangerPlaces: 1_000,
		placesPerNetwork: 1_000,
		placesPerKnown: 1_000,
		restMs: REST_MS,
		now: () => clock.now(),
		sleep: (ms) => (cancelled.next ? NEVER : clock.sleep(ms)),
		later: (work) => void resting.push(work()),
		...options,
	});
	const enter = (who: Party = STRANGER): Place => {
		const place = line.enter(who);
		if (place === null) throw new Error('the line is full');
		return place;
	};
	return { clock, line, enter, cancelled, rested: () => Promise.all(resting) };
}

test('one at a time, in order, and while others wait a rest after each, no shorter than its work; one that fails makes room', async () => {
	const jobs = fc.array(fc.record({ ms: fc.nat({ max: 300 }), fails: fc.boolean() }), { maxLength: 15 });
	await fc.assert(
		fc.asyncProperty(jobs, async (list) => {
			const { clock, line, enter } = lineWith();
			const spans: { readonly index: number; readonly from: number; readonly to: number }[] = [];
			const work = list.map(({ ms, fails }, index) =>
				line.run(enter(), async () => {
					const from = clock.now();
					await clock.sleep(ms);
					spans.push({ index, from, to: clock.now() });
					if (fails) throw new Error('failed');
				}),
			);
			const ends = await clock.run(Promise.allSettled(work));
			expect(ends.map(({ status }) => status === 'rejected')).toEqual(list.map(({ fails }) => fails));
			expect(spans.map(({ index }) => index)).toEqual(list.map((_, index) => index));
			for (const [n, next] of spans.slice(1).entries()) {
				const { from = 0, to = Infinity } = spans[n] ?? {};
				expect(next.from - to).toBeGreaterThanOrEqual(Math.max(REST_MS, to - from));
			}
		}),
		{ numRuns: 40 },
	);
});

test('work is answered before its rest, and there is no rest where no other work waits', async () => {
	const { clock, line, enter } = lineWith();
	const begun = clock.now();
	const work = async () => line.run(enter(), () => clock.sleep(WORK_MS));
	await clock.run(work());
	await clock.run(work());
	expect(clock.now() - begun).toBe(2 * WORK_MS);
	const other = enter();
	await clock.run(work());
	expect(clock.now() - begun).toBe(3 * WORK_MS);
	await clock.run(line.run(other, () => clock.sleep(WORK_MS)));
	expect(clock.now() - begun).toBeGreaterThanOrEqual(5 * WORK_MS);
});

test.each<[string, Partial<LineOptions>, readonly Party[], Party]>([
	['strangers, all together', { strangerPlaces: 3 }, [STRANGER, STRANGER, OTHER], STRANGER],
	['strangers of one network', { placesPerNetwork: 2 }, [STRANGER, WORKED], STRANGER],
	['strangers that have worked', { strangerPlaces: 2 }, [WORKED, WORKED], WORKED],
	['one known party', { placesPerKnown: 2 }, ['ada', 'ada'], 'ada'],
	['all requests', { places: 3 }, ['ada', STRANGER, 'bob'], 'carol'],
])(
	'its places are limited for %s, from their arrival until the end of their rest',
	async (_, options, inLine, next) => {
		const { clock, line, enter, rested } = lineWith(options);
		const places = inLine.map((who) => enter(who));
		expect(line.enter(next)).toBeNull();
		const work = places.map((place) => line.run(place, () => clock.sleep(WORK_MS)));
		expect(line.enter(next)).toBeNull();
		await clock.run(Promise.all(work));
		await clock.run(rested());
		for (let n = 0; n < places.length; n += 1) expect(line.enter(next)).not.toBeNull();
		expect(line.enter(next)).toBeNull();
	},
);

test('it is crowded when half of its places for strangers are taken, whatever the others', () => {
	const { line, enter } = lineWith({ strangerPlaces: 4, places: 9, placesPerKnown: 9 });
	for (const who of ['ada', 'ada', 'ada', STRANGER]) enter(who);
	expect(line.isCrowded()).toBe(false);
	const second = enter();
	expect(line.isCrowded()).toBe(true);
	line.leave(second);
	expect(line.isCrowded()).toBe(false);
});

test('a place that is given back is free again, and one that still gets ready does not block others', async () => {
	const { clock, line, enter } = lineWith({ places: 2 });
	const slow = enter();
	line.leave(enter());
	const order: string[] = [];
	const work = async (place: Place, name: string) => line.run(place, async () => void order.push(name));
	await clock.run(work(enter('ada'), 'ada'));
	await clock.run(work(slow, 'slow'));
	expect(order).toEqual(['ada', 'slow']);
});

test('full of anonymous requests it still has places for known parties', async () => {
	const { clock, line, enter } = lineWith({ strangerPlaces: 2, places: 3, placesPerKnown: 1 });
	const order: Party[] = [];
	const work = [STRANGER, STRANGER, 'ada'].map((who) =>
		line.run(enter(who), async () => void order.push(who)),
	);
	expect(line.enter(STRANGER)).toBeNull();
	await clock.run(Promise.all(work));
	expect(order).toEqual([STRANGER, STRANGER, 'ada']);
});

test.each(['getting ready', 'waiting', 'at work'] as const)(
	'a request that was cancelled while it was %s holds nobody up for good',
	async (state) => {
		const { clock, line, enter, cancelled } = lineWith({ places: 3 });
		const before = line.run(enter(), () => clock.sleep(WORK_MS));
		const gone = enter();
		cancelled.next = true;
		if (state === 'waiting') void line.run(gone, () => Promise.reject(new Error('nobody is there any more')));
		cancelled.next = false;
		await clock.run(before);
		if (state === 'at work') void line.run(gone, () => NEVER);
		expect(await clock.run(line.run(enter(), () => Promise.resolve('done')))).toBe('done');
		await clock.run(clock.sleep(5_000));
		for (let n = 0; n < 3; n += 1) expect(line.enter(STRANGER)).not.toBeNull();
	},
);

test('a request that prepared so long that it lost its place works all the same', async () => {
	const { clock, line, enter } = lineWith({ places: 1 });
	const slow = enter();
	await clock.run(clock.sleep(60_000));
	const other = line.run(enter(), () => clock.sleep(WORK_MS));
	expect(await clock.run(line.run(slow, () => Promise.resolve('done')))).toBe('done');
	await other;
});

test('strangers that have worked find a place when others, of however many networks, have filled theirs', () => {
	const { line } = lineWith({ strangerPlaces: 4, placesPerNetwork: 2, places: 9 });
	const crowd = Array.from({ length: 16 }, (_, n) => line.enter({ network: `203.0.${n}`, hasWorked: false }));
	expect(crowd.filter((place) => place !== null)).toHaveLength(4);
	expect(line.enter(STRANGER)).toBeNull();
	expect(line.enter(WORKED)).not.toBeNull();
});
