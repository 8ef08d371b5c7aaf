import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { jobAndTask, read } from './access.ts';
import type { Task } from './access.ts';
import { verify } from './verdict.ts';

// A part of a task looks a domain up once and not once for each of its addresses, and all parts ask the registry once.

const DOMAINS = ['well-kept.test', 'catch-all.test'];
const FIRST = 'anna peter maria thomas laura martin'.split(' ');
const LAST = 'schmidt becker wagner novak rossi'.split(' ');
const EMAILS = FIRST.flatMap((first) =>
	LAST.flatMap((last) => DOMAINS.map((domain) => `${first}.${last}@${domain}`)),
);

// As many parts are worked on at once; the others come too late to ask again.
const PARTS_MAX = 6;

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service?.remove());

test('60 addresses on 2 domains: the registry is asked once about each, the DNS by each part', async () => {
	const { apiKey } = await makeAccount(service, 200);
	const { taskId } = await jobAndTask({ url: service.url, apiKey }, EMAILS);
	const task = await read<Task>({ url: service.url, apiKey }, `/v1/catchall/${taskId}`);
	expect(task.processedEmails).toBe(60);
	const { dns, rdap } = service.sandbox?.counters ?? { dns: null, rdap: null };
	expect(rdap?.byName).toEqual(new Map(DOMAINS.map((domain) => [domain, 1])));
	const asked = [...(dns?.byName ?? [])].filter(([question]) =>
		DOMAINS.some((domain) => question.split(' ')[0]?.endsWith(domain)),
	);
	console.log(`${asked.length} questions, ${asked.reduce((sum, [, times]) => sum + times, 0)} times asked`);
	// Where the mail goes is each part's own first questions, as of any job.
	const routes = new Set(DOMAINS.flatMap((domain) => [`${domain} MX`, `mx.${domain} A`]));
	const again = asked.filter(([question, times]) => times > PARTS_MAX && !routes.has(question));
	expect(again).toEqual([]);
	expect(asked.map(([question]) => question)).toContain('_dmarc.well-kept.test TXT');
});

test('calls that come together share a question to the registry, each with an answer of its own', async () => {
	const { apiKey } = await makeAccount(service, 10);
	const people = FIRST.map((first) => `${first}.weber@newborn.test`);
	const results = await Promise.all(people.map((address) => verify(service.url, apiKey, address)));
	expect(results.map(({ details }) => details.attributes.catch_all)).toEqual(people.map(() => true));
	expect(service.sandbox?.counters.rdap.byName.get('newborn.test')).toBe(1);
});
