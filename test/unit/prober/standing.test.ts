import { expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import { mailHostOf } from '../../../src/core/politeness/mail-host.ts';
import type { MailHost } from '../../../src/core/politeness/mail-host.ts';
import type { Observation } from '../../../src/core/politeness/pause.ts';
import { Standings } from '../../../src/prober/standing.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
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
	memory.observed(hostCalled('mx.a.test'), blocked, 'acc_1');
	expect(memory.paused(hostCalled('mx.a.test'), 'acc_2')?.why).toBe('probe_blocked');
	expect(memory.paused(hostCalled('mx.a.test', 'socks5://two:1080'), 'acc_1')).toBeNull();
	expect(memory.paused(hostCalled('mx.b.test'), 'acc_1')).toBeNull();
});

const [ORANGE, ORANGE_2] = [hostCalled('smtp-in.orange.fr'), hostCalled('smtp-in2.orange.fr')];

test('an operator that turns us away is left alone as a whole, by everybody', () => {
	const memory = makeMemory();
	for (const domain of ['orange.fr', 'wanadoo.fr'])
		memory.observed(ORANGE, { ...blocked, stage: 'mail', domain }, 'acc_1');
	expect(memory.paused(ORANGE_2, 'acc_2')?.why).toBe('probe_blocked');
	expect(memory.paused(ORANGE_2, null)?.why).toBe('probe_blocked');
});

test('what whoever is not signed in meets holds back only such, and only at the one host', () => {
	const memory = makeMemory();
	for (const domain of ['a.test', 'b.test', 'c.test']) memory.observed(ORANGE, atRcpt(domain), null);
	for (let times = 0; times < 5; times += 1) memory.observed(ORANGE, blocked, null);
	expect(memory.paused(ORANGE, null)?.why).toBe('probe_blocked');
	expect(memory.paused(ORANGE, 'acc_1')).toBeNull();
	expect(memory.paused(ORANGE_2, null)).toBeNull();
});

test('an account whose own domains refuse us is held back alone, and two accounts speak for all', () => {
	const memory = makeMemory();
	for (const domain of ['a.test', 'b.test', 'c.test']) memory.observed(ORANGE, atRcpt(domain), 'acc_1');
	expect(memory.paused(ORANGE_2, 'acc_1')?.why).toBe('probe_blocked');
	expect(memory.paused(ORANGE, 'acc_2')).toBeNull();
	expect(memory.paused(ORANGE, null)).toBeNull();
	memory.observed(ORANGE, atRcpt('d.test'), 'acc_2');
	expect(memory.paused(ORANGE, 'acc_3')?.why).toBe('probe_blocked');
});

test('a welcome ends a pause for everybody, unless nobody who is known was welcomed', () => {
	const memory = makeMemory();
	const host = hostCalled('mx.a.test');
	memory.observed(host, blocked, 'acc_1');
	memory.observed(host, { kind: 'served' }, null);
	expect(memory.paused(host, 'acc_2')?.why).toBe('probe_blocked');
	memory.observed(host, { kind: 'served' }, 'acc_1');
	expect(memory.paused(host, 'acc_2')).toBeNull();
});

test('a pause ends by itself', () => {
	const clock = fakeClock();
	const memory = makeMemory(clock);
	const host = hostCalled('mx.a.test');
	memory.observed(host, blocked, 'acc_1');
	clock.advance(10 * MINUTE);
	expect(memory.paused(host, 'acc_1')).toBeNull();
});
