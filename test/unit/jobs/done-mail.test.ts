import { expect, test } from 'vitest';
import { listDoneMail, mailableName } from '../../../src/core/jobs/done-mail.ts';
import type { EndedList } from '../../../src/core/jobs/done-mail.ts';

// The mail that tells that a list is done.

const ended: EndedList = {
	name: 'July <customers> & "friends"',
	status: 'completed',
	accepted: 20_000,
	counts: { deliverable: 16_212, undeliverable: 2_000, risky: 1_402, unknown: 386, catchAll: 0 },
	creditsUsed: 19_614,
	creditsRefunded: 386,
};

test('it says what people want to know, and leads to the results', () => {
	const { subject, text, html } = listDoneMail(ended, 'https://mailsonar.example/dashboard/jobs/job_1');
	expect(subject).toBe('“July <customers> & "friends"” is done');
	expect(text).toContain('81% are safe to send: 16,212 of 20,000 addresses are deliverable.');
	expect(text).toContain('19,614 credits were used and 386 refunded.');
	expect(text).toContain('See the results: https://mailsonar.example/dashboard/jobs/job_1');
	expect(html).toContain('<a href="https://mailsonar.example/dashboard/jobs/job_1">See the results</a>');
	expect(html).toContain('“July &lt;customers&gt; &amp; &quot;friends&quot;” is done');
});

test('of one credit it speaks as of one', () => {
	const { text } = listDoneMail({ ...ended, creditsUsed: 1, creditsRefunded: 0 }, null);
	expect(text).toContain('1 credit was used and 0 refunded.');
});

test('of one that failed it says that it costs nothing', () => {
	const { subject, text } = listDoneMail({ ...ended, status: 'failed' }, null);
	expect(subject).toContain('could not be finished');
	expect(text).toContain('cost nothing');
	expect(text).not.toContain('http');
});

test('a name with an address in it, or without any letter, is not in the mail', () => {
	expect(mailableName('ada@inbox.test.csv')).toBeNull();
	expect(mailableName(' \n')).toBeNull();
	expect(mailableName(null)).toBeNull();
	expect(mailableName('July\r\nBcc: everybody')).toBe('July Bcc: everybody');
	expect(mailableName('July\u0000\u001B[2J')).toBe('July [2J');
});
