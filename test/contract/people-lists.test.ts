import { describe, expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import type { Visitor } from '../support/visitor.ts';
import { patient, submitted } from './jobs-api.ts';
import { newCustomer } from './people.ts';
import { eventually } from '../support/patience.ts';

// What people do with their lists on the pages, whoever made them.

const LISTS = '/dashboard/lists';
const service = inject('service');

/** Sends a list with the API, and tells the path of its page. */
async function sendList(apiKey: string, emails: readonly string[], name?: string): Promise<string> {
	return `/dashboard/jobs/${(await submitted(apiKey, emails, service.url, { name })).data.jobId}`;
}

const namesOn = async (visitor: Visitor, query = ''): Promise<readonly string[]> => {
	const { text } = await visitor.get(`${LISTS}${query}`);
	return [...text.matchAll(/href="\/dashboard\/jobs\/[^>]*><span[^>]*title="([^"]*)"/g)].map(
		([, name = '']) => name,
	);
};

const untilDone = (visitor: Visitor, path: string) =>
	eventually(async () => expect((await visitor.get(path)).text).toContain(`${path}/delete`), 200);

describe('lists on the pages', () => {
	test('those of the API have a name that people can read, and are found by it', async () => {
		const { visitor, apiKey } = await newCustomer();
		await sendList(apiKey, ['ada@inbox.test']);
		await sendList(apiKey, ['bob@inbox.test'], 'Spring_1');
		const [named, unnamed] = await namesOn(visitor);
		expect(named).toBe('Spring_1');
		expect(unnamed).toMatch(/^API list, \d{1,2} [A-Z][a-z]{2} \d\d:\d\d$/);
		expect(await namesOn(visitor, '?q=spring_')).toEqual(['Spring_1']);
		expect(await namesOn(visitor, '?q=springx')).toEqual([]);
		expect(await namesOn(visitor, '?state=nonsense&page=0')).toHaveLength(2);
	});

	test('a new name holds for the API as well, and is refused where it is none', async () => {
		const { visitor, apiKey } = await newCustomer();
		const path = await sendList(apiKey, ['ada@inbox.test'], 'Before');
		for (const [name, status] of [
			['', 422],
			['  ', 422],
			['x'.repeat(256), 422],
			['two\nlines', 422],
			['x'.repeat(255), 303],
			['After', 303],
		] as const) {
			expect((await visitor.submit(`${path}/rename`, { name })).status, name).toBe(status);
		}
		const job = await call(service.url, apiKey, 'GET', path.replace('/dashboard', '/v1'));
		expect(job.body).toMatchObject({ data: { name: 'After' } });
	});

	test('one that runs is not deleted; finished early it is, by its name alone', async () => {
		const { visitor, apiKey } = await newCustomer();
		const path = await sendList(apiKey, [patient()], 'Slow');
		const running = await visitor.get(`${path}/delete`);
		expect(running.text).toContain('This list is still being verified');
		const csrf = /name="csrf" value="([^"]*)"/.exec(running.text)?.[1] ?? '';
		expect((await visitor.post(`${path}/delete`, { csrf, confirm: 'Slow' })).status).toBe(422);
		const asked = await visitor.get(`${path}/finish`);
		expect(asked.text).toContain('1 reserved credit is released');
		expect((await visitor.submit(`${path}/finish`, {})).status).toBe(303);
		await untilDone(visitor, path);
		expect((await visitor.submit(`${path}/delete`, { confirm: 'slow' })).status).toBe(422);
		expect((await visitor.submit(`${path}/delete`, { confirm: 'Slow' })).location).toBe(LISTS);
		expect(await namesOn(visitor)).toEqual([]);
		expect((await visitor.get(`${path}/finish`)).status).toBe(303);
		const credits = await call(service.url, apiKey, 'GET', '/v1/credits');
		expect(credits.body).toMatchObject({ data: { availableCredits: 5, reservedCredits: 0 } });
	});
});
