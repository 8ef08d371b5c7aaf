import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { hiddenFields } from '../support/visitor.ts';
import { expectFailure, rateLimitOf } from './api.ts';
import type { Answer } from './api.ts';
import { ALL_SCOPES, newPerson } from './people.ts';

// A key that leaked and was revoked is still in somebody's hands: what is done with it must not reach its owner.

const KEYS = '/dashboard/keys';
const LIMIT = 300;
const service = inject('service');

async function ask(apiKey: string): Promise<Answer> {
	return call(service.url, apiKey, 'GET', '/v1/credits');
}

test('a revoked key uses up nothing of its account: another key and the dashboard go on', async () => {
	const { visitor } = await newPerson();
	const make = async (label: string): Promise<string> =>
		/ms_live_[0-9A-Za-z]{60,}/.exec((await visitor.submit(KEYS, { ...ALL_SCOPES, label })).text)?.[0] ?? '';
	const [leaked, good] = [await make('Leaked'), await make('Good')];
	expect(rateLimitOf(await ask(good)).remaining).toBe(LIMIT - 1);
	const list = (await visitor.get(KEYS)).text;
	const [, revoke = ''] = /Leaked[^]*?(\/dashboard\/keys\/key_[0-9A-Za-z]+\/revoke)/.exec(list) ?? [];
	expect((await visitor.submit(revoke, { confirm: 'Leaked' })).status).toBe(303);
	for (let n = 0; n < LIMIT + 30; n += 30) {
		const answers = await Promise.all(Array.from({ length: 30 }, () => ask(leaked)));
		for (const answer of answers) {
			expectFailure(answer, 401);
			expect(rateLimitOf(answer).limit).toBe(LIMIT);
		}
	}
	const answer = await ask(good);
	expect([answer.status, rateLimitOf(answer).remaining]).toEqual([200, LIMIT - 2]);
	const form = hiddenFields(await visitor.get('/dashboard/verify'), '/dashboard/verify');
	const verified = await visitor.post('/dashboard/verify', { ...form, email: 'ada@inbox.test' });
	expect([verified.status, verified.location]).toEqual([
		303,
		expect.stringMatching(/^\/dashboard\/verify\/ver_/),
	]);
});
