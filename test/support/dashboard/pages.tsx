import { SCOPES } from '../../../src/core/keys/scopes.ts';
import type { OwnKey } from '../../../src/operations/accounts/keys.ts';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { VerificationResult } from '../../../src/core/verification/render.ts';
import { paginate } from '../../../src/core/jobs/pages.ts';
import { apiPlace, CreatedPage, keyPlace } from '../../../src/dashboard/pages/api.tsx';
import { examplesOf } from '../../../src/dashboard/parts/code-examples.ts';
import { answerPlace, homePlace } from '../../../src/dashboard/pages/home.tsx';
import type { AnsweredVerification, Examined } from '../../../src/operations/verify/verify.ts';
import type { Paid } from '../../../src/operations/verify/answer-call.ts';
import { VERDICT } from '../../../src/http/schemas/task.ts';
import { COMPANY_PAGES } from './company-pages.tsx';
import { LIST_PAGES } from './list-pages.tsx';
import { CREDIT_PAGES } from './credit-pages.tsx';
import { JOB_PAGES } from './job-pages.tsx';
import { PEOPLE_PAGES } from './people-pages.tsx';
import { TOLD, UNTOLD, WEBHOOK_PAGES } from './webhook-pages.tsx';
import { viewed } from './viewed.tsx';
import * as sample from './samples.ts';

/** A whole page. */
type Page = Child;

// Every page, in every state that people may see.

const { view } = sample;

function usageOf(requests: number, outcomes: readonly [number, number, number, number], ago: number) {
	const [deliverable, undeliverable, risky, unknown] = outcomes;
	const credits = deliverable + undeliverable + risky;
	return {
		requests,
		credits,
		outcomes: { deliverable, undeliverable, risky, unknown },
		lastUsedAt: sample.NOW - ago,
	};
}

const liveKey: OwnKey = {
	id: 'k1',
	version: 1,
	accountId: 'acc_1',
	mode: 'live',
	label: 'Sign-up form',
	createdAt: sample.NOW - 40 * sample.DAY,
	revoked: false,
	revokedAt: null,
	ending: 'x7Kq',
	scopes: SCOPES,
	expiresAt: null,
	usage: usageOf(12_044, [9_000, 2_000, 310, 734], 2 * sample.MINUTE),
};

const keys: readonly OwnKey[] = [
	liveKey,
	{
		...liveKey,
		id: 'k2',
		label: 'CRM import, nightly',
		createdAt: sample.NOW - 2 * sample.DAY,
		scopes: ['lists', 'read'],
		expiresAt: sample.NOW + 20 * sample.DAY,
		usage: null,
	},
	{
		...liveKey,
		id: 'k3',
		label: 'Old website',
		revoked: true,
		revokedAt: sample.NOW - 30 * sample.DAY,
		usage: usageOf(310, [300, 0, 0, 10], 31 * sample.DAY),
	},
	{
		...liveKey,
		id: 'k4',
		accountId: 'test_1',
		mode: 'test',
		label: 'Integration tests',
		ending: 'T9cd',
		usage: usageOf(4_410, [3_600, 402, 0, 408], 3 * sample.MINUTE),
	},
];

const key = { key: keys[0]!, days: sample.days };

const calls = examplesOf('https://api.mailsonar.example', {
	method: 'POST',
	path: '/v1/verify',
	body: { email: 'jane@acme.com' },
});

type Found = Pick<Paid<Examined>, 'result' | 'charged' | 'breakdown' | 'answeredBy'>;

function kept(id: number, found: Found): AnsweredVerification {
	const answer = { ...found, requestId: `ver_${id}`, remaining: 35_817 };
	return { kind: 'answered', id: `ver_${id}`, at: sample.NOW - id * 400_000, answer };
}

const answers = sample.results.map((result, index) =>
	kept(index, { result, charged: result.status === 'unknown' ? 0 : 1, breakdown: null }),
);

export const home: Parameters<typeof homePlace.draw>[1] = {
	balance: sample.balance,
	low: { below: 500, isLow: false, mails: true },
	running: [sample.workingJob],
	isNew: false,
	answers,
	pagination: paginate(answers.length, 1, 10),
	email: '',
};

function verified(found: Found): Page {
	return answerPlace.draw(view, kept(0, found));
}

function answered(result: VerificationResult, charged: number): Page {
	const { validation_method: method } = result.details.general;
	const answeredBy = method === 'smtp' ? (result.details.mail_server.mx_record ?? undefined) : undefined;
	return verified({ result, charged, breakdown: null, answeredBy });
}

export const PAGES: Readonly<Record<string, Page>> = {
	...PEOPLE_PAGES,
	...JOB_PAGES,
	...WEBHOOK_PAGES,
	...COMPANY_PAGES,
	home: homePlace.draw(view, home),
	'home-new': homePlace.draw(view, {
		...home,
		balance: sample.balanceOf(100),
		running: [],
		isNew: true,
		answers: [],
		pagination: paginate(0, 1, 10),
	}),
	'home-low': homePlace.draw(view, {
		...home,
		balance: sample.balanceOf(500, 20),
		low: { below: 500, isLow: true, mails: true },
	}),
	'home-no-credits': homePlace.draw(view, { ...home, balance: sample.balanceOf(0), running: [] }),
	'home-wrong': homePlace.draw(
		view,
		home,
		sample.wrong('verify', { email: 'ada@' }, { email: 'There is nothing after the @.' }),
	),
	'verify-deliverable': answered(sample.results[0]!, 1),
	'verify-undeliverable': answered(sample.results[1]!, 1),
	'verify-typo': answered(sample.results[3]!, 1),
	'verify-unknown': answered(sample.results[4]!, 0),
	'verify-silent': verified({
		result: sample.result('ada@silent.example', 'timeout', { mxRecord: 'mx.silent.example' }),
		charged: 0,
		breakdown: null,
	}),
	'verify-under-way': answerPlace.draw(view, { kind: 'under_way' }),
	'verify-failed': answerPlace.draw(view, { kind: 'failed' }),
	'verify-long': answered(sample.results[5]!, 1),
	'verify-disposable': answered(
		sample.result('a@mailinator.com', 'disposable', { method: 'list', mxRecord: null, smtpProvider: null }),
		1,
	),
	'verify-catch-all': verified({
		result: sample.result('grace@navy.example', 'catch_all_valid', {
			catchAll: true,
			catchAllScore: VERDICT.score,
		}),
		charged: 1,
		breakdown: VERDICT.breakdown,
		answeredBy: 'aspmx.l.google.com',
	}),
	api: apiPlace.draw(view, { calls, keys, told: TOLD }),
	'api-empty': apiPlace.draw(
		view,
		{ calls, keys: [], told: UNTOLD },
		sample.wrong(
			'new',
			{ mode: 'test', expiry: 'date', until: '2020-01-31' },
			{
				label: 'Give the key a label',
				scope: 'Choose at least one scope',
				until: 'Choose a day from today on, within ten years',
			},
		),
	),
	'api-revoked': apiPlace.draw(
		{ ...view, flash: { kind: 'done', text: 'The key is revoked' } },
		{ calls, keys, told: TOLD },
	),
	'api-wrong': apiPlace.draw(
		view,
		{ calls, keys, told: TOLD },
		sample.wrong(
			'webhook',
			{ url: 'http://localhost/' },
			{ url: 'The URL must begin with https://', events: 'Choose at least one event' },
		),
	),
	'key-created': viewed(
		<CreatedPage
			label="Sign-up form"
			mode="test"
			apiKey="ms_test_2Zk9wT7bQm4Xc1LpRv8sYd3HnJf6Gt0AeUiOoPqWxZzKkMmNnBbVvCcXx5"
			calls={calls}
		/>,
	),
	...LIST_PAGES,
	key: keyPlace.draw(view, key),
	'key-unused': keyPlace.draw(view, { key: keys[1]!, days: [] }),
	'key-relabelled': keyPlace.draw(
		view,
		key,
		sample.wrong('rename', { label: '' }, { label: 'Give the key a label' }),
	),
	...CREDIT_PAGES,
};

/** The HTML of a page, as it is sent. */
export async function htmlOf(page: Page): Promise<string> {
	return String(await html`<!doctype html>${page}`);
}

/** The words of a page, without its tags. */
export const wordsOf = (text: string): string =>
	text
		.replaceAll(/<wbr ?\/?>/g, '')
		.replaceAll(/<[^>]*>/g, ' ')
		.replaceAll(/\s+/g, ' ');
