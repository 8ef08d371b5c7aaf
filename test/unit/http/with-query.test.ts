import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import type { AppEnv } from '../../../src/http/context.ts';
import { readQuery } from '../../../src/http/endpoint.ts';
import { resultsQuery } from '../../../src/http/schemas/job.ts';

async function ask(query: string): Promise<unknown> {
	const app = new Hono<AppEnv>();
	app.onError((error, c) => c.json(error instanceof ServiceError ? error.message : 'a fault', 400));
	app.get('/', (c) => c.json(readQuery(c, resultsQuery)));
	return (await app.request(`/${query}`)).json();
}

test.each<[string, unknown]>([
	['', { page: 1, limit: 25 }],
	['?page=3&limit=500&status=risky', { page: 3, limit: 500, status: 'risky' }],
	['?page=2&page=x', { page: 2, limit: 25 }],
	['?colour=red&page=2&limit[]=7', { page: 2, limit: 25 }],
	['?page=x', expect.stringContaining('page must be a whole number')],
	['?page=', expect.stringContaining('page')],
	['?page=x&page=2', expect.stringContaining('page')],
	...['page=0', 'page=-1', 'page=1.5', 'page=1000000000', 'limit=0', 'limit=501', 'limit=1e2', 'status='].map(
		(query): [string, unknown] => [`?${query}`, expect.stringContaining(query.split('=')[0] ?? '')],
	),
	['?status=Deliverable', expect.stringContaining('status')],
])('the query %j is read, or told what is wrong with it', async (query, said) => {
	expect(await ask(query)).toEqual(said);
});
