import type { createRoute, z } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import { API_ERROR_CODES } from '../../../src/core/errors/error-table.ts';
import { SUB_STATUSES } from '../../../src/core/verification/sub-status.ts';
import { createApp } from '../../../src/http/app.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { verdictOf } from '../../../src/core/catchall/breakdown.ts';
import { MODEL } from '../../../src/core/catchall/table.ts';
import { rate } from '../../../src/core/verification/render.ts';
import { CATCH_ALL_DOMAIN, JANE } from '../../../src/http/jobs/task-example.ts';
import * as examples from '../../../src/http/examples.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { SENT } from '../../../src/http/webhooks/examples.ts';
import { SENT_BODIES } from '../../../src/http/webhooks/schemas.ts';
import { describeApi } from '../../support/openapi/copy.ts';

// The OpenAPI document as somebody reads it who has nothing else: what every field means, and what answers look like.

interface Node {
	readonly [name: string]: unknown;
}
type Route = ReturnType<typeof createRoute>;
interface Content {
	readonly schema: z.ZodType;
	readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>;
}

const noServices = (): never => {
	throw new Error('a document is made without a request');
};
const app = createApp(noServices, noServices, noServices);
const document = describeApi() as Node & {
	readonly components: Readonly<Record<'schemas' | 'examples' | 'headers', Readonly<Record<string, Node>>>>;
};
const routes = app.openAPIRegistry.definitions.flatMap((one) =>
	one.type === 'route' ? [one.route as Route] : [],
);

const isNode = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function resolve(node: Node): Node {
	const { $ref } = node;
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

/** Every JSON body that a route takes or gives, with the examples of it. */
const bodies = routes.flatMap((route) => {
	const name = `${route.method.toUpperCase()} ${route.path}`;
	return Object.entries(route.responses).flatMap(([status, response]) => {
		const { content = {} } = response as { content?: Readonly<Record<string, Content>> };
		return Object.entries(content).map(([type, told]) => ({ at: `${name} ${status} ${type}`, ...told }));
	});
});

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

test('every parameter is described', () => {
	for (const route of routes) {
		const operation = (document['paths'] as Readonly<Record<string, Node>>)[route.path]?.[
			route.method
		] as Node;
		for (const parameter of (operation['parameters'] ?? []) as readonly Node[])
			expect(parameter['description'], `${route.path} ${String(parameter['name'])}`).toMatch(/\S/);
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
	test('has an example, errors one of each code', () => {
		expect(bodies.length).toBeGreaterThan(50);
		expect(bodies.filter(({ examples: told }) => Object.keys(told ?? {}).length === 0)).toEqual([]);
		const codes = new Set(bodies.flatMap(({ examples: told }) => Object.keys(told ?? {})));
		const missing = API_ERROR_CODES.filter((code) => !codes.has(code));
		// What no path answers.
		expect(missing).toEqual(['path_not_found']);
	});

	test.each(bodies)(
		'$at: its examples are what its own schema reads',
		({ at, schema, examples: told = {} }) => {
			for (const [name, example] of Object.entries(told)) {
				const { value } = resolve(example);
				const parsed = schema.safeParse(value);
				expect(parsed.error, `${at} ${name}`).toBeUndefined();
				// Nothing that the schema does not know.
				expect(parsed.data, `${at} ${name}`).toEqual(value);
			}
		},
	);

	test('has the headers of every answer, and none that leads nowhere', () => {
		for (const route of routes)
			for (const [status, { headers }] of Object.entries(route.responses) as [string, { headers: Node }][]) {
				const names = Object.keys(headers);
				expect(names, `${route.path} ${status}`).toEqual(
					expect.arrayContaining([
						'RateLimit-Limit',
						'RateLimit-Remaining',
						'RateLimit-Reset',
						'X-Request-Id',
					]),
				);
				for (const name of names) expect(resolve(headers[name] as Node)['description']).toMatch(/\S/);
				expect(names.includes('Allow'), `${route.path} ${status}`).toBe(status === '405');
				const isRemembered = route.request?.headers !== undefined && status.startsWith('2');
				expect(names.includes('Idempotent-Replayed'), `${route.path} ${status}`).toBe(isRemembered);
			}
	});
});

describe('every event that is sent', () => {
	const webhooks = document['webhooks'] as Readonly<Record<string, { readonly post: Node }>>;

	test.each(Object.entries(SENT_BODIES))(
		'%s has words, and an example that its schema reads',
		(type, schema) => {
			const { tags, summary, description, requestBody } = webhooks[type]?.post ?? {};
			expect([tags, summary, description]).toEqual([
				['Webhooks'],
				expect.stringMatching(/\S/),
				expect.stringMatching(/\S/),
			]);
			const { content } = requestBody as { readonly content: Readonly<Record<string, Content>> };
			const told = Object.values(content['application/json']?.examples ?? {}).map(({ value }) => value);
			expect(told).toEqual([SENT[type as keyof typeof SENT]]);
			for (const value of told) expect(schema.parse(value)).toEqual(value);
		},
	);
});

test('each call has a name of its own, a group that is described, and words for people', () => {
	const tags = (document['tags'] as readonly Node[]).map(({ name }) => name);
	for (const { path, tags: own, summary, description } of routes) {
		expect(own, path).toHaveLength(1);
		expect(tags, path).toContain(own?.[0]);
		expect([summary, description], path).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
	}
	expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
});

test('without a configured address there is none but the own origin', () => {
	const { info, servers } = openApiDocument(app, '/');
	expect(servers).toMatchObject([{ url: '/' }]);
	// Linters take no licence without a URL.
	expect(info.license).toEqual({ name: 'MIT', url: expect.stringMatching(/MIT/) as string });
});

describe('the examples', () => {
	const verifications = Object.values(examples).filter((one) => typeof one === 'object' && 'is_valid' in one);

	test.each(verifications)('tell of $email what an answer would', ({ status, is_valid, details }) => {
		const { status: its, reason } = SUB_STATUSES[details.sub_status];
		expect({ status, reason: details.general.reason }).toEqual({ status: its, reason });
		expect(is_valid).toBe(status === 'deliverable');
	});

	test('score a catch-all address as the scorecard does today, with the verdict of the table', () => {
		const { score, verdict, breakdown } = examples.VERDICT;
		expect(breakdown.model).toBe(MODEL);
		expect(verdict).toBe('valid');
		expect(verdict).toBe(verdictOf(score));
		expect(examples.CATCH_ALL).toMatchObject({ catch_all_score: score, catch_all_verdict: verdict });
		expect(rate(examples.CATCH_ALL.details.sub_status, false, score)).toEqual({
			score: examples.CATCH_ALL.deliverability_score,
			risk: examples.CATCH_ALL.risk_level,
		});
		expect(JANE).toEqual(mailboxFinding('jane', CATCH_ALL_DOMAIN));
		const [, ...rows] = examples.VERDICTS_CSV.trim().split('\r\n');
		for (const row of rows) {
			const [, of, word] = row.split(',');
			expect(word, row).toBe(verdictOf(Number(of)));
		}
	});

	test('have a breakdown that adds up', () => {
		const { score, breakdown } = examples.VERDICT;
		const { base, model: _, explanations, coverage: __, ...sections } = breakdown;
		const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, base);
		expect(sum(Object.values(sections).map((section) => section.score))).toBe(score);
		expect(sum(explanations.map(({ effect }) => effect))).toBe(score);
	});
});
