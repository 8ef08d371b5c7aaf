import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { dayOf } from '../../src/core/credits/usage.ts';
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
