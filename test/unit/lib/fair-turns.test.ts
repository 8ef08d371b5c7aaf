import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairTurns } from '../../../src/lib/fair-turns.ts';

const SPACING_MS = 1_000;
const LOOK_MS = 100;
const PATIENCE_MS = 60_000;

/** Every request looks each tenth of a second. Returns the askers in the order of their turns, with the times. */
function served(requests: readonly { readonly asker: string; readonly at: number }[]) {
	const turns = new FairTurns(SPACING_MS);
	const arriving = requests.toSorted((a, b) => a.at - b.at);
	const waiting: NonNullable<ReturnType<FairTurns['enter']>>[] = [];
	const order: { readonly asker: string; readonly at: number }[] = [];
	for (let now = 0; now <= PATIENCE_MS; now += LOOK_MS) {
		while (arriving[0] !== undefined && arriving[0].at <= now) {
			const waiter = turns.enter(arriving.shift()!.asker, now, PATIENCE_MS);
			if (waiter !== null) waiting.push(waiter);
		}
		for (const waiter of [...waiting])
			if (turns.take(waiter, now)) {
				order.push({ asker: waiter.asker, at: now });
				waiting.splice(waiting.indexOf(waiter), 1);
			}
	}
	return order;
}

test('an asker with one request waits for one turn of each other asker at most, however many they want', () => {
	const greedy = fc.array(
		fc.record({
			asker: fc.constantFrom('a', 'b', 'c'),
			at: fc.integer({ min: 0, max: 100 }).map((n) => n * LOOK_MS),
		}),
		{ maxLength: 40 },
	);
	fc.assert(
		fc.property(greedy, fc.integer({ min: 0, max: 100 }), (others, tenths) => {
			const arrivedAt = tenths * LOOK_MS;
			const order = served([...others, { asker: 'one', at: arrivedAt }]);
			const own = order.find(({ asker }) => asker === 'one');
			const before = order.filter(({ at }) => at > arrivedAt && at < (own?.at ?? Infinity));
			expect(own).toBeDefined();
			expect(before.length).toBeLessThanOrEqual(3);
			expect((own?.at ?? Infinity) - arrivedAt).toBeLessThanOrEqual(4 * SPACING_MS);
			const gaps = order.slice(1).map(({ at }, n) => at - (order[n]?.at ?? 0));
			expect(gaps.every((gap) => gap >= SPACING_MS)).toBe(true);
		}),
		{ numRuns: 200 },
	);
});

test('an asker’s own requests beyond its patience are not taken in', () => {
	const turns = new FairTurns(SPACING_MS);
	const own = Array.from({ length: 10 }, () => turns.enter('a', 0, 3_000));
	expect(own.filter((waiter) => waiter !== null)).toHaveLength(4);
	expect(turns.enter('b', 0, 3_000)).not.toBeNull();
});

test('a request that ended without a word keeps no other waiting for long', () => {
	const turns = new FairTurns(SPACING_MS);
	turns.enter('gone', 0, 3_000);
	const waiter = turns.enter('here', 0, 3_000)!;
	const looks = Array.from({ length: 20 }, (_, n) => turns.take(waiter, n * LOOK_MS));
	expect(looks.indexOf(true) * LOOK_MS).toBeLessThanOrEqual(1_100);
});
