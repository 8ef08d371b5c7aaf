import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** A schema of our OpenAPI document, which are of JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const BASE = 'https://document.test/';
const readers = new WeakMap<object, Ajv2020>();

/** What reads values by the schemas of a document, each compiled once. */
function readerOf(schemas: Readonly<Record<string, JsonSchema>>): Ajv2020 {
	const known = readers.get(schemas);
	if (known !== undefined) return known;
	// Strict: an unknown keyword is an error.
	const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
	ajv.addVocabulary(['example']);
	ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
	ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
	for (const [name, schema] of Object.entries(schemas))
		ajv.addSchema(closed(schema, schemas) as JsonSchema, `${BASE}${name}`);
	readers.set(schemas, ajv);
	return ajv;
}

/** A function that checks values; undeclared properties are faults too. */
export function compileSchema(
	schema: JsonSchema,
	schemas: Readonly<Record<string, JsonSchema>>,
): ValidateFunction {
	return readerOf(schemas).compile(closed(schema, schemas) as JsonSchema);
}

/** The faults that the last check found. */
export function describeErrors({ errors }: ValidateFunction): string[] {
	return (errors ?? []).map(({ instancePath, message, params }) => {
		const { additionalProperty: undeclared } = params as { additionalProperty?: string };
		return `$${instancePath} ${message}${undeclared === undefined ? '' : ` (${undeclared})`}`;
	});
}

/** Everything about `value` that the schema does not say or says otherwise. */
export function faultsOf(
	schema: JsonSchema,
	value: unknown,
	schemas: Readonly<Record<string, JsonSchema>>,
): string[] {
	const validate = compileSchema(schema, schemas);
	return validate(value) ? [] : describeErrors(validate);
}

/** The same schema, which refers to those of a reader, but without room for properties that it does not declare. */
function closed(given: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown {
	if (Array.isArray(given)) return given.map((one) => closed(one, schemas));
	if (typeof given !== 'object' || given === null) return given;
	const node = merged(given as JsonSchema, schemas);
	const inner = Object.fromEntries(
		Object.entries(node).map(([name, value]) => [
			name,
			name === '$ref' ? `${BASE}${String(value).split('/').at(-1)}` : closed(value, schemas),
		]),
	);
	return 'properties' in node && 'type' in node ? { ...inner, additionalProperties: false } : inner;
}

/** A schema that extends another has the fields of both: closed by itself, each part would refuse the other's. */
export function merged(node: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
	const { allOf, ...own } = node;
	if (!Array.isArray(allOf)) return node;
	const parts = (allOf as JsonSchema[]).map(({ $ref, ...part }) =>
		merged(typeof $ref === 'string' ? (schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : part, schemas),
	);
	const all = [...parts, own];
	const required = all.flatMap((one) => (one['required'] ?? []) as string[]);
	const properties = all.map((one) => one['properties'] as JsonSchema | undefined);
	if (!properties.some((one) => one !== undefined)) return Object.assign({}, ...all) as JsonSchema;
	return Object.assign({}, ...all, {
		properties: Object.assign({}, ...properties) as JsonSchema,
		required: [...new Set(required)],
	}) as JsonSchema;
}
