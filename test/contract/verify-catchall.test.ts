import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, verified } from './api.ts';

// POST /v1/verify on catch-all domains whose look-ups are slow: the answer comes in time, says what was not measured by
// leaving it out, and costs what a verification costs.

const service = inject('service');

describe('the deeper check within one call', () => {
	test.each([
		// Without the age there is enough to go by.
		['the registry never answers', 'jane.doe@rdap-silent.test', 'valid', 'catch_all_valid', 1],
		// Nothing is known of SPF and DMARC then, which is too little for a claim.
		['TXT records never come', 'jane.doe@txt-silent.test', 'unknown', 'catch_all_unresolved', 0],
		['both are silent', 'jane.doe@all-silent.test', 'unknown', 'catch_all_unresolved', 0],
	])('where %s: in time, %s is %s (%s) for %i credits', async (_, address, verdict, subStatus, cost) => {
		const { apiKey } = await makeAccount(service, 1);
		const { data, meta } = await verified(apiKey, address);
		expect(data).toMatchObject({
			catch_all_verdict: verdict,
			details: { sub_status: subStatus, attributes: { catch_all: true } },
		});
		expect(data.deliverability_score).toBe(verdict === 'unknown' ? 50 : data.catch_all_score);
		expect(meta).toMatchObject({ creditsUsed: cost, creditsRemaining: 1 - cost });
		expect(await balanceOf(apiKey)).toMatchObject({ reservedCredits: 0, totalConsumed: cost });
	});

	test('where the mail server is slow too, still in time', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const { data } = await verified(apiKey, 'ada@slow-catch-all.test');
		expect(data.details.attributes.catch_all).toBe(true);
	});
});
