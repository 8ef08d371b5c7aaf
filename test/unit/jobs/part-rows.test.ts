import * as fc from 'fast-check';
import { dueRows, faultPauseMs } from '../../../src/core/jobs/open-row.ts';
import { describe, expect, test } from 'vitest';
import { PartRows } from '../../../src/core/jobs/part-rows.ts';
import type { RowOutcome, Entry } from '../../../src/core/jobs/part-rows.ts';
import {
	decodeRows,
	encodeRows,
	giveUp,
	isDeferred,
	nextDueAt,
	tallyRows,
} from '../../../src/core/jobs/stored-row.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { NO_FACTS, storedRow } from '../../support/unit/listed-rows.ts';

const ENTRIES: readonly Entry[] = Array.from({ length: 6 }, (_, n) => [10 + n, `user${n}@x${n}.test`]);
const DELAYS_MS = [60_000, 300_000];

const rowOf = (index: number, subStatus: SubStatus) =>
	storedRow(index, `user${index - 10}@x${index - 10}.test`, subStatus);
const KINDS = ['found', 'again', 'broken', 'fault', 'no time', 'no capacity', 'in hand'] as const;
const HORIZON = 7_200_000;

function outcomeOf(kind: (typeof KINDS)[number], index: number, now: number): RowOutcome | null {
	switch (kind) {
		case 'found':
			return { kind: 'final', row: rowOf(index, 'accepted_email') };
		case 'again':
			return { kind: 'again', row: rowOf(index, 'greylisted') };
		case 'broken':
			return { kind: 'again', row: null };
		case 'fault':
			return { kind: 'later', until: null, row: null };
		case 'no time':
			return { kind: 'later', until: now, row: null };
		case 'no capacity':
			return { kind: 'later', until: now + 600_000, row: rowOf(index, 'no_capacity') };
		case 'in hand':
			return null;
	}
}

/** A part that one consumer after the other works on; each stores what it learnt, and dies. */
class PartLife {
	now = 1_000;
	stored = '';
	readonly asked = new Map<number, number>();
	#silentSince = this.now;

	get rows(): PartRows {
		return new PartRows(ENTRIES, decodeRows(this.stored), {
			delaysMs: DELAYS_MS,
			horizon: HORIZON,
			silentSince: this.#silentSince,
			giveUp: (row) => giveUp(row, NO_FACTS, 0),
		});
	}

	get isDone(): boolean {
		return this.rows.all.every((row) => !isDeferred(row));
	}

	turn(kindOf: (place: number) => (typeof KINDS)[number]): void {
		const { rows } = this;
		const due = rows.due(this.now);
		expect(due.length === 0).toBe(this.isDone);
		for (const [place, [index]] of due.entries()) {
			const outcome = outcomeOf(kindOf(place), index, this.now);
			if (outcome === null) continue;
			if (outcome.kind === 'again') this.asked.set(index, (this.asked.get(index) ?? 0) + 1);
			rows.record(index, outcome, this.now);
		}
		const { all } = rows;
		expect(all.map(([index, email]) => [index, email])).toEqual(ENTRIES);
		const [before, after] = [tallyRows(decodeRows(this.stored)), tallyRows(all)];
		for (const status of ['deliverable', 'unknown'] as const)
			expect(after[status]).toBeGreaterThanOrEqual(before[status]);
		if (rows.hasLearnt) {
			this.stored = encodeRows(all);
			this.#silentSince = this.now;
		}
		this.now = Math.max(this.now + 1_000, nextDueAt(all, false) ?? 0);
	}
}

test('with any outcomes and any deaths: one row per address, a final row stays, and every part ends', () => {
	const endings = fc.constantFrom('found', 'again', 'broken', 'fault', 'no capacity');
	const kinds = fc.array(fc.constantFrom(...KINDS), { minLength: 6, maxLength: 6 });
	fc.assert(
		fc.property(fc.array(kinds, { maxLength: 40 }), endings, (turns, last) => {
			const life = new PartLife();
			for (const turn of turns) life.turn((place) => turn[place] ?? 'found');
			// From here on all fare alike, and end all the same.
			for (let left = 300; left > 0 && !life.isDone; left -= 1) life.turn(() => last);
			expect(life.isDone).toBe(true);
			life.turn(() => last);
			// An answer is asked for once, and after each of the job's pauses.
			for (const times of life.asked.values()) expect(times).toBeLessThanOrEqual(DELAYS_MS.length + 1);
		}),
		{ numRuns: 300 },
	);
});

test('a part that is given up has only final rows, each for the reason of its last deferral', () => {
	const life = new PartLife();
	life.turn((place) => (['found', 'again', 'broken', 'fault', 'no time'] as const)[place] ?? 'found');
	const { rows } = life;
	rows.giveUp();
	const found = rows.all.map(([, , subStatus]) => subStatus).join(' ');
	const waiting = 'greylisted unexpected_error no_capacity no_capacity';
	expect(found).toBe(`accepted_email ${waiting} accepted_email`);
});

test('an address that is not due is not asked, and keeps its schedule', () => {
	const life = new PartLife();
	life.turn((place) => (place === 0 ? 'again' : 'fault'));
	const { rows, now } = life;
	expect(rows.due(now).map(([index]) => index)).toEqual(ENTRIES.map(([index]) => index));
	// The greylisted one has its second pause now, longer than what befalls the others.
	life.turn((place) => (place === 0 ? 'again' : 'fault'));
	const later = life.rows.due(life.now).map(([index]) => index);
	expect(later).toEqual(ENTRIES.slice(1).map(([index]) => index));
});

describe('a row that waits for us', () => {
	const [[index, email] = [0, '']] = ENTRIES;
	const full = { kind: 'later', row: rowOf(index, 'no_capacity') } as const;
	const fault = { kind: 'later', until: null, row: null } as const;

	test('comes back at the moment that was named, at a whole millisecond, and it counts as no attempt', () => {
		const { rows } = new PartLife();
		rows.due(1_000);
		rows.record(index, { ...full, until: 5_000.4 }, 1_000);
		expect(rows.all[0]).toEqual([index, email, null, 'no_capacity', 0, 5_001]);
		expect(rows.hasLearnt).toBe(false);
	});

	test('keeps the answers that it is still owed, and what it was told', () => {
		const { rows } = new PartLife();
		rows.record(index, { kind: 'again', row: rowOf(index, 'greylisted') }, 0);
		rows.record(index, fault, 20_000);
		expect(rows.all[0]).toEqual([index, email, null, 'greylisted', 1, 80_000]);
		rows.record(index, { kind: 'again', row: null }, 80_000);
		expect(rows.all[0]).toEqual([index, email, null, 'unexpected_error', 2, 80_000 + 300_000]);
		rows.record(index, { kind: 'again', row: rowOf(index, 'greylisted') }, 400_000);
		expect(rows.all[0]).toEqual(rowOf(index, 'greylisted'));
	});

	test.each([
		[HORIZON - 1, null],
		[HORIZON, 'no_capacity'],
	])('waits until the horizon of its job and no longer: at %i', (now, expected) => {
		for (const outcome of [{ ...full, until: now + 60_000 }, fault]) {
			const { rows } = new PartLife();
			rows.record(index, outcome, now);
			expect(rows.all[0]?.[2]).toBe(expected);
			if (expected === null) expect(rows.all[0]?.[5]).toBe(HORIZON);
		}
	});
});

test.each([
	['of a list a minute, then longer up to a quarter of an hour', DELAYS_MS, [60, 120, 180, 270, 405]],
	['of a small job its own pause', [3_000, 8_000], [3, 6, 9, 13.5, 20.25]],
])('a fault of ours puts rows %s', (_, delaysMs, expected) => {
	const times: number[] = [];
	for (let now = 0; now < 86_400_000; times.push(now / 1_000)) now += faultPauseMs(0, now, delaysMs);
	expect(times.slice(0, 5)).toEqual(expected);
	expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBe(15 * 60);
	expect(times.length).toBeLessThan(125);
});

test.each([
	['what has been due for long', [0, 5_000, 90_000], 60_000, [0, 5_000]],
	[
		'the soonest, where our clock is behind the one that woke us',
		[90_000, 91_500, 91_000],
		60_000,
		[90_000, 91_000],
	],
])('due together is %s, with what follows within a second', (_, dueAts, now, expected) => {
	const open = dueAts.map((at, n) => [n, 'ada@x.test', null, 'greylisted', 1, at] as const);
	expect(dueRows(open, now).map(([, , , , , at]) => at)).toEqual(expected);
});
