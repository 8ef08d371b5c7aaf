import { expect, test } from 'vitest';
import { mailboxSignals } from '../../../src/core/catchall/mailbox/mailbox-signals.ts';
import { withMailbox, withoutMailbox } from '../../../src/core/catchall/without-mailbox.ts';
import { breakdown as sample } from '../../support/dashboard/samples.ts';

// A database stores a score without its mailbox's name, which can be added again.

const LOCAL_PARTS = [
	...['info', 'Sales', 'billing', 'office+news', 'no-reply', 'postmaster', 'karriere'],
	...['jane.doe', 'jdoe', 'xqzvwkpt', '12345678', 'asdf1234', 'q', 'd41d8cd98f00b204e9800998ecf8427e'],
];

function breakdownOf(localPart: string) {
	const signals = mailboxSignals(localPart, { domain: 'x.test' });
	expect(signals.length).toBeGreaterThan(0);
	return {
		...sample,
		mailbox: { score: 5, signals: signals.map(({ label }) => label) },
		explanations: signals.map(({ label, text }) => ({ signal: label, effect: 5, text })),
	};
}

test.each(LOCAL_PARTS)('the breakdown of %s', (localPart) => {
	const whole = breakdownOf(localPart);
	const kept = withoutMailbox(whole, localPart);
	const name = localPart.toLowerCase().split('+')[0] ?? '';
	const labels = [...kept.mailbox.signals, ...kept.explanations.map(({ signal }) => signal)];
	for (const label of labels) expect(label.split(':')).not.toContain(name);
	expect(withMailbox(kept, localPart)).toEqual(whole);
});
