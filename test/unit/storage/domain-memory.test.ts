import { expect, test } from 'vitest';
import { IsolateDomainMemory } from '../../../src/storage/memory.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const MINUTE = 60_000;

test('a domain that took mail yesterday and refuses ten mailboxes in a row is doubted, and believed later', () => {
	const clock = fakeClock();
	const memory = new IsolateDomainMemory(clock);
	expect(memory.answered('x.test', { kind: 'accepted', mailbox: 'ada' }, 'acc_1')).toBe('believed');
	clock.advance(20 * 60 * MINUTE);
	const refusals = Array.from({ length: 10 }, (_, index) =>
		memory.answered('x.test', { kind: 'rejected', mailbox: `nobody-${index}` }, 'acc_2'),
	);
	expect(refusals).toEqual([...Array.from({ length: 9 }, () => 'believed'), 'doubtful']);
	clock.advance(15 * MINUTE);
	expect(memory.answered('x.test', { kind: 'rejected', mailbox: 'nobody-0' }, 'acc_1')).toBe('believed');
	expect(memory.answered('y.test', { kind: 'rejected', mailbox: 'nobody' }, 'acc_1')).toBe('believed');
});

test('whoever is not signed in makes nobody else doubt a domain', () => {
	const clock = fakeClock();
	const memory = new IsolateDomainMemory(clock);
	memory.answered('x.test', { kind: 'accepted', mailbox: 'ada' }, null);
	clock.advance(20 * MINUTE);
	const refuse = (index: number, asker: string | null): string =>
		memory.answered('x.test', { kind: 'rejected', mailbox: `nobody-${index}` }, asker);
	for (let index = 0; index < 9; index += 1) refuse(index, null);
	expect(refuse(9, null)).toBe('doubtful');
	expect(refuse(10, 'acc_1')).toBe('believed');
});

test('ten names that one account invents turn no other account’s refusal into a doubt', () => {
	const clock = fakeClock();
	const memory = new IsolateDomainMemory(clock);
	memory.answered('x.test', { kind: 'accepted', mailbox: 'ada' }, 'acc_customer');
	clock.advance(20 * MINUTE);
	const refuse = (index: number, asker: string): string =>
		memory.answered('x.test', { kind: 'rejected', mailbox: `nobody-${index}` }, asker);
	for (let index = 0; index < 10; index += 1) refuse(index, 'acc_attacker');
	expect(refuse(10, 'acc_attacker')).toBe('doubtful');
	expect(refuse(11, 'acc_customer')).toBe('believed');
});
