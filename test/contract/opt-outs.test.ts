import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, verified } from './api.ts';
import { completed, submitted } from './jobs-api.ts';

// A domain whose owner asked us not to: no way in leads to its mail servers.

const service = inject('service');
const DOMAIN = 'catch-all.test';

interface Row {
	readonly status: string;
	readonly details: { readonly sub_status: string; readonly general: { readonly validation_method: string } };
}

beforeAll(() => callOperator(service, 'POST', '/refused-domains', { domain: DOMAIN }));
afterAll(() => callOperator(service, 'DELETE', `/refused-domains/${DOMAIN}`));

describe('a domain that opted out', () => {
	test('a single call about it is unknown, opted_out, and refunded', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const { status, body } = await call(service.url, apiKey, 'POST', '/v1/verify', {
			email: `ada@${DOMAIN}`,
		});
		const { data, meta } = body as { data: Row; meta: { creditsUsed: number } };
		expect(status).toBe(200);
		expect([data.status, data.details.sub_status, data.details.general.validation_method]).toEqual([
			'unknown',
			'opted_out',
			'list',
		]);
		expect(meta.creditsUsed).toBe(0);
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 5, reservedCredits: 0 });
	});

	test('in a list its addresses are refunded, also those below it, and the others answered', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const emails = [`ada@${DOMAIN}`, `ada@mail.${DOMAIN}`, 'ada@inbox.test'];
		const { jobId } = (await submitted(apiKey, emails)).data;
		await completed(apiKey, jobId);
		const { body } = await call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}/results`);
		const { results } = (body as { data: { results: Row[] } }).data;
		expect(results.map(({ details }) => details.sub_status)).toEqual([
			'opted_out',
			'opted_out',
			'accepted_email',
		]);
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 4 });
	});

	test('is listed once for operators, and asked again when it is taken back', async () => {
		await callOperator(service, 'POST', '/refused-domains', { domain: DOMAIN.toUpperCase() });
		const listed = () => callOperator<{ domains: { domain: string }[] }>(service, 'GET', '/refused-domains');
		expect((await listed()).domains.filter(({ domain }) => domain === DOMAIN)).toHaveLength(1);
		await callOperator(service, 'POST', '/refused-domains', { domain: 'disabled.test' });
		const { apiKey } = await makeAccount(service, 5);
		const ask = async () => {
			const { body } = await call(service.url, apiKey, 'POST', '/v1/verify', { email: 'ada@disabled.test' });
			return (body as { data: Row }).data.details.sub_status;
		};
		expect(await ask()).toBe('opted_out');
		const path = '/refused-domains/disabled.test';
		expect(await callOperator(service, 'DELETE', path)).toMatchObject({ removed: true });
		expect(await callOperator(service, 'DELETE', path)).toMatchObject({ removed: false });
		expect(await ask()).toBe('mailbox_disabled');
	});

	test.each(['com', 'no domain'])('%j is none', async (domain) => {
		await expect(callOperator(service, 'POST', '/refused-domains', { domain })).rejects.toThrow(
			/public suffix|no domain/,
		);
	});
});

test('who asked about one address is not among those who guess mailboxes', async () => {
	const { accountId, apiKey } = await makeAccount(service, 1);
	await verified(apiKey, 'nobody@inbox.test');
	const seen = JSON.stringify(await callOperator(service, 'GET', '/guessers'));
	expect(seen).toContain('guessers');
	expect(seen).not.toContain(accountId);
});
