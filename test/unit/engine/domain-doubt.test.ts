import { expect, test } from 'vitest';
import { DomainDoubt } from '../../../src/engine/domain-doubt.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const MINUTE = 60_000;

/** A domain at which accounts are told in turn that mailboxes are there, or not. */
function domain() {
	const clock = fakeClock();
	const doubt = new DomainDoubt(clock);
	const hear = (kind: 'accepted' | 'rejected', mailbox: string, asker: string | null = 'acc_1') =>
		doubt.answered('x.test', kind, mailbox, asker);
	/** Whether each of so many refusals, one a second, is doubted. */
	const refuse = (count: number, asker: string | null = 'acc_1') =>
		Array.from({ length: count }, (_, n) => {
			clock.advance(1_000);
			return hear('rejected', `nobody-${n}`, asker);
		});
	return { clock, hear, refuse };
}

test('the tenth refusal in a row at a domain that took mail is doubted for a quarter of an hour', () => {
	const { clock, hear, refuse } = domain();
	expect(hear('accepted', 'ada')).toBe(false);
	clock.advance(20 * 60 * MINUTE);
	expect(refuse(10)).toEqual([...Array.from({ length: 9 }, () => false), true]);
	clock.advance(15 * MINUTE - 10_000);
	expect(hear('rejected', 'nobody')).toBe(true);
	clock.advance(1_000);
	expect(hear('rejected', 'nobody')).toBe(false);
});

test.each<[string, (of: ReturnType<typeof domain>) => void]>([
	['refusals soon after an acceptance, as a list has', ({ hear }) => void hear('accepted', 'ada')],
	['a domain that was never seen to accept anybody', ({ clock }) => clock.advance(20 * MINUTE)],
	[
		'one mailbox, refused over and over',
		({ clock, hear }) => {
			hear('accepted', 'ada');
			clock.advance(20 * MINUTE);
			for (let n = 0; n < 50; n += 1) expect(hear('rejected', 'nobody-0')).toBe(false);
			hear('accepted', 'ada');
		},
	],
])('%s: believed', (_, before) => {
	const of = domain();
	before(of);
	expect(of.refuse(12)).not.toContain(true);
});

test('names that others invent, visitors among them, make no account doubt its own refusal', () => {
	const { clock, hear, refuse } = domain();
	for (const asker of ['acc_1', 'acc_2', null]) hear('accepted', 'ada', asker);
	clock.advance(20 * MINUTE);
	for (const asker of ['acc_2', null]) expect(refuse(10, asker).at(-1)).toBe(true);
	expect(hear('rejected', 'nobody')).toBe(false);
});
