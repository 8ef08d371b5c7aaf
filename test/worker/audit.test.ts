import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';

// Every action of an operator leaves a row, without addresses or secrets.

async function ops(path: string, body: object = {}): Promise<Record<string, unknown>> {
	const request = new Request(`https://mailsonar.test/ops${path}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const response = await exports.default.fetch(request);
	expect(response.ok, await response.clone().text()).toBe(true);
	return (await response.json<{ data: Record<string, unknown> }>()).data;
}

test('each action of an operator is a row of the audit trail, and none holds an address', async () => {
	const email = 'audited@inbox.test';
	const { accountId } = await ops('/accounts', { email, credits: 3 });
	await ops('/find-accounts', { email });
	await ops(`/accounts/${String(accountId)}/suspend`);
	await ops(`/accounts/${String(accountId)}/unsuspend`);
	await ops(`/accounts/${String(accountId)}/grants`, { id: 'invoice', credits: 2 });
	const { results } = await env.DB.prepare(
		'SELECT action, account_id, detail FROM audit_log ORDER BY id',
	).all();
	expect(results).toEqual([
		{ action: 'account.create', account_id: accountId, detail: '{"credits":3}' },
		{ action: 'account.find', account_id: null, detail: '{"found":1}' },
		{ action: 'account.suspend', account_id: accountId, detail: '{}' },
		{ action: 'account.unsuspend', account_id: accountId, detail: '{}' },
		{ action: 'credits.grant', account_id: accountId, detail: '{"id":"invoice","credits":2}' },
	]);
});
