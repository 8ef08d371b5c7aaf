import { expect, test } from 'vitest';
import { IsolateStandingMemory } from '../../../src/storage/standing-memory.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const MINUTE = 60_000;
const blocked = { kind: 'refused', why: 'probe_blocked', stage: 'greeting', domain: 'a.test' } as const;

test('a block on one egress says nothing of another egress, nor of another host', () => {
	const memory = new IsolateStandingMemory(fakeClock());
	const host = { name: 'mx.a.test', egress: 'socks5://one:1080', isShared: false };
	memory.observed(host, blocked);
	expect(memory.paused(host)).toBe('probe_blocked');
	expect(memory.paused({ ...host, egress: 'socks5://two:1080' })).toBeNull();
	expect(memory.paused({ ...host, name: 'mx.b.test' })).toBeNull();
});

test('a pause ends by itself', () => {
	const clock = fakeClock();
	const memory = new IsolateStandingMemory(clock);
	const host = { name: 'mx.a.test', egress: 'direct', isShared: false };
	memory.observed(host, blocked);
	clock.advance(10 * MINUTE);
	expect(memory.paused(host)).toBeNull();
});

test('a domain that took mail yesterday and refuses ten mailboxes in a row is doubted, and believed later', () => {
	const clock = fakeClock();
	const memory = new IsolateStandingMemory(clock);
	expect(memory.answered('x.test', { kind: 'accepted', mailbox: 'ada' })).toBe('believed');
	clock.advance(20 * 60 * MINUTE);
	const refusals = Array.from({ length: 10 }, (_, index) =>
		memory.answered('x.test', { kind: 'rejected', mailbox: `nobody-${index}` }),
	);
	expect(refusals).toEqual([...Array.from({ length: 9 }, () => 'believed'), 'doubtful']);
	clock.advance(15 * MINUTE);
	expect(memory.answered('x.test', { kind: 'rejected', mailbox: 'nobody-0' })).toBe('believed');
	expect(memory.answered('y.test', { kind: 'rejected', mailbox: 'nobody' })).toBe('believed');
});
