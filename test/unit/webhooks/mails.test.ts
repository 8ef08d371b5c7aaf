import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mail } from '../../../src/operations/people/port.ts';
import { tellCreditsLow, tellDisabled, tellDone } from '../../../src/operations/webhooks/owner-mails.ts';
import { job } from '../../support/dashboard/samples.ts';

// Whom mails go to when credits run low, when events are no longer sent to an endpoint, and when a list is done.

type Told = (services: Parameters<typeof tellCreditsLow>[0], accountId: string) => Promise<unknown>;
const low =
	(balance = 480): Told =>
	(services, accountId) =>
		tellCreditsLow(services, { accountId, balance, below: 500 });
const disabled: Told = (services, accountId) =>
	tellDisabled(services, {
		webhookId: 'whk_1',
		url: 'https://shop.example/hooks',
		because: 'gone',
		accountId,
	});

const done =
	(name: string | null): Told =>
	(services, accountId) =>
		tellDone(services, { accountId, job: { ...job, name } });

async function told(tell: Told, accountId: string, email = 'jane@shop.example') {
	const [asked, mails]: [string[], Mail[]] = [[], []];
	const services = {
		directory: {
			findAccount: async (id: string) => {
				asked.push(id);
				return { id, email, createdAt: 1, suspendedAt: null, closedAt: null };
			},
		},
		mailer: { send: async (mail: Mail) => void mails.push(mail) },
		linkTo: (path: string) => `https://mailsonar.example${path}`,
	};
	await tell(services, accountId);
	return { asked, mails };
}

test.each([
	[480, '480 credits are left'],
	[1, '1 credit is left'],
	[0, 'no credits are left'],
])('the owner gets a mail that %i credits are left, and where to add some', async (balance, subject) => {
	const { mails } = await told(low(balance), 'acc_1');
	expect(mails).toHaveLength(1);
	expect(mails[0]).toMatchObject({ to: 'jane@shop.example', subject: `Mailsonar: ${subject}` });
	expect(mails[0]?.text).toContain('below 500');
	expect(mails[0]?.text).toContain('Add credits: https://mailsonar.example/dashboard/credits/add');
});

test.each([
	['credits are low', low()],
	['an endpoint was disabled', disabled],
	['a list is done', done(null)],
])('the owner gets a mail that %s, and neither test keys nor a deleted account have one', async (_, tell) => {
	expect(await told(tell, 'acc_1')).toMatchObject({ asked: ['acc_1'], mails: [{ to: 'jane@shop.example' }] });
	expect(await told(tell, 'test_1')).toEqual({ asked: [], mails: [] });
	expect(await told(tell, 'acc_1', '')).toEqual({ asked: ['acc_1'], mails: [] });
});

test('whatever a list is called, no address is in the mail and its subject is one line', async () => {
	await fc.assert(
		fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', '@', '\r', '\n', '<', '"') }), async (name) => {
			const { mails } = await told(done(name), 'acc_1');
			expect(mails).toMatchObject([{ to: 'jane@shop.example' }]);
			expect(mails[0]?.subject).not.toMatch(/[\r\n]/);
			expect(JSON.stringify({ ...mails[0], to: '' })).not.toContain('@');
		}),
	);
});
