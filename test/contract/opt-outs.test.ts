import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { makeAccount } from '../support/service.ts';
import { balanceOf, verified } from './api.ts';
import { resultsOf, sourceJob } from './jobs-api.ts';

// A domain whose owner asked us not to: no way in leads to its mail servers. How opt-outs are kept: test/worker/opt-outs.test.ts.

const service = inject('service');
// Of no other test: all files share the service.
const DOMAIN = 'shop-059.test';

beforeAll(() => callOperator(service, 'POST', '/refused-domains', { domain: DOMAIN }));
afterAll(() => callOperator(service, 'DELETE', `/refused-domains/${DOMAIN}`));

describe('a domain that opted out', () => {
	test('a single call about it is unknown, opted_out, and refunded', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const { data, meta } = await verified(apiKey, `ada@${DOMAIN}`);
		const details = { sub_status: 'opted_out', general: { validation_method: 'list' } };
		expect([data, meta]).toMatchObject([{ status: 'unknown', details }, { creditsUsed: 0 }]);
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 5, reservedCredits: 0 });
	});

	test('in a list its addresses are refunded, also those below it, and the others answered', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const jobId = await sourceJob(apiKey, [`ada@${DOMAIN}`, `ada@mail.${DOMAIN}`, 'ada@inbox.test']);
		const { results } = await resultsOf(apiKey, jobId);
		const found = results.map(({ details }) => details.sub_status);
		expect(found).toEqual(['opted_out', 'opted_out', 'accepted_email']);
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 4 });
	});
});
