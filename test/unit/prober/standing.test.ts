import { describe, expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import { mailHostOf } from '../../../src/core/politeness/mail-host.ts';
import type { MailHost } from '../../../src/core/politeness/mail-host.ts';
import type { Observation } from '../../../src/core/politeness/pause.ts';
import { CONTROL, Standings } from '../../../src/prober/standing.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { meeting } from '../../support/unit/meeting.ts';
import { standingStore } from '../../support/unit/standing-store.ts';

const MINUTE = 60_000;
const EGRESS = 'socks5://one:1080';
const hostCalled = (host: string, egress = EGRESS): MailHost =>
	mailHostOf(host, findMailOperator([host])?.operator ?? null, egress);
const atRcpt = (domain: string): Observation => {
	return { kind: 'refused', why: 'probe_blocked', stage: 'rcpt', domain };
};
const makeMemory = (clock = fakeClock()): Standings => new Standings(clock, standingStore(clock));
const blocked = { kind: 'refused', why: 'probe_blocked', stage: 'greeting', domain: 'a.test' } as const;

test('a block on one egress says nothing of another egress, nor of another host', () => {
	const memory = makeMemory();
	memory.observed(hostCalled('mx.a.test'), blocked, meeting('a.test'));
	expect(memory.paused(hostCalled('mx.a.test'), meeting('b.test', 'acc_7'))?.why).toBe('probe_blocked');
	expect(memory.paused(hostCalled('mx.a.test', 'socks5://two:1080'), meeting('a.test', 'acc_7'))).toBeNull();
	expect(memory.paused(hostCalled('mx.b.test'), meeting('a.test', 'acc_7'))).toBeNull();
});

const [ORANGE, ORANGE_2] = [hostCalled('smtp-in.orange.fr'), hostCalled('smtp-in2.orange.fr')];
const ORANGE_3 = hostCalled('smtp-in3.orange.fr');

test('an operator that turns us away before RCPT is left alone as a whole', () => {
	const memory = makeMemory();
	for (const domain of ['orange.fr', 'wanadoo.fr'])
		memory.observed(ORANGE, { ...blocked, stage: 'mail', domain }, meeting(domain));
	expect(memory.paused(ORANGE_2, meeting('c.test', 'acc_7'))?.why).toBe('probe_blocked');
});

test('visitors have no vote, and hold back nothing', () => {
	const memory = makeMemory();
	for (const domain of ['a.test', 'b.test', 'c.test'])
		memory.observed(ORANGE, atRcpt(domain), meeting(domain, null));
	for (let times = 0; times < 5; times += 1) memory.observed(ORANGE, blocked, meeting('d.test', null));
	for (const domain of ['a.test', 'd.test', 'e.test'])
		expect(memory.paused(ORANGE, meeting(domain, 'acc_7'))).toBeNull();
	expect(memory.nextControl(ORANGE, null)).toBeNull();
});

describe('a refusal of a customer’s domain', () => {
	/** Two other accounts' domains were served in the last day. */
	const withControls = (clock = fakeClock()): Standings => {
		const memory = makeMemory(clock);
		memory.observed(ORANGE_2, { kind: 'served' }, meeting('good.test', 'acc_8'));
		memory.observed(ORANGE_3, { kind: 'served' }, meeting('fine.test', 'acc_9'));
		return memory;
	};
	const control = (domain: string) => meeting(domain, CONTROL);

	test('leaves that domain alone the second time, and nothing else', () => {
		const memory = withControls();
		for (let n = 0; n < 2; n += 1) memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test'));
		expect(memory.paused(ORANGE_2, meeting('a.test', 'acc_7'))).toMatchObject({
			why: 'probe_blocked',
			ofDomain: true,
		});
		expect(memory.paused(ORANGE_2, meeting('b.test', 'acc_7'))).toBeNull();
	});

	test('has a domain of another account asked, and means nothing for others if that is served', () => {
		const memory = withControls();
		memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test', 'acc_1', true));
		const first = memory.nextControl(ORANGE, null);
		expect(first).toMatchObject({ domain: 'good.test', host: ORANGE_2 });
		// Nobody else asks meanwhile.
		expect(memory.nextControl(ORANGE, null)).toBeNull();
		memory.observed(ORANGE_2, { kind: 'served' }, control('good.test'));
		expect(memory.nextControl(ORANGE, first)).toBeNull();
		expect(memory.paused(ORANGE_2, meeting('b.test', 'acc_7'))).toBeNull();
	});

	test('pauses the operator when all controls are refused as well', () => {
		const memory = withControls();
		memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test', 'acc_1', true));
		let asked = memory.nextControl(ORANGE, null);
		for (; asked !== null; asked = memory.nextControl(ORANGE, asked)) {
			expect(memory.paused(ORANGE, meeting('b.test', 'acc_7'))).toBeNull();
			memory.observed(asked.host, atRcpt(asked.domain), control(asked.domain));
		}
		expect(memory.paused(ORANGE, meeting('b.test', 'acc_7'))?.why).toBe('probe_blocked');
	});

	test('does not pause it when controls say nothing', () => {
		const memory = withControls();
		memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test'));
		for (let asked = memory.nextControl(ORANGE, null); asked !== null;)
			asked = memory.nextControl(ORANGE, asked);
		expect(memory.paused(ORANGE, meeting('b.test', 'acc_7'))).toBeNull();
	});

	test('has no control among the account’s own domains, nor among those of accounts that never paid', () => {
		const memory = makeMemory();
		memory.observed(ORANGE_2, { kind: 'served' }, meeting('mine.test', 'acc_1'));
		memory.observed(ORANGE_2, { kind: 'served' }, meeting('trial.test', 'acc_2', true));
		memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test', 'acc_1'));
		expect(memory.nextControl(ORANGE, null)).toBeNull();
	});

	test.each([
		['an account that never paid', true, 2],
		['an account that paid', false, 60],
	])('of %s has controls asked at most so often in two hours: %s', (_, isTrial, most) => {
		const clock = fakeClock();
		const memory = withControls(clock);
		let asked = 0;
		for (let n = 0; n < 240; n += 1) {
			memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test', `acc_${n % 2}`, isTrial));
			const one = memory.nextControl(ORANGE, null);
			if (one !== null) memory.observed(one.host, { kind: 'served' }, control(one.domain));
			asked += one === null ? 0 : 1;
			clock.advance(MINUTE / 2);
		}
		expect(asked).toBeGreaterThan(0);
		expect(asked).toBeLessThanOrEqual(most);
	});

	test('is not confirmed by new accounts that serve us first and then refuse us', () => {
		const clock = fakeClock();
		const memory = withControls(clock);
		clock.advance(MINUTE);
		for (const n of [1, 2, 3, 4])
			memory.observed(ORANGE, { kind: 'served' }, meeting(`bad${n}.test`, `acc_bad${n}`));
		memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test'));
		for (let asked = memory.nextControl(ORANGE, null); asked !== null;) {
			const isBad = asked.domain.startsWith('bad');
			memory.observed(asked.host, isBad ? atRcpt(asked.domain) : { kind: 'served' }, control(asked.domain));
			asked = memory.nextControl(ORANGE, asked);
		}
		expect(memory.paused(ORANGE, meeting('b.test', 'acc_7'))).toBeNull();
	});

	test('by accounts that never paid pauses no operator, however many they are', () => {
		const memory = makeMemory();
		for (let n = 0; n < 20; n += 1)
			memory.observed(ORANGE, atRcpt(`n${n}.test`), meeting(`n${n}.test`, `acc_${n}`, true));
		expect(memory.paused(ORANGE, meeting('b.test', 'acc_7'))).toBeNull();
	});

	test('where nobody was served in the last day holds back the accounts that met it, and nobody else', () => {
		const memory = makeMemory();
		memory.observed(ORANGE, atRcpt('a.test'), meeting('a.test'));
		memory.observed(ORANGE, atRcpt('sub.a.test'), meeting('sub.a.test'));
		expect(memory.paused(ORANGE, meeting('c.test', 'acc_7'))).toBeNull();
		memory.observed(ORANGE, atRcpt('b.test'), meeting('b.test'));
		expect(memory.paused(ORANGE, meeting('c.test', 'acc_1'))?.why).toBe('probe_blocked');
		expect(memory.paused(ORANGE, meeting('c.test', 'acc_7'))).toBeNull();
		memory.observed(ORANGE, atRcpt('d.test'), meeting('d.test', 'acc_2'));
		memory.observed(ORANGE, atRcpt('e.test'), meeting('e.test', 'acc_2'));
		expect(memory.paused(ORANGE, meeting('c.test', 'acc_2'))?.why).toBe('probe_blocked');
		expect(memory.paused(ORANGE, meeting('c.test', 'acc_7'))).toBeNull();
	});
});

test('a welcome ends a pause, unless it was a visitor’s', () => {
	const memory = makeMemory();
	const host = hostCalled('mx.a.test');
	memory.observed(host, blocked, meeting('a.test'));
	memory.observed(host, { kind: 'served' }, meeting('a.test', null));
	expect(memory.paused(host, meeting('a.test', 'acc_7'))?.why).toBe('probe_blocked');
	memory.observed(host, { kind: 'served' }, meeting('a.test'));
	expect(memory.paused(host, meeting('a.test', 'acc_7'))).toBeNull();
});

test('a pause ends by itself', () => {
	const clock = fakeClock();
	const memory = makeMemory(clock);
	const host = hostCalled('mx.a.test');
	memory.observed(host, blocked, meeting('a.test'));
	clock.advance(10 * MINUTE);
	expect(memory.paused(host, meeting('a.test', 'acc_7'))).toBeNull();
});
