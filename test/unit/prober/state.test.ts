import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayOf } from '../../../src/core/politeness/day-book.ts';
import { UNBLEMISHED } from '../../../src/core/politeness/pause.ts';
import { mailHostOf } from '../../../src/core/politeness/mail-host.ts';
import type { RecipientReply } from '../../../src/core/smtp/session.ts';
import { Standings } from '../../../src/prober/standing.ts';
import { ProberState } from '../../../src/prober/state.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { meeting } from '../../support/unit/meeting.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailsonar-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
let file = '';
beforeEach(() => {
	files += 1;
	file = join(folder, `${files}.sqlite`);
});

const MINUTE = 60_000;
const HOST = mailHostOf('mx.a.test', null, 'direct');
const REPLIES: readonly RecipientReply[] = [
	{ recipient: 'qzx@a.test', reply: { code: 550, enhanced: '5.1.1', lines: ['5.1.1 no such user'] } },
];
const BLOCKED = { kind: 'refused', why: 'probe_blocked', stage: 'greeting', domain: 'a.test' } as const;

describe('a prober that starts again', () => {
	test('still leaves alone who refused it, until the pause ends', () => {
		const clock = fakeClock();
		const before = new ProberState(file, clock);
		new Standings(clock, before).observed(HOST, BLOCKED, meeting('a.test'));
		before.close();
		const after = new ProberState(file, clock);
		expect(new Standings(clock, after).paused(HOST, meeting('a.test', 'acc_7'))?.why).toBe('probe_blocked');
		expect(after.standings().map(({ name }) => name)).toContain('mx.a.test by direct');
		clock.advance(10 * MINUTE);
		expect(new Standings(clock, after).paused(HOST, meeting('a.test', 'acc_7'))).toBeNull();
		after.close();
	});

	test('has forgotten who welcomed it since', () => {
		const clock = fakeClock();
		const before = new ProberState(file, clock);
		const standings = new Standings(clock, before);
		standings.observed(HOST, BLOCKED, meeting('a.test'));
		standings.observed(HOST, { kind: 'served' }, meeting('a.test'));
		before.close();
		const after = new ProberState(file, clock);
		// It is asked less for a while, and by everybody again.
		expect(after.standings().map(({ name, standing }) => [name, standing.pause])).toEqual([
			['mx.a.test by direct', null],
		]);
		after.close();
	});

	test('knows what a domain said to invented recipients, for as long as that is believed', () => {
		const clock = fakeClock();
		const before = new ProberState(file, clock);
		before.keep('a.test', REPLIES, clock.now(), clock.now() + MINUTE);
		before.close();
		const after = new ProberState(file, clock);
		expect(after.find('a.test', clock.now())).toEqual(REPLIES);
		expect(after.find('b.test', clock.now())).toBeNull();
		expect(after.find('a.test', clock.now() + MINUTE)).toBeNull();
		after.close();
	});
});

test('a file that can not be opened is an error, and no reason to forget', () => {
	expect(() => new ProberState('/nowhere/at/all/prober.sqlite', fakeClock())).toThrow('unable to open');
});

describe('a damaged file', () => {
	/** A file with enough in it to have pages that can be damaged. */
	function kept(clock = fakeClock()): void {
		const state = new ProberState(file, clock);
		for (let n = 0; n < 200; n += 1) state.keep(`d${n}.test`, REPLIES, clock.now(), clock.now() + MINUTE);
		state.close();
	}
	/** Writes other bytes over a part of the file. */
	function damaged(from: number, to: number): void {
		const bytes = readFileSync(file);
		writeFileSync(file, bytes.fill(0xa5, from, Math.min(to, bytes.length)));
	}

	test.each<[string, () => void]>([
		['is no database', () => writeFileSync(file, 'hello'.repeat(1_000))],
		['has lost its head', () => damaged(0, 100)],
		['has lost the page of its tables', () => damaged(100, 4_096)],
		['has lost what it held', () => damaged(4_096, Infinity)],
	])('that %s is set aside with the time, and the prober begins anew', (_, damage) => {
		const said = vi.spyOn(console, 'error').mockImplementation(() => {});
		kept();
		damage();
		const before = readFileSync(file);
		const clock = fakeClock();
		const state = new ProberState(file, clock);
		expect([state.setAsideAt, state.isFailing]).toEqual([clock.now(), false]);
		state.keep('a.test', REPLIES, clock.now(), clock.now() + MINUTE);
		state.close();
		expect(said.mock.calls.flat().join('\n')).toContain('prober_state_set_aside');
		said.mockRestore();
		const aside = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.damaged-`));
		expect(aside.map((name) => readFileSync(join(folder, name)).equals(before))).toContain(true);
		expect(aside[0]).toContain('2026-11-21T10-00-00-000Z');
		const again = new ProberState(file, clock);
		expect([again.setAsideAt, again.find('a.test', clock.now())]).toEqual([null, REPLIES]);
		again.close();
	});

	test('with one row that can not be read loses that row alone', () => {
		const clock = fakeClock();
		kept(clock);
		const db = new DatabaseSync(file);
		db.exec(`INSERT INTO standings VALUES ('google by direct', '{"pause', ${clock.now() + MINUTE})`);
		db.close();
		const state = new ProberState(file, clock);
		expect([state.setAsideAt, state.standing('google by direct')]).toEqual([null, null]);
		expect(state.find('d1.test', clock.now())).toEqual(REPLIES);
		state.close();
	});
});

describe('whoever brings names without end', () => {
	// What is out of date or too much is removed once in a thousand writes.
	const [MOST, CLEANING] = [500, 1_000];
	const limits = { standings: MOST, growths: MOST, invented: MOST, spent: MOST, asked: MOST };
	const rowsOf = (table: string): number => {
		const db = new DatabaseSync(file);
		const { rows } = db.prepare(`SELECT COUNT(*) AS rows FROM ${table}`).get() as { rows: number };
		db.close();
		return rows;
	};
	const later = (clock: ReturnType<typeof fakeClock>, n: number): number => clock.now() + MINUTE + n;

	test.each<[string, (state: ProberState, n: number, clock: ReturnType<typeof fakeClock>) => void]>([
		['invented', (state, n, clock) => state.keep(`d${n}.test`, REPLIES, clock.now(), later(clock, n))],
		[
			'spent',
			(state, n, clock) =>
				state.keepSpent(`mx${n} by direct`, { day: dayOf(clock.now()), shares: { acc_1: n + 1 } }),
		],
		[
			'growths',
			(state, n, clock) => {
				const day = dayOf(clock.now());
				// What was earned gives way to nothing that a stranger's first day brings.
				state.keepGrowth(`${n} by direct`, { factor: 1, goodDays: n === 0 ? 14 : 1, day });
			},
		],
		['standings', (state, n, clock) => state.keepStanding(`mx${n} by direct`, UNBLEMISHED, later(clock, n))],
	])('fills the table of %s up to its limit, and no further', (table, write) => {
		const clock = fakeClock();
		const state = new ProberState(file, clock, limits);
		for (let n = 0; n < MOST; n += 1) write(state, n, clock);
		state.commit();
		expect(rowsOf(table)).toBe(MOST);
		for (let n = MOST; n < 5 * CLEANING; n += 1) write(state, n, clock);
		state.commit();
		expect(rowsOf(table)).toBeLessThanOrEqual(MOST + CLEANING);
		// Those that count most are there still.
		write(state, 0, clock);
		state.close();
		const again = new ProberState(file, clock, limits);
		const last = 5 * CLEANING - 1;
		expect(again.find(`d${last}.test`, clock.now())).toEqual(table === 'invented' ? REPLIES : null);
		expect(again.spent(`mx${last} by direct`, dayOf(clock.now()))?.shares ?? null).toEqual(
			table === 'spent' ? { acc_1: last + 1 } : null,
		);
		expect(again.growth('0 by direct')?.goodDays ?? null).toBe(table === 'growths' ? 14 : null);
		expect(again.standing(`mx${last} by direct`)).toEqual(table === 'standings' ? UNBLEMISHED : null);
		expect(again.standings()).toHaveLength(table === 'standings' ? MOST : 0);
		again.close();
	});
});

test('a crash loses a tenth of a second, and no refusal', () => {
	vi.useFakeTimers();
	const clock = fakeClock();
	const state = new ProberState(file, clock);
	const rowsOf = (table: string): number => {
		const db = new DatabaseSync(file, { readOnly: true });
		const rows = db.prepare(`SELECT * FROM ${table}`).all();
		db.close();
		return rows.length;
	};
	state.keep('a.test', REPLIES, clock.now(), clock.now() + MINUTE);
	vi.advanceTimersByTime(100);
	expect(rowsOf('invented')).toBe(1);
	new Standings(clock, state).observed(HOST, BLOCKED, meeting('a.test'));
	expect(rowsOf('standings')).toBe(1);
	state.close();
	vi.useRealTimers();
});

test('a disk that fails costs memory and no answer, and is said once', () => {
	const said = vi.spyOn(console, 'error').mockImplementation(() => {});
	const log = vi.spyOn(console, 'log').mockImplementation(() => {});
	const clock = fakeClock();
	const state = new ProberState(file, clock);
	// As good as a disk that is gone.
	state.close();
	state.keep('a.test', REPLIES, clock.now(), clock.now() + MINUTE);
	expect(state.find('a.test', clock.now())).toBeNull();
	const standings = new Standings(clock, state);
	standings.observed(HOST, BLOCKED, meeting('a.test'));
	expect(standings.paused(HOST, meeting('a.test', 'acc_7'))?.why).toBe('probe_blocked');
	expect(state.isFailing).toBe(true);
	const lines = [...said.mock.calls, ...log.mock.calls].filter((each) =>
		String(each).includes('prober_state'),
	);
	expect(lines).toHaveLength(1);
	vi.restoreAllMocks();
});

describe('the accounts that asked about a domain', () => {
	const NOW = Date.UTC(2026, 10, 22, 12);
	const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];

	test('are found by domain and day, those that asked most first, also after a restart', () => {
		const clock = fakeClock(NOW);
		const before = new ProberState(file, clock);
		before.noteAsked(A, 'acc_1', 2);
		before.noteAsked(A, 'acc_2', 4);
		before.noteAsked(A, 'acc_1', 3);
		before.noteAsked(B, 'acc_3', 9);
		before.close();
		const after = new ProberState(file, clock);
		expect(after.askersOf(A, '2026-11-22')).toEqual([
			{ asker: 'acc_1', addresses: 5 },
			{ asker: 'acc_2', addresses: 4 },
		]);
		expect(after.askersOf(A, '2026-11-21')).toEqual([]);
		expect(after.askersOf('%', '2026-11-22')).toEqual([]);
		after.close();
	});

	test.each([
		[7, 1],
		[8, 0],
	])('are known after %i days: %i', (days, known) => {
		const clock = fakeClock(NOW);
		const state = new ProberState(file, clock);
		state.noteAsked(A, 'acc_1', 1);
		clock.advance(days * 86_400_000);
		// Old rows go with every thousandth write.
		for (let writes = 0; writes < 1_000; writes += 1) state.noteAsked(B, 'acc_2', 1);
		expect(state.askersOf(A, '2026-11-22')).toHaveLength(known);
		state.close();
	});

	test('fill no disk: the oldest give way', () => {
		const clock = fakeClock(NOW);
		const state = new ProberState(file, clock, { standings: 1, growths: 1, invented: 1, spent: 1, asked: 2 });
		state.noteAsked(A, 'acc_1', 1);
		clock.advance(86_400_000);
		for (let writes = 0; writes < 1_000; writes += 1) state.noteAsked(B, `acc_${writes % 3}`, 1);
		expect(state.askersOf(A, '2026-11-22')).toEqual([]);
		state.close();
	});
});
