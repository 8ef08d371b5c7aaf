import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { COPY, operationsOf } from './document.ts';
import type { Document, Operation } from './document.ts';
import { compileSchema, describeErrors } from './json-schema.ts';

// Every answer that a test gets of the API is held to the OpenAPI document, and the statuses of each call that were seen
// are written down.

const document = JSON.parse(
	readFileSync(path.join(import.meta.dirname, '../../..', COPY), 'utf8'),
) as Document;

const calls = operationsOf(document).map(([name, operation]) => {
	const [method = '', template = ''] = name.split(' ');
	const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
	return { method, pattern, operation, validators: new Map<number, ValidateFunction>() };
});

/** An answer as a test sees it. */
interface SeenAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly body: unknown;
}

/** Where the statuses that were seen are written, a file a process; unset: no run asks for them. */
const FOLDER = 'SEEN_ANSWERS';

/** Throws where an answer is not as the document says. Paths that it does not name are let pass. */
export function holdToDocument(method: string, url: string, answer: SeenAnswer): void {
	const { pathname } = new URL(url);
	const call = calls.find((one) => one.method === method && one.pattern.test(pathname));
	if (call === undefined) return;
	const { operation, validators } = call;
	const name = `${operation.operationId} ${answer.status}`;
	const faults = faultsOf(operation, answer, validators);
	if (faults.length > 0) throw new Error(`${name} is not as documented: ${faults.join('; ')}`);
	const folder = process.env[FOLDER];
	if (folder === undefined || seen.has(name)) return;
	seen.add(name);
	appendFileSync(path.join(folder, String(process.pid)), `${name}\n`);
}

const seen = new Set<string>();

function faultsOf(
	operation: Operation,
	{ status, headers, body }: SeenAnswer,
	validators: Map<number, ValidateFunction>,
): readonly string[] {
	const response = operation.responses[String(status)];
	if (response === undefined) return ['a status without a description'];
	const missing = Object.keys(response.headers).filter(
		(header) => document.components.headers[header]?.required === true && !headers.has(header),
	);
	const type = headers.get('content-type')?.split(';')[0] ?? null;
	const content = response.content ?? {};
	const known = Object.keys(content);
	const isKnown = type === null ? known.length === 0 : known.includes(type);
	const schema = content['application/json']?.schema;
	const faults = [...missing.map((header) => `no ${header}`), ...(isKnown ? [] : [`the media type ${type}`])];
	if (schema === undefined || type !== 'application/json') return faults;
	const validate = validators.get(status) ?? compileSchema(schema, document.components.schemas);
	validators.set(status, validate);
	return validate(body) ? faults : [...faults, ...describeErrors(validate)];
}

// Our own failures, which unit tests make; a call with another method, which is none of the document's; and scopes, which
// a table in test/unit/keys asks of each call.
const ASKED_ELSEWHERE = new Set(['500', '502', '503', '405', '403']);

/** The statuses of calls that no test saw, of those that processes wrote into the folder. */
export function unseenIn(folder: string): readonly string[] {
	const found = readdirSync(folder).flatMap((file) =>
		readFileSync(path.join(folder, file), 'utf8').split('\n'),
	);
	return calls
		.flatMap(({ operation: { operationId, responses } }) =>
			Object.keys(responses)
				.filter((status) => !ASKED_ELSEWHERE.has(status))
				.map((status) => `${operationId} ${status}`),
		)
		.filter((name) => !found.includes(name));
}
