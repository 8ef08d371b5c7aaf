import { expect, test } from 'vitest';
import { egressTable } from '../../../tools/egress-table.ts';
import type { ToldProber } from '../../../tools/egress-table.ts';

const UNTIL = '2026-11-22T10:00:00.000Z';
const prober = (changes: object = {}): ToldProber => ({
	prober: 'p1.example',
	draining: false,
	connections: 3,
	waiting: 1,
	stateFails: false,
	stateSetAsideAt: null,
	egresses: ['direct://192.0.2.1', 'direct://192.0.2.2'],
	paused: [],
	...changes,
});
/** Cells are two spaces apart. */
const cellsOf = (probers: readonly ToldProber[]): readonly string[] =>
	egressTable(probers)
		.split('\n')
		.slice(1)
		.map((line) => line.trim().split(/ {2,}/).join('|'));

test('a prober has a line for each source address', () => {
	expect(cellsOf([prober()])).toEqual([
		'p1.example|works|3|1|ok|direct://192.0.2.1|–|–',
		'direct://192.0.2.2|–|–',
	]);
});

test('each operator that is left alone has a line, with whom it holds up', () => {
	const paused = [
		{ egress: 'direct://192.0.2.2', operator: 'google', only: null, why: 'rate_limited', until: UNTIL },
		{ egress: 'direct://192.0.2.2', operator: 'yahoo', only: 'acc_1', why: 'probe_blocked', until: UNTIL },
		{ egress: 'direct', operator: 'mx.x.test', only: null, why: 'probe_blocked', until: UNTIL },
	];
	expect(cellsOf([prober({ paused, draining: true, stateFails: true })])).toEqual([
		'p1.example|drains|3|1|FAILS|direct://192.0.2.1|–|–',
		`direct://192.0.2.2|google|${UNTIL} (rate limited)`,
		`direct://192.0.2.2|yahoo, for acc_1|${UNTIL} (probe blocked)`,
		`direct|mx.x.test|${UNTIL} (probe blocked)`,
	]);
});

test('a prober whose memory was damaged says since when it learns anew', () => {
	expect(cellsOf([prober({ stateSetAsideAt: UNTIL })])[0]).toContain(`|set aside ${UNTIL}|`);
});

test('below, each operator that was asked of late has a line with what is left of its budget', () => {
	const asked = {
		egress: 'direct://192.0.2.1',
		operator: 'google',
		standing: { kind: 'good', share: 1 },
		connections: 4,
		backlog: 12,
		perMinute: 120,
		perDay: 20_000,
		leftThisMinute: 0,
		leftToday: 11_304,
		usedToday: { visitors: 12, trials: 30, accounts: 8_654 },
		mostToday: [
			['acc_1', 8_600],
			['unpaid/acc_2', 41],
		] as const,
	};
	const slowed = { ...asked, operator: 'gmx', standing: { kind: 'slowed', share: 0.5 } };
	expect(cellsOf([prober({ operators: [asked, slowed] })]).slice(3)).toEqual([
		'SOURCE ADDRESS|OPERATOR|STANDING|CONNECTIONS|WAITING|LEFT THIS MINUTE|LEFT TODAY|USED TODAY BY ACCOUNTS, TRIALS, VISITORS|MOST TODAY',
		`direct://192.0.2.1|google|good|4|12|0 of 120|11304 of 20000|8654, 30, 12|acc_1 8600, unpaid/acc_2 41`,
		'direct://192.0.2.1|gmx|slowed, at 50 %|4|12|0 of 120|11304 of 20000|8654, 30, 12|acc_1 8600, unpaid/acc_2 41',
	]);
});

test('a prober that does not answer is a line that says so', () => {
	const silent = ['silent', 'unreachable', 'refuses_token', 'nonsense'];
	expect(cellsOf(silent.map((why) => ({ prober: 'p2.example', silent: why })))).toEqual([
		'p2.example|does not answer',
		'p2.example|cannot be reached',
		'p2.example|refuses our token',
		'p2.example|answers nonsense',
	]);
});

test('where there is no prober, that is said', () => {
	expect(egressTable([])).toContain('PROBERS');
});
