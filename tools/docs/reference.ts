import { readFileSync } from 'node:fs';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { ERRORS } from '../../src/core/errors/error-table.ts';
import { examplesOf } from '../../src/dashboard/parts/code-examples.ts';
import type { ExampleCall } from '../../src/dashboard/parts/code-examples.ts';
import { ENDPOINTS } from '../../src/http/app.ts';
import { fence, fencesOf, tableOf } from './inserts.ts';

// The reference as Markdown, made from the OpenAPI document: a page a group of calls.

// Types of the OpenAPI document, from its generator. An object may stand as a reference to a component.
type Components = Required<NonNullable<ReturnType<OpenAPIHono['getOpenAPI31Document']>['components']>>;
type Reference = { readonly $ref: string };
type GivenSchema = Components['schemas'][string];
type Schema = Exclude<GivenSchema, Reference>;
type Parameter = Exclude<Components['parameters'][string], Reference>;
type Response = Partial<Exclude<Components['responses'][string], Reference>>;

interface Operation {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description?: string;
	readonly parameters?: readonly (Parameter | Reference)[];
	readonly requestBody?: Response;
	readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: Pick<Components, 'schemas'> & { readonly parameters: Record<string, Parameter> };
}

interface Call extends Operation {
	readonly method: string;
	readonly path: string;
	readonly parameters: readonly Parameter[];
}

const JSON_TYPE = 'application/json';
// Deep enough for `details.attributes.catch_all`; a recursive schema would never end.
const DEPTH_MAX = 4;

const DOCUMENT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const { schemas, parameters: shared } = DOCUMENT.components;
const ERRORS_OF = new Map(ENDPOINTS.map(({ id, errors }) => [id, errors]));

/** The calls under /v1, each with a request as an example. */
export function apiCalls(): readonly (Call & { readonly example: ExampleCall })[] {
	return Object.entries(DOCUMENT.paths)
		.filter(([path]) => path.startsWith('/v1/'))
		.flatMap(([path, operations]) =>
			Object.entries(operations).map(([method, one]) => {
				const parameters = (one.parameters ?? []).flatMap((each) =>
					'$ref' in each ? (shared[each.$ref.split('/').at(-1) ?? ''] ?? []) : each,
				);
				const call = { ...one, parameters, path, method: method.toUpperCase() };
				return { ...call, example: exampleOf(call) };
			}),
		);
}

function exampleOf(call: Call): ExampleCall {
	const { example: body } = resolve(call.requestBody?.content?.[JSON_TYPE]?.schema);
	const answer = successOf(call).content?.[JSON_TYPE]?.schema;
	const kind =
		answer === undefined ? 'text' : resolve(answer).properties?.['data'] === undefined ? 'json' : null;
	return {
		method: call.method,
		path: call.parameters.reduce(
			(path, { name, schema }) => path.replace(`{${name}}`, String(resolve(schema).example ?? name)),
			call.path,
		),
		...(body === undefined ? {} : { body }),
		...(kind === null ? {} : { answer: kind }),
	};
}

function successOf({ responses }: Call): Response & { readonly status: string } {
	const [status = '', response = {}] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
	return { ...response, status };
}

function resolve(schema: GivenSchema = {}): Schema {
	if (schema.$ref !== undefined) return resolve(schemas[schema.$ref.split('/').at(-1) ?? '']);
	const { allOf = [], ...own } = schema as Schema;
	return [...allOf.map(resolve), own].reduce((all, one) => {
		const properties = { ...all.properties, ...one.properties };
		const required = [...(all.required ?? []), ...(one.required ?? [])];
		return { ...all, ...one, ...(Object.keys(properties).length === 0 ? {} : { properties, required }) };
	}, {});
}

/** An index of all calls, and a page for each group of them. */
export function referencePages(): readonly { readonly path: string; readonly text: string }[] {
	const calls = apiCalls();
	const groups = [...new Set(calls.map(({ tags: [group = ''] }) => group))];
	const pathOf = (group: string): string => `/docs/reference/${group.toLowerCase()}`;
	const index = [
		'# API reference',
		'REST with JSON at `{{base}}`. Every call carries [a key](/docs/guides/keys). A machine reads the same in [openapi.json](/openapi.json).',
		'A success is `{ "success": true, "data": …, "meta": … }`; an [error](/docs/guides/errors) has `message`, `code` and `requestId`, a 429 its `message` alone.',
		tableOf(
			['Call', 'What it does'],
			calls.map(({ operationId, method, path, summary, tags: [group = ''] }) => [
				`\`${method} ${path}\``,
				`[${summary}](${pathOf(group)}#${operationId})`,
			]),
		),
	].join('\n\n');
	return [
		{ path: '/docs/reference', text: index },
		...groups.map((group) => ({
			path: pathOf(group),
			text: [
				`# ${group}`,
				`${DOCUMENT.tags.find(({ name }) => name === group)?.description ?? ''}.`,
				...calls.filter(({ tags }) => tags[0] === group).map(callText),
			].join('\n\n'),
		})),
	];
}

function callText(call: ReturnType<typeof apiCalls>[number]): string {
	const body = resolve(call.requestBody?.content?.[JSON_TYPE]?.schema);
	const taken = [
		...call.parameters.map(({ name, in: place, required, schema, description }) => {
			const resolved = resolve(schema);
			const notes = description ?? resolved.description ?? '';
			return rowOf(name, { ...resolved, description: notes }, place, required);
		}),
		...fieldsOf(body, 'body'),
	];
	const { status, description, content = {} } = successOf(call);
	const answer = resolve(content[JSON_TYPE]?.schema);
	const { data = answer, meta } = answer.properties ?? {};
	const fields = [...fieldsOf(data), ...fieldsOf(meta, '', 'meta.')];
	const errors = [...Map.groupBy(ERRORS_OF.get(call.operationId) ?? [], (code) => ERRORS[code].status)]
		.toSorted(([one], [other]) => one - other)
		.map(([code, words]) => `${code} ${words.map((word) => `\`${word}\``).join(', ')}`);
	return [
		`## ${call.summary} {#${call.operationId}}`,
		`\`${call.method} ${call.path}\``,
		...(call.description === undefined ? [] : [call.description]),
		...(taken.length === 0 ? [] : [tableOf(['Field', 'In', 'Type', 'Notes'], taken)]),
		fencesOf(examplesOf('{{base}}', call.example)),
		`The answer is a ${status}. ${description ?? ''}.`,
		...examplesIn(content),
		...(fields.length === 0 ? [] : [tableOf(['Field', 'Type', 'Notes'], fields)]),
		`[Errors](/docs/guides/errors): ${[...errors, 'those of every call'].join('; ')}.`,
	].join('\n\n');
}

/** The examples of an answer: those that it names, or one that its schema's own make up. */
function examplesIn(content: NonNullable<Response['content']>): string[] {
	const { schema, example, examples = {} } = Object.values(content)[0] ?? {};
	if (schema === undefined) return [];
	const named = Object.entries(examples).flatMap(([name, one]) => [
		`${one.summary ?? name}:`,
		fence('json', JSON.stringify('value' in one ? one.value : undefined, null, 2)),
	]);
	if (named.length > 0) return named;
	if (typeof example === 'string') return [fence('text', example.trim())];
	return [fence('json', JSON.stringify(exampleOfSchema(schema), null, 2))];
}

/** A value of a schema: its own example, or one made of those of its parts. */
export function exampleOfSchema(given: GivenSchema | undefined): unknown {
	const schema = resolve(given);
	if (schema.example !== undefined) return schema.example;
	if (schema.enum !== undefined) return schema.enum[0];
	if (schema.properties !== undefined)
		return Object.fromEntries(
			(schema.required ?? []).map((name) => [name, exampleOfSchema(schema.properties?.[name])]),
		);
	if (schema.items !== undefined) return [exampleOfSchema(schema.items)];
	if (schema.format === 'date-time') return '2026-07-01T10:00:08.000Z';
	return { boolean: false, integer: schema.minimum ?? 0, string: '' }[String(schema.type)] ?? null;
}

/** The rows of an object's fields, nested ones with dots. With a place, each says where it is sent. */
function fieldsOf(given: GivenSchema | undefined, place = '', prefix = '', depth = DEPTH_MAX): string[][] {
	const schema = resolve(given);
	return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
		const resolved = resolve(property);
		const full = `${prefix}${name}`;
		const row = rowOf(full, resolved, place, schema.required?.includes(name));
		if (depth <= 1) return [row];
		if (resolved.properties !== undefined) return fieldsOf(resolved, place, `${full}.`, depth - 1);
		const items = resolve(resolved.items);
		return items.properties === undefined ? [row] : [row, ...fieldsOf(items, place, `${full}[].`, depth - 1)];
	});
}

function rowOf(name: string, schema: Schema, place: string, isRequired = false): string[] {
	const { description, minimum, maximum, maxLength, maxItems, default: usual } = schema;
	const notes = [
		description ?? '',
		minimum !== undefined && maximum !== undefined && maximum < 1e9 ? `${minimum} to ${maximum}` : '',
		maxLength === undefined ? '' : `at most ${maxLength} characters`,
		maxItems === undefined ? '' : `at most ${maxItems.toLocaleString('en')} elements`,
		usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
	].filter((note) => note !== '');
	const where = place === '' ? [] : [isRequired ? `${place}, required` : place];
	return [`\`${name}\``, ...where, typeOf(schema), notes.join('; ')];
}

/** `string`, `integer or null`, `"a" or "b"`. */
function typeOf(given: GivenSchema): string {
	const schema = resolve(given);
	if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
	if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one)).join(' or ');
	const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
	return types
		.map((type) => {
			if (type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
			return schema.format === 'date-time' && type === 'string' ? 'time (ISO 8601)' : type;
		})
		.join(' or ');
}
