import { expect, test } from 'vitest';
import { tellDisabled } from '../../../src/operations/webhooks/mails.ts';

// Whom a mail goes to when events are no longer sent to an endpoint.

const disabled = { webhookId: 'whk_1', url: 'https://shop.example/hooks', because: 'gone' } as const;

async function told(
	accountId: string,
	email = 'jane@shop.example',
): Promise<{ asked: readonly string[]; mailed: readonly string[] }> {
	const asked: string[] = [];
	const mailed: string[] = [];
	const services = {
		directory: {
			findAccount: (id: string) => {
				asked.push(id);
				return Promise.resolve({ id, email, createdAt: 1, closedAt: null });
			},
		},
		mailer: {
			send: ({ to }: { readonly to: string }) => {
				mailed.push(to);
				return Promise.resolve();
			},
		},
		publicUrl: null,
	};
	await tellDisabled(services, { ...disabled, accountId });
	return { asked, mailed };
}

test('the owner of an account gets a mail when its endpoint was disabled', async () => {
	expect(await told('acc_1')).toEqual({ asked: ['acc_1'], mailed: ['jane@shop.example'] });
});

test('for an endpoint of test keys there is no mail and no look-up in the directory', async () => {
	expect(await told('test_1')).toEqual({ asked: [], mailed: [] });
});

test('of an account that was deleted meanwhile there is nobody to mail', async () => {
	expect(await told('acc_1', '')).toEqual({ asked: ['acc_1'], mailed: [] });
});
