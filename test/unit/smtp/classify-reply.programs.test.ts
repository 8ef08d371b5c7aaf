import { expect, test } from 'vitest';
import { classifyReply } from '../../../src/core/smtp/classify-reply.ts';
import type { ReplyMeaning } from '../../../src/core/verification/reply-meaning.ts';
import type { Stage } from '../../../src/core/smtp/reply-reader.ts';

function meaningOf(written: string, { stage = 'rcpt' }: { stage?: Stage } = {}): ReplyMeaning {
	const lines = written.slice(4).split(' | ');
	const enhanced = /^[245]\.\d{1,3}\.\d{1,3}\b/u.exec(lines[0] ?? '')?.[0] ?? null;
	const reply = { code: Number(written.slice(0, 3)), enhanced, lines };
	return classifyReply({ stage, reply, recipient: 'ada@x.test', operator: null }).meaning;
}

/** The words of mail server programs that were once misread. */
const OF_PROGRAMS: readonly (readonly [ReplyMeaning, string])[] = [
	['no_such_mailbox', '550 Previous (cached) callout verification failure'],
	['no_such_mailbox', '524 5.2.4 Mailing list expansion problem: <ada@x.test>'],
	['no_such_mailbox', '550 restricted characters in address'],
	['no_such_mailbox', '550 Cannot receive for specified address'],
	['no_such_mailbox', '550 Only grace@x.test is allowed to receive mail'],
	['no_such_mailbox', '550 Command RCPT User <ada@x.test> not OK'],
	['no_such_mailbox', '550 Command RCPT User ada@x.test not OK'],
	['no_such_mailbox', '550 This account is not <ada@x.test>'],
	['mailbox_disabled', '553 5.3.0 <ada@x.test>... User has moved'],
	['mailbox_disabled', '553 5.3.0 <ada@x.test>... User has left'],
	['mailbox_disabled', '550 mail to ada@x.test not accepted here (#5.1.1)'],
	['rate_limited', '550 You are sending too fast (11 messages in 1 min)'],
	['rate_limited', '451 Sender rate exceeds 5 / 1m'],
	['rate_limited', '550 Sender rate exceeded'],
	['rate_limited', '450 4.7.1 Error: too much mail from 192.0.2.1'],
	['blocked', '554 192.0.2.1 is on a spammers list'],
	['relay_denied', '550 I cannot deliver mail for {ada@x.test}'],
	['relay_denied', '513 Relaying denied'],
	['policy', '550 5.7.1 Recipient refuses mail from outside'],
	['temporary', '450 4.1.1 <ada@x.test>: undeliverable address: host mx.x.test said: 550 5.1.1 unknown'],
	// Not the mailbox: our sender's, a mailing list's, another host's.
	['blocked', '550 Sender verify failed | Previous (cached) callout verification failure'],
	['blocked', '550 Your mail server is not OK'],
];

test.each(OF_PROGRAMS)('%s: %s', (meaning, written) => {
	expect(meaningOf(written)).toBe(meaning);
});

test('a domain that does not exist is our sender’s domain in reply to MAIL', () => {
	expect(meaningOf('517 Domain does not exist: us.test', { stage: 'mail' })).toBe('blocked');
});
