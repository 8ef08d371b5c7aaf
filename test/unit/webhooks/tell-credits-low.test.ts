import { expect, test } from 'vitest';
import type { Mail } from '../../../src/operations/people/port.ts';
import { tellCreditsLow } from '../../../src/operations/webhooks/mails.ts';

async function told(accountId: string, balance = 480, email = 'jane@shop.example'): Promise<readonly Mail[]> {
	const mails: Mail[] = [];
	const services = {
		directory: { findAccount: (id: string) => Promise.resolve({ id, email, createdAt: 1, closedAt: null }) },
		mailer: { send: async (mail: Mail) => void mails.push(mail) },
		publicUrl: 'https://mailsonar.example',
	};
	await tellCreditsLow(services, { accountId, balance, below: 500 });
	return mails;
}

test.each([
	[480, '480 credits are left'],
	[1, '1 credit is left'],
	[0, 'no credits are left'],
])('the owner gets a mail that %i credits are left, and where to add some', async (balance, subject) => {
	const [mail, ...others] = await told('acc_1', balance);
	expect(others).toEqual([]);
	expect(mail).toMatchObject({ to: 'jane@shop.example', subject: `Mailsonar: ${subject}` });
	expect(mail?.text).toContain('below 500');
	expect(mail?.text).toContain('Add credits: https://mailsonar.example/dashboard/credits/add');
});

test('for test keys, and for a deleted account, there is no mail', async () => {
	expect(await told('test_1')).toEqual([]);
	expect(await told('acc_1', 480, '')).toEqual([]);
});
