import type { ExampleCall } from './code-examples.ts';

/** One call of the API, for the documentation page. */
export interface ApiCall {
	readonly id: string;
	readonly method: string;
	/** With `{name}` for its parameters. */
	readonly path: string;
	/** The name of its group: "Lists". */
	readonly group: string;
	readonly summary: string;
	readonly description: string | null;
	readonly parameters: readonly ApiField[];
	readonly body: readonly ApiField[];
	/** The fields of a success that has no `data`, nested ones with dots. */
	readonly fields: readonly ApiField[];
	/** The fields of `data` in a success. Empty where the answer is not JSON. */
	readonly data: readonly ApiField[];
	/** The fields of `meta` in a success. */
	readonly meta: readonly ApiField[];
	readonly answers: readonly ApiAnswer[];
	readonly example: ExampleCall;
}

export interface ApiAnswer {
	readonly status: string;
	readonly description: string;
	/** The names of its headers. */
	readonly headers: readonly string[];
	readonly examples: readonly AnswerExample[];
}

export interface AnswerExample {
	/** For an error its code. */
	readonly name: string;
	readonly summary: string;
	/** JSON, or the text of an answer that is none. */
	readonly value: unknown;
}

export interface ApiField {
	readonly name: string;
	/** `string`, `integer or null`, `"a" or "b"`. */
	readonly type: string;
	readonly required: boolean;
	/** Where the field is sent: `path`, `query`, `header`, `body`. */
	readonly place: string;
	readonly notes: string | null;
}

// The parts of an OpenAPI 3.1 document that are read here. Our own code generates it from the routes' schemas.
interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly format?: string;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly maxLength?: number;
	readonly maxItems?: number;
	readonly default?: unknown;
	readonly description?: string;
	readonly example?: unknown;
}

interface Example {
	readonly $ref?: string;
	readonly summary?: string;
	readonly value?: unknown;
}

interface Content {
	readonly content?: Readonly<
		Record<string, { readonly schema?: Schema; readonly examples?: Readonly<Record<string, Example>> }>
	>;
}

interface Response extends Content {
	readonly description?: string;
	readonly headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
	readonly operationId?: string;
	readonly tags?: readonly string[];
	readonly summary?: string;
	readonly description?: string;
	readonly parameters?: readonly {
		readonly name: string;
		readonly in: string;
		readonly required?: boolean;
		readonly schema?: Schema;
		readonly description?: string;
	}[];
	readonly requestBody?: Content;
	readonly responses?: Readonly<Record<string, Response>>;
}

interface Components {
	readonly schemas?: Schemas;
	readonly examples?: Readonly<Record<string, Example>>;
}

interface ApiDocument {
	readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components?: Components;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const JSON_TYPE = 'application/json';
// Deep enough for `details.attributes.catch_all`; a recursive schema would never end.
const DEPTH_MAX = 4;

/** The calls under /v1 of an OpenAPI document, in the order of the document. */
export function readApi(document: object): readonly ApiCall[] {
	const { paths = {}, components = {} } = document as ApiDocument;
	return Object.entries(paths)
		.filter(([path]) => path.startsWith('/v1/'))
		.flatMap(([path, operations]) =>
			METHODS.flatMap((method) => {
				const operation = operations[method];
				return operation === undefined ? [] : [callOf(path, method.toUpperCase(), operation, components)];
			}),
		);
}

type Schemas = Readonly<Record<string, Schema>>;

function callOf(path: string, method: string, operation: Operation, components: Components): ApiCall {
	const schemas = components.schemas ?? {};
	const body = resolve(operation.requestBody?.content?.[JSON_TYPE]?.schema, schemas);
	const answers = Object.entries(operation.responses ?? {});
	const success = answers.find(([status]) => status.startsWith('2'))?.[1];
	const envelope = resolve(success?.content?.[JSON_TYPE]?.schema, schemas);
	const parameters = operation.parameters ?? [];
	const isJson = success?.content?.[JSON_TYPE] !== undefined;
	const isBare = isJson && envelope.properties?.['data'] === undefined;
	const example: ExampleCall = {
		method,
		path: parameters.reduce(
			(filled, { name, in: place, schema }) =>
				place === 'path' ? filled.replace(`{${name}}`, exampleOf(schema, name)) : filled,
			path,
		),
		...(body.example === undefined ? {} : { body: body.example }),
		...(isJson ? (isBare ? { answer: 'json' } : {}) : { answer: 'text' }),
	};
	return {
		id: operation.operationId ?? `${method} ${path}`,
		method,
		path,
		group: operation.tags?.[0] ?? 'Others',
		summary: operation.summary ?? path,
		description: operation.description ?? null,
		parameters: parameters.map(({ name, in: place, required = false, schema = {}, description }) => ({
			...fieldOf(name, { ...resolve(schema, schemas) }, required, place, schemas),
			...(description === undefined ? {} : { notes: description }),
		})),
		body: fieldsOf(body, 'body', schemas, '', DEPTH_MAX),
		fields: isBare ? fieldsOf(envelope, 'body', schemas, '', DEPTH_MAX) : [],
		data: fieldsOf(envelope.properties?.['data'], 'body', schemas, '', DEPTH_MAX),
		meta: fieldsOf(envelope.properties?.['meta'], 'body', schemas, '', DEPTH_MAX),
		answers: answers.map(([status, response]) => answerOf(status, response, components)),
		example,
	};
}

function answerOf(status: string, response: Response, { examples = {} }: Components): ApiAnswer {
	const [content] = Object.values(response.content ?? {});
	return {
		status,
		description: response.description ?? '',
		headers: Object.keys(response.headers ?? {}),
		examples: Object.entries(content?.examples ?? {}).map(([name, given]) => {
			const { summary = name, value } =
				given.$ref === undefined ? given : (examples[given.$ref.split('/').at(-1) ?? ''] ?? {});
			return { name, summary, value };
		}),
	};
}

function fieldsOf(
	given: Schema | undefined,
	place: string,
	schemas: Schemas,
	prefix: string,
	depth: number,
): readonly ApiField[] {
	const schema = resolve(given, schemas);
	return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
		const resolved = resolve(property, schemas);
		const full = `${prefix}${name}`;
		const field = fieldOf(full, resolved, schema.required?.includes(name) ?? false, place, schemas);
		if (depth <= 1) return [field];
		if (resolved.properties !== undefined) return fieldsOf(resolved, place, schemas, `${full}.`, depth - 1);
		const items = resolve(resolved.items, schemas);
		if (items.properties === undefined) return [field];
		return [field, ...fieldsOf(items, place, schemas, `${full}[].`, depth - 1)];
	});
}

function fieldOf(name: string, schema: Schema, required: boolean, place: string, schemas: Schemas): ApiField {
	return { name, type: typeOf(schema, schemas), required, place, notes: notesOf(schema) };
}

function typeOf(given: Schema, schemas: Schemas): string {
	const schema = resolve(given, schemas);
	if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
	if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, schemas)).join(' or ');
	const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
	return types
		.map((type) => {
			if (type === 'array') return `array of ${typeOf(schema.items ?? {}, schemas)}`;
			return schema.format === 'date-time' && type === 'string' ? 'time (ISO 8601)' : type;
		})
		.join(' or ');
}

function notesOf(schema: Schema): string | null {
	const { description, minimum, maximum, maxLength, maxItems, default: usual } = schema;
	const notes = [
		...(description === undefined ? [] : [description]),
		...(minimum !== undefined && maximum !== undefined && maximum < 1e9 ? [`${minimum} to ${maximum}`] : []),
		...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
		...(maxItems === undefined ? [] : [`at most ${maxItems.toLocaleString('en')} elements`]),
		...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
	];
	return notes.length === 0 ? null : notes.join('; ');
}

function resolve(schema: Schema | undefined, schemas: Schemas): Schema {
	if (schema === undefined) return {};
	if (schema.$ref !== undefined) return resolve(schemas[schema.$ref.split('/').at(-1) ?? ''], schemas);
	if (schema.allOf === undefined) return schema;
	return schema.allOf.map((one) => resolve(one, schemas)).reduce((all, one) => ({ ...all, ...one }), schema);
}

function exampleOf(schema: Schema | undefined, name: string): string {
	return typeof schema?.example === 'string' ? schema.example : name;
}
