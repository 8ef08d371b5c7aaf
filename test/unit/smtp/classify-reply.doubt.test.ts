import { describe, expect, test } from 'vitest';
import { classifyReply } from '../../../src/core/smtp/classify-reply.ts';
import type { ReplyMeaning } from '../../../src/core/verification/reply-meaning.ts';

// Replies that sound like a verdict on the mailbox and are none.

function meaningOf(written: string, { sender = null }: { sender?: string | null } = {}): ReplyMeaning {
	const text = written.slice(4);
	const enhanced = /^[245]\.\d{1,3}\.\d{1,3}\b/u.exec(text)?.[0] ?? null;
	const reply = { code: Number(written.slice(0, 3)), enhanced, lines: [text] };
	return classifyReply({ stage: 'rcpt', reply, recipient: 'ada@x.test', operator: null, sender }).meaning;
}

describe('what could not be found out is not "no such mailbox"', () => {
	test.each([
		'550 5.1.1 <ada@x.test>: Recipient address rejected: unverified address: connect to backend[10.0.0.9]: Connection timed out',
		'550 5.1.1 Unable to verify recipient: LDAP server not reachable',
		'550 5.1.1 Recipient verification failed: callout timed out',
		'550 cannot verify recipient at this time',
		'550 Could not verify user, directory is down',
		'550 5.1.1 User database unavailable',
		'550 user lookup failed',
		'550 recipient not found in cache, try again in 5 min',
		'550 5.1.1 mailbox does not exist on this node; try another MX',
		'550 5.1.1 mailbox migration in progress',
		'550 5.1.1 Backend unreachable',
		'550 Unrouteable address (timeout on DNS lookup)',
	])('%s', (words) => {
		expect(meaningOf(words)).toBe('temporary');
	});
});

describe('a reply about our own sender says nothing of the recipient', () => {
	test.each([
		'550 5.1.1 <v@us.test>: User unknown',
		'550 5.1.1 v@us.test: callback to your MX failed: no such user',
	])('%s', (words) => {
		expect(meaningOf(words, { sender: 'v@us.test' })).toBe('blocked');
	});

	test('but one that names the recipient too is about the recipient', () => {
		const words = '550 5.1.1 <ada@x.test> (from <v@us.test>): User unknown';
		expect(meaningOf(words, { sender: 'v@us.test' })).toBe('no_such_mailbox');
	});

	test('GMX refuses our DNS under the words "mailbox unavailable"', () => {
		const words =
			'550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record';
		expect(meaningOf(words)).toBe('blocked');
	});
});

test.each([
	'421 too much, quota for 127.0.0.1 exceeded',
	'421 connection quota for this IP exceeded',
	'451 IP quota exceeded',
	'450 4.7.1 Mail quota for 1.2.3.4 exceeded',
	'452 quota exceeded for your domain today',
])('a quota of ours is not a full mailbox: %s', (words) => {
	expect(meaningOf(words)).not.toBe('mailbox_full');
});
