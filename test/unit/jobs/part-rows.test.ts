import * as fc from 'fast-check';
import { PUT_OFF_MAX_MS } from '../../../src/core/jobs/schedule.ts';
import { describe, expect, test } from 'vitest';
import { PartRows } from '../../../src/core/jobs/part-rows.ts';
import type { TurnOutcome, Entry, PartOptions } from '../../../src/core/jobs/part-rows.ts';
import {
	decodeRows,
	encodeRows,
	giveUp,
	isDeferred,
	nextDueAt,
	tallyRows,
	toStoredRow,
} from '../../../src/core/jobs/stored-row.ts';
import type { FinalRow } from '../../../src/core/jobs/stored-row.ts';
import { decidedBy } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';

const LISTS = {
	freeEmail: false,
	roleAccount: false,
	disposable: false,
	noReply: false,
	suggestedDomain: null,
};
const ENTRIES: readonly Entry[] = Array.from({ length: 6 }, (_, n) => [10 + n, `user${n}@x${n}.test`]);
const DELAYS_MS = [60_000, 300_000];

const rowOf = (index: number, subStatus: SubStatus): FinalRow =>
	toStoredRow(
		index,
		{ email: `user${index - 10}@x${index - 10}.test` },
		LISTS,
		decidedBy('smtp', subStatus),
		7,
	);
const termsOf = (postponedSince: number | null = null): PartOptions => ({
	delaysMs: DELAYS_MS,
	horizon: HORIZON,
	postponedSince,
	giveUp: (row) => giveUp(row, LISTS, 7),
});
const KINDS = ['found', 'again', 'broken', 'fault', 'no time', 'no capacity', 'in hand'] as const;
const HORIZON = 7_200_000;

function outcomeOf(kind: (typeof KINDS)[number], index: number, now: number): TurnOutcome | null {
	switch (kind) {
		case 'found':
			return { kind: 'final', row: rowOf(index, 'accepted_email') };
		case 'again':
			return { kind: 'again', row: rowOf(index, 'greylisted'), afterMs: null };
		case 'broken':
			return { kind: 'again', row: null, afterMs: null };
		case 'fault':
			return { kind: 'put_off' };
		case 'no time':
			return { kind: 'not_reached' };
		case 'no capacity':
			return { kind: 'postponed', until: now + 600_000, row: rowOf(index, 'no_capacity') };
		case 'in hand':
			return null;
	}
}

/** A part that one consumer after the other works on; each stores what it learnt, and dies. */
class PartLife {
	now = 1_000;
	stored = '';
	readonly asked = new Map<number, number>();
	#postponedSince: number | null = null;

	get rows(): PartRows {
		return new PartRows(ENTRIES, decodeRows(this.stored), termsOf(this.#postponedSince));
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
			expect(after.counts[status]).toBeGreaterThanOrEqual(before.counts[status]);
		const isStored = rows.hasLearnt || (rows.waits && !rows.onlyWait);
		if (isStored) this.stored = encodeRows(all);
		this.#postponedSince = isStored || rows.onlyWait ? null : (this.#postponedSince ?? this.now);
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
			for (let left = 300; left > 0; left -= 1) life.turn(() => last);
			expect(life.isDone).toBe(true);
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
	expect(rows.all.map(([, , subStatus]) => subStatus)).toEqual([
		'accepted_email',
		'greylisted',
		'unexpected_error',
		'unexpected_error',
		'unexpected_error',
		'accepted_email',
	]);
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

describe('a row for which we have no capacity', () => {
	const full = { kind: 'postponed', row: rowOf(10, 'no_capacity') } as const;

	test('comes back at the moment that was named, and it counts as no attempt', () => {
		const rows = new PartRows(ENTRIES, [], termsOf());
		rows.due(1_000);
		for (let now = 1_000; now < 50_000; now += 5_000) rows.record(10, { ...full, until: now + 5_000 }, now);
		const [row] = rows.all;
		expect(row).toEqual([10, ENTRIES[0]?.[1], null, 'no_capacity', 0, 51_000, null]);
		expect(rows).toMatchObject({ hasLearnt: false, onlyWait: true });
	});

	test('is not given up for a moment without time before a long wait', () => {
		const horizon = 2 * PUT_OFF_MAX_MS;
		const rows = new PartRows(ENTRIES, [], { ...termsOf(), horizon });
		rows.due(0);
		rows.record(10, { kind: 'not_reached' }, 1_000);
		rows.record(10, { ...full, until: horizon - 2 }, 2_000);
		rows.record(10, { kind: 'not_reached' }, horizon - 1);
		expect(rows.all[0]).toEqual([10, ENTRIES[0]?.[1], null, 'no_capacity', 0, horizon - 1, null]);
	});

	test('has its time without our faults stored, so that the wait counts as none', () => {
		const rows = new PartRows(ENTRIES, [], termsOf(500));
		rows.due(1_000);
		rows.record(10, { ...full, until: 61_000 }, 1_000);
		expect(rows.all[0]).toEqual([10, ENTRIES[0]?.[1], null, 'no_capacity', 0, 61_000, 60_500]);
		expect(rows).toMatchObject({ waits: true, onlyWait: false });
	});

	test.each([
		[HORIZON - 1, false],
		[HORIZON, true],
	])('waits until the horizon of its job and no longer: at %i', (now, isFinal) => {
		const rows = new PartRows(ENTRIES, [], termsOf());
		rows.due(0);
		rows.record(10, { ...full, until: now + 60_000 }, now);
		const [row] = rows.all;
		expect(row?.[2]).toBe(isFinal ? 'no_capacity' : null);
		if (!isFinal) expect(row?.[5]).toBe(HORIZON);
	});
});
