import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateMeter } from '../../../src/core/politeness/rate-meter.ts';

const MINUTE = 60_000;

/** Asks over and over, and sends what is granted after a while; when what went out. */
function busy(
	perMinute: number,
	asks: readonly { least: number; more: number; laterMs: number; pauseMs: number; urgent: boolean }[],
) {
	const meter = new RateMeter();
	const sent: { at: number; count: number }[] = [];
	const due: { at: number; count: number }[] = [];
	let now = 0;
	const sendUntil = (until: number): void => {
		due.sort((a, b) => a.at - b.at);
		while ((due[0]?.at ?? Infinity) <= until) {
			const one = due.shift();
			if (one === undefined) break;
			meter.send(one.at, one.count);
			sent.push(one);
		}
	};
	for (const { least, more, laterMs, pauseMs, urgent } of asks) {
		now += pauseMs;
		sendUntil(now);
		const count = meter.room(now, { least, most: least + more, perMinute, urgent });
		meter.hold(count);
		if (count > 0) due.push({ at: now + laterMs, count });
	}
	sendUntil(Infinity);
	return sent;
}

test('in any sixty seconds no more goes out than the limit, whenever it goes out after it was granted', () => {
	const ask = fc.record({
		least: fc.integer({ min: 1, max: 6 }),
		more: fc.integer({ min: 0, max: 60 }),
		laterMs: fc.integer({ min: 0, max: 30_000 }),
		pauseMs: fc.integer({ min: 0, max: 8_000 }),
		urgent: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.integer({ min: 6, max: 240 }), fc.array(ask, { maxLength: 150 }), (perMinute, asks) => {
			const sent = busy(perMinute, asks);
			for (const { at } of sent) {
				const within = sent.filter((one) => one.at > at - MINUTE && one.at <= at);
				expect(within.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(perMinute);
			}
		}),
	);
});

test.each([6, 10, 30, 54, 108, 216])(
	'all of %i a minute is used where there is enough to ask',
	(perMinute) => {
		const meter = new RateMeter();
		let count = 0;
		for (let now = 0; now < 10 * MINUTE; now += 250) {
			const room = meter.room(now, { least: 1, most: 60, perMinute });
			if (room > 0) meter.send(now, room);
			count += room;
		}
		expect(count).toBe(10 * perMinute);
	},
);

test('a minute’s worth does not go out at once', () => {
	const meter = new RateMeter();
	expect(meter.room(0, { least: 1, most: 500, perMinute: 120 })).toBe(24);
	meter.send(0, 24);
	expect(meter.room(9_999, { least: 1, most: 500, perMinute: 120 })).toBe(0);
	expect(meter.room(10_000, { least: 1, most: 500, perMinute: 120 })).toBe(24);
});

test('whoever waits for the answer finds what lists may not use, also where these were just served', () => {
	const meter = new RateMeter();
	meter.send(0, meter.room(0, { least: 1, most: 500, perMinute: 54 }));
	const calls = { least: 1, most: 1, perMinute: 60, urgent: true };
	for (let n = 0; n < 6; n += 1) {
		expect(meter.room(n, calls)).toBe(1);
		meter.send(n, 1);
	}
	expect(meter.nextAt(6, calls)).toBe(6);
});

test('who needs more than a short while’s share has it to himself', () => {
	const meter = new RateMeter();
	expect(meter.room(0, { least: 4, most: 4, perMinute: 6 })).toBe(4);
	meter.send(0, 1);
	expect(meter.room(1, { least: 4, most: 4, perMinute: 6 })).toBe(0);
	expect(meter.room(10_000, { least: 4, most: 4, perMinute: 6 })).toBe(4);
});

test('there is room when it was said, and not before', () => {
	const use = fc.record({
		count: fc.integer({ min: 1, max: 10 }),
		pauseMs: fc.integer({ min: 0, max: 9_000 }),
	});
	const least = fc.integer({ min: 1, max: 6 });
	fc.assert(
		fc.property(fc.array(use, { maxLength: 40 }), least, (uses, wanted) => {
			const meter = new RateMeter();
			let now = 0;
			for (const { count, pauseMs } of uses) {
				now += pauseMs;
				const room = meter.room(now, { least: 1, most: count, perMinute: 30 });
				if (room > 0) meter.send(now, room);
			}
			const of = { least: wanted, most: wanted, perMinute: 30 };
			const at = meter.nextAt(now, of);
			if (at > now) expect(meter.room(at - 1, of)).toBe(0);
			expect(meter.room(at, of)).toBe(wanted);
		}),
	);
});

test('what was granted and not asked is given back', () => {
	const meter = new RateMeter();
	meter.hold(24);
	expect(meter.room(0, { least: 1, most: 1, perMinute: 120 })).toBe(0);
	meter.giveBack(20);
	meter.send(0, 4);
	expect([meter.used(0), meter.held]).toEqual([4, 0]);
	expect(meter.used(MINUTE)).toBe(0);
});
