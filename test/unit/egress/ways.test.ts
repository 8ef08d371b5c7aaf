import { expect, test } from 'vitest';
import { parseEgressList } from '../../../src/core/egress/egress.ts';
import { orderByRendezvous, Ways } from '../../../src/core/egress/ways.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const KEY = 'x.test';
const EGRESSES = orderByRendezvous(
	parseEgressList('socks5://a.example socks5://b.example socks5://c.example'),
	KEY,
);
const [A, B, C] = EGRESSES;
if (A === undefined || B === undefined || C === undefined) throw new Error('there are three');

test('an egress that failed is asked last, not never, and in the order given', () => {
	const ways = new Ways(EGRESSES, fakeClock());
	expect(ways.inOrder(KEY)).toEqual([A, B, C]);
	ways.failed(A);
	expect(ways.inOrder(KEY)).toEqual([B, C, A]);
	ways.failed(B);
	expect(ways.inOrder(KEY)).toEqual([C, A, B]);
	ways.failed(C);
	expect(ways.inOrder(KEY)).toEqual([A, B, C]);
	expect([ways.serving([C, A]), ways.serving(EGRESSES)]).toEqual([[C, A], EGRESSES]);
	ways.worked(B);
	expect(ways.serving(EGRESSES)).toEqual([B]);
});

test('it is out for ten seconds at first, and twice as long each time in a row, up to five minutes', () => {
	const clock = fakeClock();
	const ways = new Ways(EGRESSES, clock);
	for (const pauseMs of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
		ways.failed(A);
		clock.advance(pauseMs - 1);
		expect(ways.inOrder(KEY)[0]).toBe(B);
		clock.advance(1);
		expect(ways.inOrder(KEY)[0]).toBe(A);
	}
});

test('once it worked it is trusted again, and its next failure is a first one', () => {
	const clock = fakeClock();
	const ways = new Ways(EGRESSES, clock);
	ways.failed(A);
	ways.failed(A);
	ways.worked(A);
	expect(ways.inOrder(KEY)[0]).toBe(A);
	ways.failed(A);
	clock.advance(10_000);
	expect(ways.inOrder(KEY)[0]).toBe(A);
});
