import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { makeAccount } from '../support/service.ts';
import { balanceOf, verified } from './api.ts';
import { resultsOf, sourceJob } from './jobs-api.ts';

// A domain whose owner asked us not to: no way in leads to its mail servers.

const service = inject('service');
// Of no other test: all files share the service.
const DOMAIN = 'shop-059.test';

beforeAll(() => callOperator(service, 'POST', '/refused-domains', { domain: DOMAIN }));
afterAll(() => callOperator(service, 'DELETE', `/refused-domains/${DOMAIN}`));

describe('a domain that opted out', () => {
	const subStatusOf = async (apiKey: string, email: string) =>
		(await verified(apiKey, email)).data.details.sub_status;

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

	// Which names are domains: test/unit/operations/opt-outs.test.ts.
	test('is listed once for operators, and asked again when it is taken back', async () => {
		const change = (method: 'GET' | 'POST' | 'DELETE', path = '', body?: object) =>
			callOperator<object>(service, method, `/refused-domains${path}`, body);
		await change('POST', '', { domain: DOMAIN.toUpperCase() });
		const { domains } = (await change('GET')) as { domains: { domain: string }[] };
		expect(domains.filter(({ domain }) => domain === DOMAIN)).toHaveLength(1);
		await change('POST', '', { domain: 'disabled.test' });
		const { apiKey } = await makeAccount(service, 5);
		expect(await subStatusOf(apiKey, 'ada@disabled.test')).toBe('opted_out');
		expect(await change('DELETE', '/disabled.test')).toMatchObject({ removed: true });
		expect(await change('DELETE', '/disabled.test')).toMatchObject({ removed: false });
		expect(await subStatusOf(apiKey, 'ada@disabled.test')).toBe('mailbox_disabled');
		await expect(change('POST', '', { domain: 'no domain' })).rejects.toThrow('no domain');
	});
});

test('who asked about one address is not among those who guess mailboxes', async () => {
	const { accountId, apiKey } = await makeAccount(service, 1);
	await verified(apiKey, 'nobody@inbox.test');
	const seen = JSON.stringify(await callOperator(service, 'GET', '/guessers'));
	expect(seen).toContain('guessers');
	expect(seen).not.toContain(accountId);
});
