import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';

// Every action of an operator leaves a row, without addresses or secrets.

async function ops(path: string, body: object | 'GET' = {}): Promise<Record<string, unknown>> {
	const request = new Request(`https://mailsonar.test/ops${path}`, {
		method: body === 'GET' ? body : 'POST',
		headers: {
			authorization: `Bearer ${env.OPERATOR_TOKENS.slice('ada:'.length)}`,
			'content-type': 'application/json',
		},
		...(body === 'GET' ? {} : { body: JSON.stringify(body) }),
	});
	const response = await exports.default.fetch(request);
	expect(response.ok, await response.clone().text()).toBe(true);
	return (await response.json<{ data: Record<string, unknown> }>()).data;
}

test('each action of an operator is a row of the audit trail, and none holds an address', async () => {
	const before = await env.DB.prepare('SELECT MAX(id) AS id FROM audit_log').first<number>('id');
	const email = 'audited@inbox.test';
	const { accountId } = await ops('/accounts', { email, credits: 3 });
	await ops('/find-accounts', { email });
	await ops(`/accounts/${String(accountId)}/suspend`);
	await ops(`/accounts/${String(accountId)}/unsuspend`);
	await ops(`/accounts/${String(accountId)}/grants`, { id: 'invoice', credits: 2 });
	const { results } = await env.DB.prepare(
		'SELECT action, account_id, detail, by FROM audit_log WHERE id > ? ORDER BY id',
	)
		.bind(before ?? 0)
		.all();
	expect(results).toEqual([
		{ action: 'account.create', account_id: accountId, detail: '{"credits":3}', by: 'ada' },
		{ action: 'account.find', account_id: null, detail: '{"found":1}', by: 'ada' },
		{ action: 'account.suspend', account_id: accountId, detail: '{}', by: 'ada' },
		{ action: 'account.unsuspend', account_id: accountId, detail: '{}', by: 'ada' },
		{ action: 'credits.grant', account_id: accountId, detail: '{"id":"invoice","credits":2}', by: 'ada' },
	]);
	const trail = await ops(`/trail?account=${String(accountId)}`, 'GET');
	expect(trail['entries']).toMatchObject([
		{ by: 'ada', action: 'credits.grant', accountId, detail: { id: 'invoice', credits: 2 } },
		{ action: 'account.unsuspend' },
		{ action: 'account.suspend' },
		{ action: 'account.create' },
	]);
	const [newest] = trail['entries'] as { id: number }[];
	const older = (await ops(`/trail?before=${newest?.id}`, 'GET'))['entries'] as object[];
	expect(older.slice(0, 4)).toMatchObject([
		{ action: 'account.unsuspend' },
		{ action: 'account.suspend' },
		{ action: 'account.find', accountId: null },
		{ action: 'account.create' },
	]);
});
