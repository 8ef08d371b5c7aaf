import { expect, inject, test } from 'vitest';
import type { VerificationResult } from '../../src/core/verification/render.ts';
import { makeAccount } from '../support/service.ts';
import { hiddenFields } from '../support/visitor.ts';
import type { Page, Visitor } from '../support/visitor.ts';
import { balanceOf } from './api.ts';
import { completed, finishedTask, resultsOf, submitted, verdictsOf } from './jobs-api.ts';
import { newPerson } from './people.ts';
import { eventually } from '../support/patience.ts';

// One address, one answer: the Verify page, a list that resolves catch-all addresses and a catch-all check agree. A list
// that has something to compare an address with: test/golden, test/unit/dashboard/result-card.test.tsx.

const service = inject('service');
const VERIFY = '/dashboard/verify';

/** Sends the form of the Verify page; gives the path of the answer. */
async function send(visitor: Visitor, email: string, form?: Record<string, string>): Promise<string> {
	const fields = form ?? hiddenFields(await visitor.get(VERIFY), VERIFY);
	const sent = await visitor.post(VERIFY, { ...fields, email });
	expect([sent.status, sent.location], sent.text).toEqual([
		303,
		expect.stringMatching(/^\/dashboard\/verify\/ver_/),
	]);
	return sent.location ?? '';
}

/** The page of the answer, once there is one. */
async function answerAt(visitor: Visitor, path: string): Promise<Page> {
	return eventually(async () => {
		const page = await visitor.get(path);
		expect(page.text).toMatch(/aria-label="Result for /);
		return page;
	}, 250);
}

/** The answer as JSON, as the page shows it below the fold. */
function resultOn({ text }: Page): VerificationResult {
	const block =
		/Show the answer as JSON<\/summary>[\s\S]*?<code[^>]*>([\s\S]*?)<\/code>/.exec(text)?.[1] ?? '';
	const json = block
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
	return JSON.parse(json) as VerificationResult;
}

const availableTo = async (visitor: Visitor): Promise<number> =>
	Number(/(\d[\d,]*)<\/strong> credits left\./.exec((await visitor.get(VERIFY)).text)?.[1]?.replace(',', ''));

// Every way in which a domain or the deeper check may answer.
const CATCH_ALL = [
	'jane.doe@google-catch-all.test',
	'ada@parked.test',
	'ada@catch-all.test',
	'jane.doe@gateway.test',
	'jane.doe@one-recipient-catch-all.test',
	'jane.doe@late-catch-all.test',
];
const OTHERS = [
	'ada@inbox.test',
	'nobody@inbox.test',
	'ada@nxdomain.test',
	'ada@catch-all-but-gone.test',
	'ada@shy-catch-all.test',
];

test('one address has the same verdict, score and price on the Verify page, in a list that resolves it, and in a check', async () => {
	const { visitor } = await newPerson();
	const before = await availableTo(visitor);
	const page: VerificationResult[] = [];
	// One after the other: on a busy machine a single call would not wait for its turn at a shared server.
	for (const email of [...CATCH_ALL, ...OTHERS]) {
		const result = resultOn(await answerAt(visitor, await send(visitor, email)));
		page.push({ ...result, verified_at: '' });
	}
	const charged = before - (await availableTo(visitor));
	const list = await makeAccount(service, 20);
	const flags = { auto_catchall_rescue: true };
	const more = { validationFlags: flags };
	const { jobId } = (await submitted(list.apiKey, [...CATCH_ALL, ...OTHERS], service.url, more)).data;
	const ended = (await completed(list.apiKey, jobId)).at(-1);
	const { results } = await resultsOf(list.apiKey, jobId, '?limit=500');
	expect(results.map((row) => ({ ...row, verified_at: '' }))).toEqual(
		page.map((result, index) => ({ index, ...result })),
	);
	expect(ended).toMatchObject({ validationFlags: flags, creditsUsed: charged, creditsReserved: 0 });
	const { catchAll, risky } = ended?.statusCounts ?? {};
	const ofCatchAll = results.filter(({ details }) => details.attributes.catch_all === true);
	expect([catchAll, risky]).toEqual([ofCatchAll.length, 0]);
	expect(await resultsOf(list.apiKey, jobId, '?status=catch_all')).toMatchObject({ results: ofCatchAll });
	expect((await balanceOf(list.apiKey)).totalConsumed).toBe(charged);

	const checked = await makeAccount(service, 20);
	const taskId = await finishedTask(checked.apiKey, CATCH_ALL);
	const { results: rows, task } = await verdictsOf(checked.apiKey, taskId);
	const inCheck = page.filter(
		({ email, details }) => CATCH_ALL.includes(email) && details.attributes.catch_all === true,
	);
	expect(rows.map(({ email, score, verdict }) => [email, score, verdict])).toEqual(
		inCheck.map((result) => [result.email, result.catch_all_score, result.catch_all_verdict]),
	);
	const decided = inCheck.filter(({ catch_all_verdict: verdict }) => verdict !== 'unknown').length;
	expect(task.verdictCounts.valid + task.verdictCounts.invalid).toBe(decided);
});
