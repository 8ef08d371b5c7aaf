import type { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { API_ERROR_CODES } from '../../../src/core/errors/error-table.ts';
import { ENDPOINTS } from '../../../src/http/app.ts';
import { routeOf } from '../../../src/http/openapi.ts';
import { ERROR_FORMS } from '../../../src/http/schemas/envelope.ts';
import { VERDICT, VERDICTS_CSV } from '../../../src/http/schemas/task.ts';
import { CATCH_ALL } from '../../../src/http/schemas/verification.ts';
import { exampleOfSchema } from '../../../tools/docs/reference.ts';
import { MODEL } from '../../../src/core/catchall/table.ts';
import { rate } from '../../../src/core/verification/render.ts';
import { verdictOf } from '../../../src/core/verification/sub-status.ts';
import { SENT_BODIES } from '../../../src/http/schemas/webhook.ts';
import { operationsOf } from '../../support/openapi/document.ts';
import type { Document } from '../../support/openapi/document.ts';
import { merged } from '../../support/openapi/json-schema.ts';
import { describeApi } from '../../support/openapi/copy.ts';
import { expectSums } from '../../support/sums.ts';

// The OpenAPI document as somebody reads it who has nothing else: what every field means, and what answers look like.

interface Node {
	readonly [name: string]: unknown;
}
interface Told {
	readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

const document = describeApi() as Document;
const operations = new Map(operationsOf(document));

const isNode = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function resolve(node: Node): Node {
	const { $ref, allOf } = node;
	if (Array.isArray(allOf)) return merged(node, document.components.schemas);
	if (typeof $ref !== 'string') return node;
	const found = $ref
		.slice(2)
		.split('/')
		.reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), document);
	if (!isNode(found)) throw new Error(`${$ref} leads nowhere`);
	return found;
}

/** All properties of all schemas, by their places. */
function propertiesIn(node: unknown, at = '#'): readonly { readonly at: string; readonly schema: Node }[] {
	if (Array.isArray(node)) return node.flatMap((one, index) => propertiesIn(one, `${at}/${index}`));
	if (!isNode(node)) return [];
	const { properties } = node;
	const own = isNode(properties) && ('type' in node || 'allOf' in node) ? Object.entries(properties) : [];
	const here = own.map(([name, schema]) => ({ at: `${at}/${name}`, schema: resolve(schema as Node) }));
	const below = Object.entries(node).filter(([name]) => name !== 'examples' && name !== 'example');
	return [...here, ...below.flatMap(([name, value]) => propertiesIn(value, `${at}/${name}`))];
}

const properties = propertiesIn(document);

/** Every JSON success, with its examples: its own, or the one that its schema's make up. */
const successes = ENDPOINTS.flatMap((each) =>
	Object.entries(routeOf(each).responses).flatMap(([status, response]) => {
		const zod = (response as Told).content?.['application/json']?.schema;
		if (zod === undefined) return [];
		const operation = operations.get(each.call);
		const told = operation?.responses[status]?.content?.['application/json'];
		const own = Object.values(told?.examples ?? {}).map(({ value }) => value);
		return [{ id: each.id, status, zod, examples: own.length > 0 ? own : [exampleOfSchema(told?.schema)] }];
	}),
);

describe('every field', () => {
	test('is described, whatever schema it is in', () => {
		expect(properties.length).toBeGreaterThan(150);
		for (const { at, schema } of properties) expect(schema['description'], at).toMatch(/\S/);
	});

	test('that is a number has its least value, unless it can be negative', () => {
		const numbers = properties.filter(({ schema }) => ['integer', 'number'].includes(String(schema['type'])));
		const open = numbers.filter(({ schema }) => !('minimum' in schema)).map(({ at }) => at.split('/').at(-1));
		expect(new Set(open)).toEqual(new Set(['totalConsumed', 'score', 'effect']));
	});

	test('in credits says so and has 64 bits, and every moment says its time zone', () => {
		for (const { at, schema } of properties) {
			const name = at.split('/').at(-1) ?? '';
			const isInCredits = /\bin credits\b/.test(String(schema['description']));
			const isNumber = [schema['type']].flat().includes('integer');
			if (/credits/i.test(name) && isNumber) expect(isInCredits, at).toBe(true);
			// A generated Java, Kotlin or C# client reads an integer without it as one of 32 bits.
			expect(schema['format'] === 'int64', at).toBe(isInCredits && isNumber);
			if (schema['format'] === 'date-time' && !/estimated|lastTransaction/.test(name))
				expect(schema['description'], at).toMatch(/\bUTC\b/);
		}
	});
});

test('no two properties of a schema are one identifier in a language that writes them in camel case', () => {
	const places = new Set<string>();
	for (const { at } of properties) {
		const place = at.replace(/[^/]*$/, (name) => name.replaceAll(/[-_]/g, '').toLowerCase());
		expect(places, at).not.toContain(place);
		places.add(place);
	}
});

test('a list that may grow is no enum: a client made of the document takes a new word', () => {
	// The code of a mail server's reply is a number.
	const named = (name: string) =>
		properties.filter(({ at }) => at.endsWith(`/${name}`) && !at.endsWith('/Evidence/code'));
	for (const name of ['sub_status', 'smtp_provider', 'gateway', 'code']) {
		expect(named(name).length, name).toBeGreaterThan(0);
		for (const { at, schema } of named(name)) {
			expect(schema, at).not.toHaveProperty('enum');
			expect([schema['type']].flat(), at).toContain('string');
		}
	}
	expect(named('sub_status')[0]?.schema['description']).toContain('`accepted_email`');
	expect(named('smtp_provider')[0]?.schema['description']).toContain('`google`');
	expect(named('gateway')[0]?.schema['description']).toContain('`proofpoint`');
	for (const { schema } of named('status')) expect(schema, 'closed').toHaveProperty('enum');
});

describe('every answer', () => {
	test.each(successes)('of $id has an example, which its own schema reads', ({ zod, examples }) => {
		for (const value of examples)
			// Nothing that the schema does not know.
			expect(zod.parse(value)).toEqual(value);
	});

	test('that is an error has the code of each, but the one that no path answers', () => {
		const { responses } = document.components;
		const told = Object.values(responses).flatMap(({ content }) => content?.['application/json'] ?? []);
		for (const { examples = {}, schema } of told) {
			const form = ERROR_FORMS[String(schema['$ref']).split('/').at(-1) as keyof typeof ERROR_FORMS];
			for (const { value } of Object.values(examples)) expect(form.parse(value)).toEqual(value);
		}
		const codes = told.flatMap(({ examples = {} }) => Object.keys(examples));
		expect(API_ERROR_CODES.filter((code) => !codes.includes(code))).toEqual(['path_not_found']);
	});
});

test.each(Object.entries(SENT_BODIES))(
	'the event %s stands with the webhooks, with an example that its schema reads',
	(type, schema) => {
		const post = document.webhooks[type]?.post;
		expect(post?.tags).toEqual(['Webhooks']);
		const value = exampleOfSchema(post?.requestBody.content['application/json']?.schema);
		expect(schema.parse(value)).toEqual(value);
	},
);

test('the examples score a catch-all address as the scorecard does today, with the verdict of the table', () => {
	const { score, verdict, breakdown } = VERDICT;
	expectSums({ email: '', score, breakdown: { ...breakdown } });
	expect([breakdown.model, verdict, verdictOf(score)]).toEqual([MODEL, 'valid', 'valid']);
	expect(CATCH_ALL).toMatchObject({ catch_all_score: score, catch_all_verdict: verdict });
	const { deliverability_score: likely, risk_level: risk, details } = CATCH_ALL;
	expect(rate(details.sub_status, false, score)).toEqual({ score: likely, risk });
	const [, ...rows] = VERDICTS_CSV.trim().split('\r\n');
	for (const row of rows) {
		const [, of, word] = row.split(',');
		expect(word, row).toBe(verdictOf(Number(of)));
	}
});
