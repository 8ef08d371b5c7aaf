import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { VerificationResult } from '../../../src/core/verification/render.ts';
import { EMPTY_KEY_FORM, KeyCreatedPage, KeysPage } from '../../../src/dashboard/pages/keys/keys.tsx';
import { KeyPage, KeyRevokePage } from '../../../src/dashboard/pages/keys/key.tsx';
import { OverviewPage } from '../../../src/dashboard/pages/overview.tsx';
import type { OverviewProps } from '../../../src/dashboard/pages/overview.tsx';
import { SearchPage } from '../../../src/dashboard/pages/search.tsx';
import type { Examined } from '../../../src/engine/case.ts';
import type { Paid } from '../../../src/operations/verify/settle-call.ts';
import type { AnsweredVerification } from '../../../src/operations/verify/verify-for-owner.ts';
import type { Breakdown } from '../../../src/core/catchall/breakdown.ts';
import { VerifyPage } from '../../../src/dashboard/pages/verify.tsx';
import type { VerifyProps } from '../../../src/dashboard/pages/verify.tsx';
import { COMPANY_PAGES } from './company-pages.tsx';
import { LANDING_PAGES } from './landing-pages.tsx';
import { LIST_PAGES } from './list-pages.tsx';
import { CREDIT_PAGES } from './credit-pages.tsx';
import { JOB_PAGES } from './job-pages.tsx';
import { PEOPLE_PAGES } from './people-pages.tsx';
import { WEBHOOK_PAGES } from './webhook-pages.tsx';
import { keys } from './key-samples.ts';
import * as sample from './samples.ts';

/** A whole page. */
type Page = Child;

// Every page, in every state that people may see.

const { view } = sample;
const baseUrl = 'https://api.mailsonar.example';

const pagination = (total: number, page = 1, limit = 25) => ({
	total,
	page,
	limit,
	pages: Math.ceil(total / limit),
	hasNextPage: page < Math.ceil(total / limit),
});

const key = { view, apiKey: keys[0]!, days: sample.days, refused: null, flash: null };

const call = { baseUrl, sample: 'jane@acme.com' };

const verify: VerifyProps = {
	view,
	email: '',
	error: null,
	available: 35_817,
	shown: null,
	history: { verifications: [], pagination: pagination(0) },
	flash: null,
};

type Found = Pick<Paid<Examined>, 'result' | 'charged' | 'breakdown' | 'answeredBy'>;

function kept(id: number, found: Found): AnsweredVerification {
	const answer = { ...found, requestId: `ver_${id}`, remaining: 35_817 };
	return { kind: 'answered', id: `ver_${id}`, at: sample.NOW - id * 400_000, answer };
}

const history = {
	verifications: sample.results.map((result, index) =>
		kept(index, { result, charged: result.status === 'unknown' ? 0 : 1, breakdown: null }),
	),
	pagination: pagination(sample.results.length),
};

export const overview: OverviewProps = {
	view,
	balance: sample.balance,
	low: { below: 500, isLow: false, mails: true },
	days: sample.ninetyDays,
	range: 30,
	running: [sample.workingJob],
	ended: [sample.job, sample.expiredJob, sample.failedJob],
	answers: history.verifications.slice(0, 5),
	flash: null,
};

/** The breakdown of an address that is verified alone: there is no list to compare it with. */
const aloneBreakdown: Breakdown = {
	...sample.breakdown,
	mailbox: { score: 5, signals: ['shape:first.last'] },
	explanations: sample.breakdown.explanations.filter(({ signal }) => signal !== 'domain_pattern:fits'),
};

function verified(found: Found): Page {
	return <VerifyPage {...verify} email={found.result.email} shown={kept(0, found)} history={history} />;
}

function answered(result: VerificationResult, charged: number): Page {
	const { validation_method: method } = result.details.general;
	const answeredBy = method === 'smtp' ? (result.details.mail_server.mx_record ?? undefined) : undefined;
	return verified({ result, charged, breakdown: null, answeredBy });
}

const catchAllResult = sample.result('grace@navy.example', 'catch_all_valid', {
	catchAll: true,
	catchAllScore: { score: 91, verdict: 'valid' },
});

export const PAGES: Readonly<Record<string, Page>> = {
	...PEOPLE_PAGES,
	...JOB_PAGES,
	...WEBHOOK_PAGES,
	...COMPANY_PAGES,
	...LANDING_PAGES,
	overview: <OverviewPage {...overview} />,
	'overview-week': <OverviewPage {...overview} range={7} />,
	'overview-quarter': <OverviewPage {...overview} range={90} running={[]} />,
	'overview-new': (
		<OverviewPage
			{...overview}
			answers={[]}
			balance={{ ...sample.noBalance, balance: 100, availableCredits: 100, totalPurchased: 100 }}
			days={sample.ninetyDays.map(({ day }) => ({
				day,
				credits: 0,
				requests: 0,
				outcomes: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 },
			}))}
			running={[]}
			ended={[]}
		/>
	),
	'overview-low': (
		<OverviewPage
			{...overview}
			balance={{
				...sample.noBalance,
				balance: 480,
				availableCredits: 480,
				totalPurchased: 500,
				totalConsumed: 20,
			}}
			low={{ below: 500, isLow: true, mails: true }}
		/>
	),
	'overview-no-credits': <OverviewPage {...overview} balance={sample.noBalance} />,
	verify: <VerifyPage {...verify} />,
	'verify-wrong': <VerifyPage {...verify} email="ada@" error="There is nothing after the @." />,
	'verify-deliverable': answered(sample.results[0]!, 1),
	'verify-undeliverable': answered(sample.results[1]!, 1),
	'verify-typo': answered(sample.results[3]!, 1),
	'verify-unknown': answered(sample.results[4]!, 0),
	'verify-silent': verified({
		result: sample.result('ada@silent.example', 'timeout', { mxRecord: 'mx.silent.example' }),
		charged: 0,
		breakdown: null,
	}),
	'verify-history': <VerifyPage {...verify} history={history} />,
	'verify-under-way': <VerifyPage {...verify} shown={{ kind: 'under_way' }} history={history} />,
	'verify-failed': <VerifyPage {...verify} shown={{ kind: 'failed' }} history={history} />,
	'verify-long': answered(sample.results[5]!, 1),
	'verify-disposable': answered(
		sample.result('a@mailinator.com', 'disposable', { method: 'list', mxRecord: null, smtpProvider: null }),
		1,
	),
	'verify-catch-all': verified({
		result: { ...catchAllResult, catch_all_score: 86, deliverability_score: 86 },
		charged: 1,
		breakdown: aloneBreakdown,
		answeredBy: 'aspmx.l.google.com',
	}),
	search: <SearchPage view={view} query="new" lists={[sample.job, sample.expiredJob]} />,
	'search-empty': <SearchPage view={view} query="jane@acme.com" lists={[]} />,
	keys: <KeysPage {...call} view={view} keys={keys} form={EMPTY_KEY_FORM} flash={null} />,
	'keys-empty': (
		<KeysPage
			{...call}
			view={view}
			keys={[]}
			form={{
				...EMPTY_KEY_FORM,
				mode: 'test',
				scopes: [],
				expiry: 'date',
				until: '2020-01-31',
				errors: {
					label: 'Give the key a label',
					scopes: 'Choose at least one scope',
					until: 'Choose a day from today on, within ten years',
				},
			}}
			flash={null}
		/>
	),
	'keys-revoked': (
		<KeysPage
			{...call}
			view={view}
			keys={keys}
			form={EMPTY_KEY_FORM}
			flash={{ kind: 'done', text: 'The key is revoked' }}
		/>
	),
	'key-created': (
		<KeyCreatedPage
			view={view}
			label="Sign-up form"
			mode="test"
			apiKey="ms_test_2Zk9wT7bQm4Xc1LpRv8sYd3HnJf6Gt0AeUiOoPqWxZzKkMmNnBbVvCcXx5"
			baseUrl={baseUrl}
			sample="jane@acme.com"
		/>
	),
	...LIST_PAGES,
	key: <KeyPage {...key} />,
	'key-unused': <KeyPage {...key} apiKey={keys[1]!} days={[]} />,
	'key-relabelled': <KeyPage {...key} refused={{ typed: '', error: 'Give the key a label' }} />,
	'key-revoke': <KeyRevokePage view={view} apiKey={keys[0]!} error="That is not the label of this key." />,
	...CREDIT_PAGES,
};

/** The HTML of a page, as it is sent. */
export async function htmlOf(page: Page): Promise<string> {
	return String(await html`<!doctype html>${page}`);
}
