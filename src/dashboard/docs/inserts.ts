import { ACTIVITIES_MAX, ACTIVITY_DAYS } from '../../core/identity/activity.ts';
import { API_ERROR_CODES, ERRORS } from '../../core/errors/error-table.ts';
import { SCOPES, SCOPE_MEANINGS } from '../../core/keys/scopes.ts';
import { operatorRows } from './operator-rows.ts';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { ANSWERS, DEEDS, REFUSALS } from '../../core/test-keys/words.ts';
import { ATTEMPTS_MAX, RETRY_DELAYS_MS } from '../../core/webhooks/delivery.ts';
import { WEBHOOKS_MAX } from '../../operations/webhooks/port.ts';
import { actionOf, INVALID_UP_TO, VALID_FROM } from '../../core/verification/bands.ts';
import { retryAfterOf, SUB_STATUSES, statusOf } from '../../core/verification/sub-status.ts';
import type { SubStatus } from '../../core/verification/sub-status.ts';
import type { ApiCall } from '../api-reference.ts';
import { examplesOf, LANGUAGES, WEBHOOK_SAMPLE } from '../code-examples.ts';
import type { ExampleCall, Language } from '../code-examples.ts';
import { count, list, plural, span } from '../format.ts';

// Texts of the guides that other code decides: a table replaces `{{errors}}` in a guide.

/** A program in each language. */
export type Program = Readonly<Record<Language, string>>;

export interface Samples {
	/** Sends a list, waits for it, and reads all of its pages. */
	readonly list: Program;
}

/** The service's configuration. */
export interface DocsFacts {
	/** The public URL of the API, without a trailing slash. */
	readonly baseUrl: string;
	readonly limits: {
		readonly default: number;
		readonly batch: number;
		readonly polling: number;
		readonly windowSeconds: number;
		readonly resultsTtlMs: number;
	};
}

/** The address in the samples, which is replaced by the service's own. */
export const SAMPLE_BASE = 'https://api.mailsonar.example';
const LIST_MAX = 50_000;
/** How each language is called in a fence of Markdown. */
export const FENCES = {
	curl: 'sh',
	Node: 'js',
	Python: 'python',
	PHP: 'php',
	Go: 'go',
} as const satisfies Record<Language, string>;

const QUICK: ExampleCall = {
	method: 'POST',
	path: '/v1/verify',
	body: { email: 'jane@gmial.com', mode: 'quick' },
};
const TIME_LIMIT: ExampleCall = {
	method: 'POST',
	path: '/v1/verify',
	body: { email: 'info@acme.com', timeoutMs: 2_000 },
};
const LIST: ExampleCall = {
	method: 'POST',
	path: '/v1/verify-batch',
	body: { emails: ['jane@acme.com', 'joe@acme.com'], name: 'July list' },
};
const VERIFY: ExampleCall = { method: 'POST', path: '/v1/verify', body: { email: 'jane@acme.com' } };

/** Replaces `{{name}}` in a guide. Throws on a name that is none, which is a mistake in the guide. */
export function fillIn(text: string, facts: DocsFacts, calls: readonly ApiCall[], samples: Samples): string {
	const inserts = insertsOf(facts, calls, samples);
	return text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
		const insert = inserts[name];
		if (insert === undefined) throw new Error(`A guide asks for {{${name}}}, which nothing makes`);
		return insert();
	});
}

function insertsOf(
	facts: DocsFacts,
	calls: readonly ApiCall[],
	samples: Samples,
): Readonly<Record<string, () => string>> {
	const { baseUrl, limits } = facts;
	const window = plural(limits.windowSeconds / 60, 'minute');
	return {
		base: () => baseUrl,
		kept: () => retentionInWords(limits.resultsTtlMs),
		window: () => window,
		'list-max': () => count(LIST_MAX),
		'score-valid': () => String(VALID_FROM),
		'score-invalid': () => String(INVALID_UP_TO),
		// The page puts a form here; there is nothing to say in its place.
		'test-key': () => '',
		'example-verify': () => fencesOf(examplesOf(baseUrl, VERIFY)),
		'example-quick': () => fencesOf(examplesOf(baseUrl, QUICK)),
		'example-time-limit': () => fencesOf(examplesOf(baseUrl, TIME_LIMIT)),
		'example-list-start': () => fencesOf(examplesOf(baseUrl, LIST)),
		'example-list': () =>
			fencesOf(
				LANGUAGES.map((language) => ({
					language,
					code: samples.list[language].replaceAll(SAMPLE_BASE, baseUrl).trim(),
				})),
			),
		'example-breakdown': () => fence('json', breakdownOf(calls)),
		'webhooks-max': () => String(WEBHOOKS_MAX),
		'webhook-sample': () => fence('js', WEBHOOK_SAMPLE.trim()),
		'webhook-delays': () => list(RETRY_DELAYS_MS.map(span)),
		'webhook-attempts': () => String(ATTEMPTS_MAX),
		errors: () => tableOf(['Status', 'Code', 'What happened', 'What to do'], errorRows()),
		'activity-days': () => String(ACTIVITY_DAYS),
		'activity-max': () => String(ACTIVITIES_MAX),
		'key-scopes': () => tableOf(['Scope', 'A key with it may'], keyScopes()),
		statuses: () => tableOf(['Reason', 'Status', 'Action', 'Meaning'], reasonRows()),
		operators: () => tableOf(['Operator', 'Recipients', 'Source', 'Read'], operatorRows()),
		'test-words': () => tableOf(['Word', 'Answer'], testWords()),
		limits: () =>
			tableOf(
				['Calls', `In ${window}`],
				[
					['Lists and tasks: POST /v1/verify-batch, POST /v1/catchall', count(limits.batch)],
					['Polling: GET /v1/jobs/{jobId} and its results', count(limits.polling)],
					['Everything else', count(limits.default)],
				],
			),
		sizes: () =>
			tableOf(
				['What', 'At most'],
				[
					['Addresses in a list, counted as sent', count(LIST_MAX)],
					['Body of a list', '14 MiB'],
					['Rows on a page', '25, or up to 500 with `limit`'],
					['Name of a list', '255 characters'],
					['Results are kept', retentionInWords(limits.resultsTtlMs)],
					['Answer about one address', '30 seconds'],
				],
			),
	};
}

function reasonRows(): readonly (readonly string[])[] {
	return (Object.keys(SUB_STATUSES) as SubStatus[]).map((code) => {
		const { status, reason } = SUB_STATUSES[code];
		return [`\`${code}\``, status, actionOf(status, retryAfterOf(code, null, 0)), reason];
	});
}

function errorRows(): readonly (readonly string[])[] {
	return API_ERROR_CODES.map((code) => [
		String(ERRORS[code].status),
		`\`${code}\``,
		`${ERRORS[code].when} ${ERRORS[code].cause}`,
		ERRORS[code].cure,
	]);
}

function keyScopes(): readonly (readonly string[])[] {
	return SCOPES.map((scope) => [`\`${scope}\``, SCOPE_MEANINGS[scope]]);
}

function testWords(): readonly (readonly string[])[] {
	return [
		...[...ANSWERS].map(([word, { subStatus, gateway }]) => [
			`\`${word}\``,
			`${statusOf(subStatus)}, ${gateway === null ? `\`${subStatus}\`` : `gateway \`${gateway}\``}`,
		]),
		...Object.entries(DEEDS).map(([word, deed]) => [`\`${word}\``, deed]),
		...Object.entries(REFUSALS).map(([word, code]) => [`\`${word}\``, `${ERRORS[code].status}, \`${code}\``]),
	];
}

/** The row of the reference's own example. */
function breakdownOf(calls: readonly ApiCall[]): string {
	const call = calls.find(({ id }) => id === 'getTaskResults');
	const page = call?.answers.find(({ status }) => status === '200')?.examples[0]?.value;
	const { data } = (page ?? { data: {} }) as { data: { results?: readonly unknown[] } };
	return JSON.stringify(data.results?.[0] ?? {}, null, 2);
}

/** A block of code in Markdown. */
export function fence(language: string, code: string): string {
	return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** The same program in several languages: blocks of code one after the other are tabs on the page. */
export function fencesOf(
	examples: readonly { readonly language: Language; readonly code: string }[],
): string {
	return examples.map(({ language, code }) => fence(FENCES[language], code)).join('\n\n');
}

/** A table in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
	return [rowOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(rowOf)].join('\n');
}

function rowOf(cells: readonly string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
