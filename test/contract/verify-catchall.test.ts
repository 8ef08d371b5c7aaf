import { describe, expect, inject, test } from 'vitest';
import { scoreWithin } from '../../src/core/verification/sub-status.ts';
import { makeAccount } from '../support/service.ts';
import { balanceOf, verified } from './api.ts';

// POST /v1/verify on catch-all domains whose look-ups are slow: the answer comes in time, says what was not measured by
// leaving it out, and costs what a verification costs.

const service = inject('service');

describe('the deeper check within one call', () => {
	test.each([
		// The registry knows the age, and a young domain would speak against the address.
		['the registry never answers', 'jane.doe@rdap-silent.test'],
		// Nothing is known of SPF and DMARC then, which is too little for a claim.
		['TXT records never come', 'jane.doe@txt-silent.test'],
		['both are silent', 'jane.doe@all-silent.test'],
	])('where %s: in time, %s is unknown and free', async (_, address) => {
		const { apiKey } = await makeAccount(service, 1);
		const { data, meta } = await verified(apiKey, address);
		expect(data).toMatchObject({
			catch_all_verdict: 'unknown',
			details: { sub_status: 'catch_all_unresolved', attributes: { catch_all: true } },
		});
		expect(data.deliverability_score).toBe(scoreWithin('unknown', data.catch_all_score ?? -1));
		expect(meta).toMatchObject({ creditsUsed: 0, creditsRemaining: 1 });
		expect(await balanceOf(apiKey)).toMatchObject({ reservedCredits: 0, totalConsumed: 0 });
	});

	test('where the mail server is slow too, still in time', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const { data } = await verified(apiKey, 'ada@slow-catch-all.test');
		expect(data.details.attributes.catch_all).toBe(true);
	});
});
