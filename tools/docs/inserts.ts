import { readFileSync } from 'node:fs';
import { API_ERROR_CODES, ERRORS } from '../../src/core/errors/error-table.ts';
import { inCredits, PRICE } from '../../src/core/credits/price.ts';
import { CODE_MS, SESSION_MS } from '../../src/core/identity/tokens.ts';
import { SCOPES, SCOPE_MEANINGS } from '../../src/core/keys/scopes.ts';
import { UNCONFIRMED } from '../../src/core/mail-operators/operator-row.ts';
import type { OperatorRow, RouteClass } from '../../src/core/mail-operators/operator-row.ts';
import { displayNameOf, OPERATORS } from '../../src/core/mail-operators/operators.ts';
import { ANSWERS, DEEDS, REFUSALS } from '../../src/core/test-keys/words.ts';
import { ATTEMPTS_MAX, RETRY_DELAYS_MS } from '../../src/core/webhooks/delivery.ts';
import { WEBHOOKS_MAX } from '../../src/operations/webhooks/port.ts';
import {
	actionOf,
	INVALID_UP_TO,
	VALID_FROM,
	retryAfterOf,
	SUB_STATUSES,
	statusOf,
} from '../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';
import { examplesOf, LANGUAGES } from '../../src/dashboard/parts/code-examples.ts';
import type { Language } from '../../src/dashboard/parts/code-examples.ts';
import { count, list, span } from '../../src/dashboard/format.ts';
import { VERDICT } from '../../src/http/schemas/task.ts';
import { DAY_MS } from '../../src/lib/time.ts';

// Texts of the guides that other code decides: a table replaces `{{errors}}` in a guide.

/** The address in the sample programs; the Worker puts its own there. */
const SAMPLE_BASE = 'https://api.mailsonar.example';
const LIST_MAX = 50_000;
/** How each language is called in a fence of Markdown. */
const FENCES = { curl: 'sh', TypeScript: 'js', Python: 'python' } as const satisfies Record<Language, string>;

const request = (path: string, body: object): string =>
	fencesOf(examplesOf('{{base}}', { method: 'POST', path, body }));

const INSERTS: Readonly<Record<string, () => string>> = {
	'list-max': () => count(LIST_MAX),
	price: () => inCredits(PRICE.single),
	'code-minutes': () => String(CODE_MS / 60_000),
	'session-days': () => String(SESSION_MS / DAY_MS),
	'opted-out': () => SUB_STATUSES.opted_out.reason,
	'score-valid': () => String(VALID_FROM),
	'score-invalid': () => String(INVALID_UP_TO),
	'example-verify': () => request('/v1/verify', { email: 'jane@acme.com' }),
	'example-quick': () => request('/v1/verify', { email: 'jane@gmial.com', mode: 'quick' }),
	'example-time-limit': () => request('/v1/verify', { email: 'info@acme.com', timeoutMs: 2_000 }),
	'example-list-start': () =>
		request('/v1/verify-batch', { emails: ['jane@acme.com', 'joe@acme.com'], name: 'July list' }),
	'example-list': () =>
		fencesOf(LANGUAGES.map((language) => ({ language, code: listProgram(language, '{{base}}').trim() }))),
	'example-breakdown': () => fence('json', JSON.stringify(VERDICT, null, 2)),
	'webhooks-max': () => String(WEBHOOKS_MAX),
	// A contract test runs it unchanged.
	'webhook-sample': () => fence('js', readFileSync('src/dashboard/texts/webhook.mjs.txt', 'utf8').trim()),
	'webhook-delays': () => list(RETRY_DELAYS_MS.map(span)),
	'webhook-attempts': () => String(ATTEMPTS_MAX),
	errors: () => tableOf(['Status', 'Code', 'What happened', 'What to do'], errorRows()),
	'key-scopes': () =>
		tableOf(
			['Scope', 'A key with it may'],
			SCOPES.map((scope) => [`\`${scope}\``, SCOPE_MEANINGS[scope]]),
		),
	statuses: () => tableOf(['Reason', 'Status', 'Action', 'Meaning'], reasonRows()),
	operators: () => tableOf(['Operator', 'Recipients', 'Source', 'Read'], operatorRows()),
	'test-words': () => tableOf(['Word', 'Answer'], testWords()),
};

/** Replaces `{{name}}` in a text. What is left the Worker fills in: its configuration, and on the quickstart a test key. */
export function fillIn(text: string): string {
	return text.replaceAll(/\{\{([\w-]+)\}\}/g, (whole, name: string) => INSERTS[name]?.() ?? whole);
}

const PROGRAMS = { curl: 'list.sh.txt', TypeScript: 'list.mjs.txt', Python: 'list.py.txt' } as const;

/** A whole program that sends a list, waits for it, and reads all of its pages. */
export function listProgram(language: Language, baseUrl: string): string {
	return readFileSync(`src/dashboard/texts/${PROGRAMS[language]}`, 'utf8').replaceAll(SAMPLE_BASE, baseUrl);
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

const RECIPIENTS: Readonly<Record<RouteClass, string>> = {
	validating: 'checks',
	hosting: 'by customer',
	microsoft365: 'by customer',
	seg_callahead: 'by customer',
	seg: 'by customer',
	blind: 'accepts all',
	unknown: 'not known',
};

/** The rows of the page about mail operators: name, what it does with recipients, source and date. */
export function operatorRows(): string[][] {
	return Object.entries<OperatorRow>(OPERATORS)
		.map(([key, row]) => [displayNameOf(key), recipientsOf(row), row.source, row.date])
		.toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en'));
}

function recipientsOf({ routeClass, replyHabits = [], ownDomainsOnly, source }: OperatorRow): string {
	const filter = replyHabits.includes('calls_filtered_unknown') ? ' + filter' : '';
	const unconfirmed = routeClass !== 'unknown' && source.startsWith(UNCONFIRMED) ? ', unconfirmed' : '';
	return `${RECIPIENTS[routeClass]}${filter}${ownDomainsOnly === true ? ', own domains' : ''}${unconfirmed}`;
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
