import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { SCOPES } from '../../src/core/keys/scopes.ts';
import { dayOf } from '../../src/core/credits/usage.ts';
import { FORMER_SECRET_MS } from '../../src/core/webhooks/secret.ts';
import { jobOf, openAccount, settlementOf, tallyOf } from '../support/account-jobs.ts';

// How an operator finds an abuser: by what the accounts did in a week.

test('an account tells its volume, its free answers and its bounces since a day', async () => {
	const { stub, start } = await openAccount(20);
	await stub.openJob(jobOf(start, [3]));
	await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 1, unknown: 2 }), start));
	const bounce = { digests: ['hash'], kind: 'hard_bounce', at: start, isDated: false } as const;
	await stub.recordOutcomes({ now: start, outcomes: [bounce] });
	const survey = { verifications: 3, unknown: 2, credits: 1, bounces: 1 };
	expect(await stub.survey({ from: dayOf(start) })).toEqual(survey);
	const none = { verifications: 0, unknown: 0, credits: 0, bounces: 0 };
	expect(await stub.survey({ from: dayOf(start + 86_400_000) })).toEqual(none);
	expect(await env.ACCOUNT.getByName('acc_never_opened').survey({ from: dayOf(start) })).toBeNull();
});

test('an account tells which versions of the signing secret its valid keys and its webhooks need', async () => {
	const { stub, start } = await openAccount(0);
	const key = (n: number, expiresAt: number | null) => ({
		now: start,
		key: {
			id: `key_${n}`,
			secretHash: `${n}`,
			version: n,
			label: '',
			ending: 'x7Kq',
			scopes: SCOPES,
			expiresAt,
		},
	});
	for (const request of [key(2, null), key(3, start + 10), key(4, null)]) await stub.createKey(request);
	await stub.revokeKey({ keyId: 'key_4', now: start });
	const webhookId = 'wh_1';
	const endpoint = { webhookId, url: 'https://hooks.example.com/', events: ['job.completed'] } as const;
	await stub.addWebhook({ ...endpoint, secret: { version: 1, salt: 'a' }, now: start });
	await stub.rotateSecret({ webhookId, secret: { version: 2, salt: 'b' }, now: start });
	for (const [now, versions] of [
		[start, { keys: [2, 3, 1], webhooks: [2, 1] }],
		[start + 10, { keys: [2, 1], webhooks: [2, 1] }],
		[start + FORMER_SECRET_MS, { keys: [2, 1], webhooks: [2] }],
	] as const)
		expect(await stub.secretVersions({ now })).toEqual(versions);
	expect(await env.ACCOUNT.getByName('acc_never_opened').secretVersions({ now: start })).toBeNull();
});
