import { ERRORS } from '../../core/errors/error-table.ts';
import type { ErrorCode } from '../../errors.ts';
import type { AnswerExample, ApiAnswer, ApiCall, ApiField } from '../api-reference.ts';
import { examplesOf } from '../code-examples.ts';
import { fence, fencesOf, tableOf } from './inserts.ts';

// The reference as Markdown, made from the OpenAPI document.

/** The page that lists all calls. */
export function referenceIndex(calls: readonly ApiCall[], baseUrl: string): string {
	const groups = [...new Set(calls.map(({ group }) => group))];
	return [
		'# API reference',
		`REST with JSON at \`${baseUrl}\`. Every call carries [a key](/docs/guides/keys). The same as a machine reads it: [openapi.json](/openapi.json).`,
		'A success is `{ "success": true, "data": …, "meta": … }`; an [error](/docs/guides/errors) has `message`, `code` and `requestId`, a 429 its `message` alone.',
		...groups.flatMap((group) => [
			`## ${group}`,
			tableOf(
				['Call', 'What it does'],
				calls
					.filter((call) => call.group === group)
					.map(({ id, method, path, summary }) => [
						`\`${method} ${path}\``,
						`[${summary}](/docs/reference/${id})`,
					]),
			),
		]),
	].join('\n\n');
}

/** The page of one call: what it takes, examples, and every answer with every field. */
export function referenceOf(call: ApiCall, baseUrl: string): string {
	const taken = [...call.parameters, ...call.body];
	return [
		`# ${call.summary}`,
		`\`${call.method} ${call.path}\``,
		...(call.description === null ? [] : [call.description]),
		...(taken.length === 0 ? [] : ['## What it takes', fieldsTable(taken, true)]),
		'## Example',
		fencesOf(examplesOf(baseUrl, call.example)),
		'## Answer',
		...call.answers.filter(isSuccess).flatMap(answerText),
		...(call.fields.length === 0 ? [] : ['## Fields of the answer', fieldsTable(call.fields, false)]),
		...(call.data.length === 0 ? [] : ['## Fields of data', fieldsTable(call.data, false)]),
		...(call.meta.length === 0 ? [] : ['## Fields of meta', fieldsTable(call.meta, false)]),
		'## Errors',
		'Every error has its sentence in `message`; all but the 429 have a `code` too. [All codes](/docs/guides/errors)',
		...call.answers.filter((answer) => !isSuccess(answer)).flatMap(answerText),
	].join('\n\n');
}

function isSuccess({ status }: ApiAnswer): boolean {
	return status.startsWith('2');
}

function answerText(answer: ApiAnswer): readonly string[] {
	const { status, description, headers, examples } = answer;
	const special = headers.filter((name) => !name.startsWith('RateLimit') && name !== 'X-Request-Id');
	return [
		`### ${status}`,
		`${description}.${special.length === 0 ? '' : ` With ${special.map((name) => `\`${name}\``).join(', ')}.`}`,
		...examples.flatMap((example, at) =>
			isSuccess(answer) && at === 0
				? [`${example.summary}:`, codeOf(example)]
				: // A heading of the fourth level is folded on the page.
					[`#### ${headOf(answer, example)}`, ...moreOf(answer, example), codeOf(example)],
		),
	];
}

function headOf(answer: ApiAnswer, { name, summary }: AnswerExample): string {
	return isSuccess(answer) ? summary : `\`${name}\` ${summary}`;
}

/** The cause of an error, and the remedy. */
function moreOf(answer: ApiAnswer, { name }: AnswerExample): readonly string[] {
	if (isSuccess(answer) || !Object.hasOwn(ERRORS, name)) return [];
	const { cause, cure } = ERRORS[name as ErrorCode];
	return [[cause, cure].filter((text) => text !== null).join(' ')];
}

function codeOf({ value }: AnswerExample): string {
	return typeof value === 'string'
		? fence('text', value.trim())
		: fence('json', JSON.stringify(value, null, 2));
}

function fieldsTable(fields: readonly ApiField[], withPlace: boolean): string {
	const rows = fields.map(({ name, type, place, required, notes }) => [
		`\`${name}\``,
		...(withPlace ? [required ? `${place}, required` : place] : []),
		type,
		notes ?? '',
	]);
	return tableOf(['Field', ...(withPlace ? ['In'] : []), 'Type', 'Notes'], rows);
}
