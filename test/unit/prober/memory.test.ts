import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, dayOf } from '../../../src/lib/time.ts';
import { parseEgressList } from '../../../src/core/egress/egress.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import { Gate } from '../../../src/core/turns/gate.ts';
import { gateName } from '../../../src/core/turns/names.ts';
import { pausedBecause, UNBLEMISHED } from '../../../src/core/turns/pause.ts';
import type { RecipientReply } from '../../../src/core/smtp/session.ts';
import { withSystemSource } from '../../../src/prober/dial/source-towards.ts';
import { ProberMemory } from '../../../src/prober/memory.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailsonar-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
let file = '';
let clock = fakeClock();
beforeEach(() => {
	files += 1;
	file = join(folder, `${files}.sqlite`);
	clock = fakeClock();
});

/** The memory of a prober that starts, after the one before has stopped. */
function started(limits: ConstructorParameters<typeof ProberMemory>[2] = {}): ProberMemory {
	stop();
	running = new ProberMemory(file, clock, limits);
	return running;
}
function stop(): void {
	running?.close();
	running = null;
}
let running: ProberMemory | null = null;
afterEach(stop);

const MINUTE = 60_000;
const GATE = 'google by direct';
const REPLIES: readonly RecipientReply[] = [
	{ recipient: 'qzx@a.test', reply: { code: 550, enhanced: '5.1.1', lines: ['5.1.1 no such user'] } },
];
/** How many entries of a kind the file has. */
function rowsOf(kind: string): number {
	const db = new DatabaseSync(file, { readOnly: true });
	const rows = db.prepare('SELECT name FROM kept WHERE kind = ?').all(kind);
	db.close();
	return rows.length;
}
const pausedUntil = (until: number) => ({ ...UNBLEMISHED, pause: { until, why: 'probe_blocked' } as const });

describe('a prober that starts again', () => {
	test('still leaves alone who refused it, and knows for a day that it did', () => {
		const before = started();
		const standing = pausedUntil(clock.now() + 10 * MINUTE);
		before.keepStanding(GATE, standing);
		before.keepStanding('apple by direct', standing);
		before.keepStanding('apple by direct', UNBLEMISHED);
		const after = started();
		expect(after.standings()).toEqual([{ name: GATE, standing }]);
		clock.advance(10 * MINUTE + 86_400_000);
		expect([after.standing(GATE), after.standings()]).toEqual([UNBLEMISHED, []]);
	});

	test('knows what was used of the day, and since when its source address is used', () => {
		const before = started();
		const spent = { day: dayOf(clock.now()), total: 7, shares: { acc_1: 7 } };
		const since = before.usedSince('direct');
		before.keepSpent(GATE, { spent });
		before.keepStanding(GATE, pausedUntil(clock.now() + MINUTE));
		clock.advance(86_400_000);
		const after = started();
		// Yesterday's says who else asks there.
		expect([after.spentOf(GATE), after.usedSince('direct')]).toEqual([spent, since]);
		clock.advance(86_400_000);
		expect([after.spentOf(GATE), after.usedSince('direct')]).toEqual([null, since]);
	});

	test('knows what a domain said to invented recipients, for as long as that is believed', () => {
		const before = started();
		before.keep('a.test', REPLIES, clock.now() + MINUTE);
		const after = started();
		expect(after.find('a.test', clock.now())).toEqual(REPLIES);
		expect(after.find('b.test', clock.now())).toBeNull();
		expect(after.find('a.test', clock.now() + MINUTE)).toBeNull();
	});
});

test('a clock that was ahead keeps nobody waiting for a time that it made up', () => {
	const [ahead, right] = [fakeClock(), clock];
	ahead.advance(400 * DAY_MS);
	clock = ahead;
	const before = started();
	const perDay = { ...budgetOf('google'), recipientsPerDay: 5 };
	const gate = new Gate(() => perDay);
	const who = { member: 'acc_1', isDoubtful: false, class: 'single' } as const;
	gate.take({ ...who, least: 5, most: 5, dials: false }, 5, ahead.now());
	before.usedSince('direct');
	before.keepSpent(GATE, gate);
	before.keepStanding(GATE, pausedUntil(ahead.now() + 10 * MINUTE));
	before.keep('a.test', REPLIES, ahead.now() + MINUTE);
	clock = right;
	const after = started();
	expect(after.usedSince('direct')).toBe(clock.now());
	expect(pausedBecause(after.standing(GATE), clock.now())).toBeNull();
	expect(after.find('a.test', clock.now())).toBeNull();
	const again = new Gate(() => perDay, after.spentOf(GATE));
	expect(again.figures(clock.now()).leftToday).toBe(5);
	const later = started();
	clock.advance(DAY_MS);
	expect(later.usedSince('direct')).toBe(clock.now() - DAY_MS);
});

test('a file that can not be opened is an error, and no reason to forget', () => {
	expect(() => new ProberMemory('/nowhere/at/all/prober.sqlite', fakeClock())).toThrow('unable to open');
});

describe('a damaged file', () => {
	/** A file with enough in it to have pages that can be damaged. */
	function kept(): void {
		const state = started();
		for (let n = 0; n < 200; n += 1) state.keep(`d${n}.test`, REPLIES, clock.now() + MINUTE);
		stop();
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
		const state = started();
		expect([state.setAsideAt, state.isFailing]).toEqual([clock.now(), false]);
		state.keep('a.test', REPLIES, clock.now() + MINUTE);
		stop();
		expect(said.mock.calls.flat().join('\n')).toContain('prober_state_set_aside');
		said.mockRestore();
		const aside = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.damaged-`));
		expect(aside.map((name) => readFileSync(join(folder, name)).equals(before))).toContain(true);
		expect(aside[0]).toContain('2026-11-21T10-00-00-000Z');
		const again = started();
		expect([again.setAsideAt, again.find('a.test', clock.now())]).toEqual([null, REPLIES]);
	});

	test('with one row that can not be read loses that row alone', () => {
		kept();
		const db = new DatabaseSync(file);
		db.exec(`INSERT INTO kept VALUES ('standing', '${GATE}', '{"pause', ${clock.now() + MINUTE})`);
		db.close();
		const state = started();
		expect([state.setAsideAt, state.standing(GATE)]).toEqual([null, UNBLEMISHED]);
		expect(state.find('d1.test', clock.now())).toEqual(REPLIES);
	});
});

// What is out of date or too much is removed once in a thousand writes.
const [MOST, CLEANING] = [500, 1_000];
const limits = { standing: MOST, spent: MOST, domain: MOST };
test.each<[string, (memory: ProberMemory, n: number, now: number) => void]>([
	['domain', (memory, n, now) => memory.keep(`d${n}.test`, REPLIES, now + MINUTE + n)],
	[
		'spent',
		(memory, n, now) =>
			memory.keepSpent(`mx${n} by direct`, {
				spent: { day: dayOf(now), total: n + 1, shares: { acc_1: n + 1 } },
			}),
	],
	['standing', (memory, n, now) => memory.keepStanding(`mx${n} by direct`, pausedUntil(now + MINUTE + n))],
])('whoever brings names without end fills no disk (%s)', (kind, write) => {
	const memory = started(limits);
	memory.usedSince('direct');
	for (let n = 0; n < 5 * CLEANING; n += 1) write(memory, n, clock.now());
	// What is thrown out is thrown out with the next thousand.
	for (let n = 0; n <= CLEANING; n += 1) memory.keep('a.test', REPLIES, clock.now() + MINUTE);
	stop();
	expect(rowsOf(kind)).toBeLessThanOrEqual(MOST + CLEANING);
	const again = started(limits);
	clock.advance(MINUTE / 2);
	// How long a source address is used is never thrown out.
	expect(again.usedSince('direct')).toBe(clock.now() - MINUTE / 2);
	expect(again.standings().length).toBeLessThanOrEqual(MOST);
});

test('nothing looks through all that is remembered, which may be a million rows', () => {
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	const memory = started({ asked: 1 });
	for (let n = 0; n <= 1_000; n += 1) memory.noteAsked('a'.repeat(32), `acc_${n}`, 1);
	memory.askersOf('a'.repeat(32), '2026-11-21');
	stop();
	const queries = prepare.mock.calls.map(([query]) => query).filter((query) => !query.startsWith('REPLACE'));
	prepare.mockRestore();
	const db = new DatabaseSync(file);
	const plans = queries.flatMap((query) => db.prepare(`EXPLAIN QUERY PLAN ${query}`).all());
	db.close();
	expect(plans.map(({ detail }) => detail)).toContain(
		'SEARCH kept USING INDEX kept_until (kind=? AND until<?)',
	);
	expect(plans.filter(({ detail }) => String(detail).startsWith('SCAN'))).toEqual([]);
});

test('a crash loses a second, and no refusal', () => {
	vi.useFakeTimers();
	const state = started();
	state.keep('a.test', REPLIES, clock.now() + MINUTE);
	vi.advanceTimersByTime(1_000);
	expect(rowsOf('domain')).toBe(1);
	state.keepStanding(GATE, pausedUntil(clock.now() + MINUTE));
	expect(rowsOf('standing')).toBe(1);
	vi.useRealTimers();
});

test('a disk that fails costs memory and no answer, and is said once', () => {
	const said = vi.spyOn(console, 'error').mockImplementation(() => {});
	const log = vi.spyOn(console, 'log').mockImplementation(() => {});
	const state = new ProberMemory(file, clock);
	// As good as a disk that is gone.
	state.close();
	state.keep('a.test', REPLIES, clock.now() + MINUTE);
	state.keepStanding(GATE, pausedUntil(clock.now() + MINUTE));
	state.keepSpent(GATE, { spent: { day: 0, total: 0, shares: {} } });
	expect(state.standing(GATE).pause?.why).toBe('probe_blocked');
	expect(state.isFailing).toBe(true);
	expect(state.find('a.test', clock.now())).toBeNull();
	const lines = [...said.mock.calls, ...log.mock.calls].filter((each) =>
		String(each).includes('prober_state'),
	);
	expect(lines).toHaveLength(1);
	vi.restoreAllMocks();
});

describe('the accounts that asked about a domain', () => {
	const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];

	test('are found by domain and day, those that asked most first, also after a restart', () => {
		const before = started();
		before.noteAsked(A, 'acc_1', 2);
		before.noteAsked(A, 'acc_2', 4);
		before.noteAsked(A, 'acc_1', 3);
		before.noteAsked(B, 'acc_3', 9);
		const after = started();
		expect(after.askersOf(A, '2026-11-21')).toEqual([
			{ asker: 'acc_1', addresses: 5 },
			{ asker: 'acc_2', addresses: 4 },
		]);
		expect(after.askersOf(A, '2026-11-20')).toEqual([]);
		expect(after.askersOf('%', '2026-11-21')).toEqual([]);
	});

	test.each([
		[7, 1],
		[8, 0],
	])('are known after %i days: %i', (days, known) => {
		const state = started();
		state.noteAsked(A, 'acc_1', 1);
		clock.advance(days * 86_400_000);
		// Old rows go with every thousandth write.
		for (let writes = 0; writes < 1_000; writes += 1) state.noteAsked(B, 'acc_2', 1);
		expect(state.askersOf(A, '2026-11-21')).toHaveLength(known);
	});

	test('fill no disk: the oldest give way', () => {
		const state = started({ asked: 2 });
		state.noteAsked(A, 'acc_1', 1);
		clock.advance(86_400_000);
		for (let writes = 0; writes < 1_000; writes += 1) state.noteAsked(B, `acc_${writes % 3}`, 1);
		expect(state.askersOf(A, '2026-11-21')).toEqual([]);
	});
});

const PUBLIC = '93.184.216.34';

test.each<[string, string, string, { system?: string | null; kept?: boolean }]>([
	['is named by its address', 'direct', `direct://${PUBLIC}`, {}],
	['loses its name', `direct://${PUBLIC}`, 'direct', {}],
	['is written in another way', 'direct://[2001:DB8:0::25]', 'direct://[2001:db8::25]', {}],
	['has a new HELO name', `direct://${PUBLIC}?helo=a.test`, `direct://${PUBLIC}?helo=b.test`, {}],
	['moves behind TLS', 'socks5://p.test?helo=v1.test', 'socks5s://q.test:443?helo=V1.test', {}],
	// What operators see is new.
	['has a new address', 'direct://192.0.2.1', 'direct://192.0.2.2', { kept: false }],
	['is another proxy, with no name of its own', 'socks5://p.test', 'socks5://q.test', { kept: false }],
	['is behind a NAT, where nobody knows', 'direct', 'direct://10.0.0.5', { system: '10.0.0.5', kept: false }],
	['has no route at the moment', 'direct', `direct://${PUBLIC}`, { system: null, kept: false }],
])('a way out that %s: warm-up and standing', async (_, before, after, { system = PUBLIC, kept = true }) => {
	const refused = { ...UNBLEMISHED, struckAt: 1, factor: 0.5 };
	const look = async (list: string) => {
		const [way] = await withSystemSource(parseEgressList(list), () => Promise.resolve(system));
		const { source = '' } = way ?? {};
		return { memory: started(), source };
	};
	const first = await look(before);
	const since = first.memory.usedSince(first.source);
	clock.advance(3 * DAY_MS);
	first.memory.keepStanding(gateName('google', first.source), refused);
	const second = await look(after);
	expect(second.memory.usedSince(second.source)).toBe(kept ? since : clock.now());
	expect(second.memory.standing(gateName('google', second.source))).toEqual(kept ? refused : UNBLEMISHED);
});
