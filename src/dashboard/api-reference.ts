import type { ExampleCall } from './code-examples.ts';

/** One call of the API, for the documentation page. */
export interface ApiCall {
	readonly id: string;
	readonly method: string;
	/** With `{name}` for its parameters. */
	readonly path: string;
	readonly summary: string;
	readonly description: string | null;
	readonly parameters: readonly ApiField[];
	readonly body: readonly ApiField[];
	/** The fields of `data` in a success, nested ones with dots. Empty where the answer is not JSON. */
	readonly data: readonly ApiField[];
	readonly answers: readonly { readonly status: string; readonly description: string }[];
	readonly example: ExampleCall;
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

interface Content {
	readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
	readonly operationId?: string;
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
	readonly responses?: Readonly<Record<string, Content & { readonly description?: string }>>;
}

interface ApiDocument {
	readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const JSON_TYPE = 'application/json';
// Deep enough for `details.attributes.catch_all`; a recursive schema would never end.
const DEPTH_MAX = 4;

/** The calls under /v1 of an OpenAPI document, in the order of the document. */
export function readApi(document: object): readonly ApiCall[] {
	const { paths = {}, components = {} } = document as ApiDocument;
	const schemas = components.schemas ?? {};
	return Object.entries(paths)
		.filter(([path]) => path.startsWith('/v1/'))
		.flatMap(([path, operations]) =>
			METHODS.flatMap((method) => {
				const operation = operations[method];
				return operation === undefined ? [] : [callOf(path, method.toUpperCase(), operation, schemas)];
			}),
		);
}

type Schemas = Readonly<Record<string, Schema>>;

function callOf(path: string, method: string, operation: Operation, schemas: Schemas): ApiCall {
	const body = resolve(operation.requestBody?.content?.[JSON_TYPE]?.schema, schemas);
	const answers = Object.entries(operation.responses ?? {});
	const success = answers.find(([status]) => status.startsWith('2'))?.[1];
	const envelope = resolve(success?.content?.[JSON_TYPE]?.schema, schemas);
	const parameters = operation.parameters ?? [];
	return {
		id: operation.operationId ?? `${method} ${path}`,
		method,
		path,
		summary: operation.summary ?? path,
		description: operation.description ?? null,
		parameters: parameters.map(({ name, in: place, required = false, schema = {}, description }) => ({
			...fieldOf(name, { ...resolve(schema, schemas) }, required, place, schemas),
			...(description === undefined ? {} : { notes: description }),
		})),
		body: fieldsOf(body, 'body', schemas, '', 0),
		data: fieldsOf(envelope.properties?.['data'], 'body', schemas, '', DEPTH_MAX),
		answers: answers.map(([status, { description = '' }]) => ({ status, description })),
		example: {
			method,
			path: parameters.reduce(
				(filled, { name, in: place, schema }) =>
					place === 'path' ? filled.replace(`{${name}}`, exampleOf(schema, name)) : filled,
				path,
			),
			...(body.example === undefined ? {} : { body: body.example }),
			...(success?.content?.[JSON_TYPE] === undefined ? { isText: true } : {}),
		},
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
		const own = resolve(property, schemas);
		const full = `${prefix}${name}`;
		const field = fieldOf(full, own, schema.required?.includes(name) ?? false, place, schemas);
		if (depth <= 1) return [field];
		if (own.properties !== undefined) return fieldsOf(own, place, schemas, `${full}.`, depth - 1);
		const items = resolve(own.items, schemas);
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
