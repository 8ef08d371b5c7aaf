import { expect, test } from 'vitest';
import { parseEgressList } from '../../../src/core/egress/egress.ts';
import { EgressHealth } from '../../../src/core/egress/egress-health.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const EGRESSES = parseEgressList('socks5://a.example socks5://b.example socks5://c.example');
const [A, B, C] = EGRESSES;
if (A === undefined || B === undefined || C === undefined) throw new Error('there are three');

test('an egress that failed is asked last, not never, and in the order given', () => {
	const health = new EgressHealth(fakeClock());
	expect(health.prefer(EGRESSES)).toEqual([A, B, C]);
	health.failed(A);
	expect(health.prefer(EGRESSES)).toEqual([B, C, A]);
	health.failed(B);
	expect(health.prefer(EGRESSES)).toEqual([C, A, B]);
	health.failed(C);
	expect(health.prefer(EGRESSES)).toEqual([A, B, C]);
	expect(health.prefer([C, A])).toEqual([C, A]);
});

test('it is out for ten seconds at first, and twice as long each time in a row, up to five minutes', () => {
	const clock = fakeClock();
	const health = new EgressHealth(clock);
	for (const pauseMs of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
		health.failed(A);
		clock.advance(pauseMs - 1);
		expect(health.prefer(EGRESSES)[0]).toBe(B);
		clock.advance(1);
		expect(health.prefer(EGRESSES)[0]).toBe(A);
	}
});

test('once it worked it is trusted again, and its next failure is a first one', () => {
	const clock = fakeClock();
	const health = new EgressHealth(clock);
	health.failed(A);
	health.failed(A);
	health.worked(A);
	expect(health.prefer(EGRESSES)[0]).toBe(A);
	health.failed(A);
	clock.advance(10_000);
	expect(health.prefer(EGRESSES)[0]).toBe(A);
});
