import { expect } from 'vitest';

/** The part of JSON Schema 2020-12 that our OpenAPI document uses. Other keywords are refused, not passed over. */
export interface JsonSchema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly required?: readonly string[];
	readonly items?: JsonSchema;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly format?: string;
	readonly description?: string;
	readonly example?: unknown;
}

const KEYWORDS: ReadonlySet<string> = new Set([
	'$ref',
	'type',
	'enum',
	'properties',
	'required',
	'items',
	'minimum',
	'maximum',
	'format',
	'description',
	'example',
]);

/** Everything about `value` that the schema does not say or says otherwise; undeclared properties are faults too. */
export function faultsOf(
	schema: JsonSchema,
	value: unknown,
	schemas: Readonly<Record<string, JsonSchema>>,
	at = '$',
): string[] {
	const strange = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
	expect(strange, `keywords at ${at}`).toEqual([]);
	if (schema.$ref !== undefined) {
		const target = schemas[schema.$ref.replace('#/components/schemas/', '')];
		return target === undefined ? [`${at}: ${schema.$ref} is nowhere`] : faultsOf(target, value, schemas, at);
	}
	const types = schema.type === undefined ? [] : [schema.type].flat();
	if (types.length === 0) return [`${at}: the schema has no type`];
	if (!types.some((type) => isOfType(type, value)))
		return [`${at} is ${JSON.stringify(value)}, not ${types.join(' or ')}`];
	return [
		...(schema.enum === undefined || schema.enum.includes(value)
			? []
			: [`${at} is none of ${JSON.stringify(schema.enum)}`]),
		...(typeof value === 'number' ? faultsOfNumber(schema, value, at) : []),
		...(typeof value === 'string' ? faultsOfText(schema, value, at) : []),
		...(Array.isArray(value)
			? value.flatMap((item, i) => faultsOf(schema.items ?? {}, item, schemas, `${at}[${i}]`))
			: faultsOfObject(schema, value, schemas, at)),
	];
}

function faultsOfNumber(
	{ minimum = -Infinity, maximum = Infinity }: JsonSchema,
	value: number,
	at: string,
): string[] {
	return value < minimum || value > maximum
		? [`${at} is ${value}, not within ${minimum} and ${maximum}`]
		: [];
}

function faultsOfText({ format }: JsonSchema, value: string, at: string): string[] {
	if (format === undefined) return [];
	if (format !== 'date-time') return [`${at}: the format ${format} is not checked`];
	return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? [] : [`${at} is no date-time: ${value}`];
}

function faultsOfObject(
	{ properties = {}, required = [] }: JsonSchema,
	value: unknown,
	schemas: Readonly<Record<string, JsonSchema>>,
	at: string,
): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const missing = required.filter((name) => !Object.hasOwn(value, name));
	return [
		...missing.map((name) => `${at}.${name} is missing`),
		...Object.entries(value).flatMap(([name, item]) => {
			const declared = properties[name];
			const where = `${at}.${name}`;
			return declared === undefined ? [`${where} is not declared`] : faultsOf(declared, item, schemas, where);
		}),
	];
}

function isOfType(type: string, value: unknown): boolean {
	switch (type) {
		case 'null':
			return value === null;
		case 'array':
			return Array.isArray(value);
		case 'object':
			return typeof value === 'object' && value !== null && !Array.isArray(value);
		case 'integer':
			return Number.isInteger(value);
		default:
			return typeof value === type;
	}
}
