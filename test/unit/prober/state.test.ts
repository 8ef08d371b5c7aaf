import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailHostOf } from '../../../src/core/politeness/mail-host.ts';
import type { RecipientReply } from '../../../src/core/smtp/session.ts';
import { Standings } from '../../../src/prober/standing.ts';
import { ProberState } from '../../../src/prober/state.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

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
		new Standings(clock, before).observed(HOST, BLOCKED, 'acc_1');
		before.close();
		const after = new ProberState(file, clock);
		expect(new Standings(clock, after).paused(HOST, 'acc_2')?.why).toBe('probe_blocked');
		expect(after.standings().map(({ name }) => name)).toContain('mx.a.test by direct');
		clock.advance(10 * MINUTE);
		expect(new Standings(clock, after).paused(HOST, 'acc_2')).toBeNull();
		after.close();
	});

	test('has forgotten who welcomed it since', () => {
		const clock = fakeClock();
		const before = new ProberState(file, clock);
		const standings = new Standings(clock, before);
		standings.observed(HOST, BLOCKED, 'acc_1');
		standings.observed(HOST, { kind: 'served' }, 'acc_1');
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
	standings.observed(HOST, BLOCKED, 'acc_1');
	expect(standings.paused(HOST, 'acc_2')?.why).toBe('probe_blocked');
	expect(state.isFailing).toBe(true);
	const lines = [...said.mock.calls, ...log.mock.calls].filter((each) =>
		String(each).includes('prober_state'),
	);
	expect(lines).toHaveLength(1);
	vi.restoreAllMocks();
});
