import { PRICE } from '../../core/credits/price.ts';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { SUB_STATUSES } from '../../core/verification/sub-status.ts';
import { API_ERROR_CODES, ERRORS } from '../../core/errors/error-table.ts';
import type { ApiCall } from '../api-reference.ts';
import { examplesOf } from '../code-examples.ts';
import { count, plural } from '../format.ts';
import { PublicPage } from '../layout.tsx';
import { StatusBadge } from '../parts/badge.tsx';
import { CodeBlock, CodeTabs } from '../parts/code.tsx';
import { breakable } from '../parts/long-text.tsx';
import { Table } from '../parts/table.tsx';
import type { View } from '../view.ts';
import { TestKeys } from './docs-test-keys.tsx';
import { DocsCall } from './docs-call.tsx';
import { Webhooks } from './docs-webhooks.tsx';

export interface DocsProps {
	readonly view: View;
	/** The public URL of the API, without a trailing slash. */
	readonly baseUrl: string;
	readonly calls: readonly ApiCall[];
	readonly limits: {
		readonly default: number;
		readonly batch: number;
		readonly polling: number;
		readonly windowSeconds: number;
		readonly resultsTtlMs: number;
	};
}

/** The API's documentation: general topics, then each call. */
export function DocsPage(props: DocsProps) {
	const { view, calls, baseUrl } = props;
	return (
		<PublicPage
			view={view}
			title="API reference"
			description="How to verify addresses with the Mailsonar API: quick start, calls, errors and limits, with examples in curl, Node and Python."
			current="docs"
			islands={['choice', 'copy']}
		>
			<div class="docs">
				<nav class="docs-nav" aria-label="On this page">
					<ul>
						{GUIDE.map(({ id, title }) => (
							<li>
								<a href={`#${id}`}>{title}</a>
							</li>
						))}
					</ul>
					<p class="nav-group small quiet">Calls</p>
					<ul>
						{calls.map((call) => (
							<li>
								<a href={`#${call.id}`}>{call.summary}</a>
							</li>
						))}
					</ul>
				</nav>
				<div class="docs-body">
					<h1>API reference</h1>
					<p class="quiet docs-lead">
						REST with JSON. The same as a machine reads it: <a href="/openapi.json">openapi.json</a>.
					</p>
					{GUIDE.map(({ id, title, Text }) => (
						<section id={id} aria-labelledby={`${id}-title`}>
							<h2 id={`${id}-title`}>{title}</h2>
							<Text {...props} />
						</section>
					))}
					{calls.map((call) => (
						<DocsCall call={call} baseUrl={baseUrl} />
					))}
				</div>
			</div>
		</PublicPage>
	);
}

const GUIDE = [
	{ id: 'quick-start', title: 'Quick start', Text: QuickStart },
	{ id: 'keys', title: 'Keys', Text: Keys },
	{ id: 'test-keys', title: 'Test keys', Text: TestKeys },
	{ id: 'answers', title: 'Answers and credits', Text: Answers },
	{ id: 'errors', title: 'Errors', Text: Errors },
	{ id: 'limits', title: 'Limits', Text: LimitsText },
	{ id: 'retries', title: 'Safe retries', Text: Retries },
	{ id: 'webhooks', title: 'Webhooks', Text: Webhooks },
	{ id: 'reasons', title: 'Reason codes', Text: Reasons },
] as const;

function QuickStart({ baseUrl }: DocsProps) {
	return (
		<div class="stack">
			<p>
				<a href="/dashboard/sign-up">Create an account</a>, create a key under <em>API keys</em>, and ask:
			</p>
			<CodeTabs
				id="quick-start-code"
				of="Quick start"
				examples={examplesOf(baseUrl, {
					method: 'POST',
					path: '/v1/verify',
					body: { email: 'jane@acme.com' },
				})}
			/>
			<p>
				The answer has <code>data.status</code> for your program and <code>data.details.general.reason</code>{' '}
				for people. For a list, send it to <code>/v1/verify-batch</code>, ask for the job every 10 to 15
				seconds, and read the results when its status is <code>completed</code>.
			</p>
		</div>
	);
}

function Keys() {
	return (
		<div class="stack">
			<p>
				Every call carries a key, in either header. If both are sent they must agree. Keep keys on your
				server: whoever has one spends your credits.
			</p>
			<CodeBlock
				id="key-headers"
				code={'Authorization: Bearer YOUR_API_KEY\nX-API-Key: YOUR_API_KEY'}
				what="The two headers"
			/>
			<p>A missing, wrong or revoked key gets 401. Revoking works on the next call.</p>
		</div>
	);
}

function Answers() {
	return (
		<div class="stack">
			<p>
				Each success is <code>{'{ "success": true, "data": …, "meta": … }'}</code>;{' '}
				<code>meta.requestId</code> names the request when you ask us about it.
			</p>
			<p>
				A definite answer costs {plural(PRICE.single, 'credit')}. Credits are set aside when work begins,
				charged for answers and given back for every <code>unknown</code>; the balance shows it at once.
				Nothing is charged for a malformed address, a duplicate in a list, or a failure of ours.
			</p>
			<p>
				A catch-all domain accepts every address. <code>/v1/verify</code> runs the deeper check in the same
				call for the same credit; in a list such an address is <code>risky</code>, and{' '}
				<code>/v1/catchall</code> scores all of them.
			</p>
		</div>
	);
}

const ERROR_ROWS = API_ERROR_CODES.map((code) => ({ code, ...ERRORS[code] }));

function Errors() {
	return (
		<div class="stack">
			<p>
				An error is <code>{'{ "success": false, "error": …, "code": …, "requestId": … }'}</code>: a sentence
				for people, one of these words for your program, and the number to name when you ask us about it. A
				402 also has <code>required</code> and <code>available</code>, a 409 of a job that is not completed
				its <code>status</code>. A 429 has its sentence in <code>message</code>, and nothing else.
			</p>
			<Table
				caption="Errors"
				rows={ERROR_ROWS}
				empty={null}
				columns={[
					{ head: 'Status', names: true, width: 56, cell: ({ status }) => <strong>{status}</strong> },
					{ head: 'Code', width: 132, cell: ({ code }) => <code>{breakable(code)}</code> },
					{ head: 'What happened', width: 148, cell: ({ when, cause }) => `${when} ${cause}` },
					{ head: 'What to do', width: 120, cell: ({ cure }) => cure },
				]}
			/>
		</div>
	);
}

function LimitsText({ limits }: DocsProps) {
	const minutes = plural(limits.windowSeconds / 60, 'minute');
	const rows = [
		['Lists: POST /v1/verify-batch and /v1/catchall', `${count(limits.batch)} requests`],
		['Polling: GET /v1/jobs/… and its results', `${count(limits.polling)} requests`],
		['Everything else', `${count(limits.default)} requests`],
		['Addresses in a list', count(50_000)],
		['Results on a page', '25, at most 500'],
		['Results are kept', retentionInWords(limits.resultsTtlMs)],
	] as const;
	return (
		<div class="stack">
			<p>
				Windows are fixed, {minutes} long, and each kind of call has its own. Every answer says where you
				stand in <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and{' '}
				<code>RateLimit-Reset</code> (seconds).
			</p>
			<Table
				caption="Limits"
				rows={rows}
				empty={null}
				columns={[
					{ head: 'What', names: true, width: 232, cell: ([what]) => what },
					{ head: `Per ${minutes}, or at all`, align: 'right', width: 160, cell: ([, limit]) => limit },
				]}
			/>
		</div>
	);
}

function Retries() {
	return (
		<div class="stack">
			<p>
				Send an <code>Idempotency-Key</code> of your own with <code>/v1/verify-batch</code> and{' '}
				<code>/v1/catchall</code>, up to 255 printable ASCII characters. The same key with the same body gets
				the first answer again, byte for byte, with <code>Idempotent-Replayed: true</code>: no second job, no
				second charge. The same key with another body gets 409.
			</p>
		</div>
	);
}

function Reasons() {
	return (
		<div class="stack">
			<p>
				<code>data.details.sub_status</code> says why. The list may grow; the four statuses will not.
			</p>
			<Table
				caption="Reason codes"
				rows={Object.entries(SUB_STATUSES)}
				empty={null}
				columns={[
					{ head: 'Code', names: true, width: 136, cell: ([code]) => <code>{breakable(code)}</code> },
					{ head: 'Status', width: 120, cell: ([, { status }]) => <StatusBadge status={status} /> },
					{ head: 'Meaning', width: 184, cell: ([, { reason }]) => reason },
				]}
			/>
		</div>
	);
}
