import { describe, expect, test } from 'vitest';
import { changesOf, unnamedIn } from '../../support/openapi/changes.ts';
import type { ApiDocument } from '../../support/openapi/changes.ts';

// Which changes of the API would break a client that is in use, and that none of them is published unannounced.

/** What a test changes of a small API with one call. */
interface Parts {
	readonly path?: string;
	readonly operation?: object;
	readonly query?: object;
	readonly sent?: object;
	readonly body?: object;
	readonly read?: object;
	readonly answer?: object;
	readonly answers?: object;
	readonly schemas?: object;
}

function api({ path = '/v1/x', ...parts }: Parts = {}): ApiDocument {
	const sent = {
		type: 'object',
		properties: { email: { type: 'string' } },
		required: ['email'],
		...parts.sent,
	};
	const read = {
		type: 'object',
		properties: {
			status: { type: 'string', enum: ['good', 'bad'] },
			score: { type: 'integer', maximum: 100 },
		},
		required: ['status', 'score'],
		...parts.read,
	};
	const limit = {
		name: 'limit',
		in: 'query',
		schema: { type: 'integer', maximum: 500, default: 25 },
		...parts.query,
	};
	const post = {
		operationId: 'x',
		security: [{ bearer: [] }],
		parameters: [limit],
		requestBody: { required: true, content: { 'application/json': { schema: sent } }, ...parts.body },
		responses: {
			200: {
				headers: { 'X-Request-Id': {} },
				content: { 'application/json': { schema: { $ref: '#/components/schemas/Read' } } },
				...parts.answer,
			},
			409: {},
			...parts.answers,
		},
		...parts.operation,
	};
	return {
		paths: { [path]: { post } },
		components: { schemas: { Read: read, ...parts.schemas } },
	};
}

const property = (name: string, schema: object) => ({ properties: { ...readable, [name]: schema } });
const readable = {
	status: { type: 'string', enum: ['good', 'bad'] },
	score: { type: 'integer', maximum: 100 },
};
const email = { email: { type: 'string' } };
const AT = 'POST /v1/x';

describe('breaks clients:', () => {
	test.each<[string, Parts]>([
		[`${AT} was removed`, { path: '/v1/y' }],
		[`${AT}: the operationId x became z`, { operation: { operationId: 'z' } }],
		[`${AT}: security changed`, { operation: { security: [] } }],
		[`${AT}: query parameter limit was removed`, { operation: { parameters: [] } }],
		[`${AT}: query parameter limit became required`, { query: { required: true } }],
		[
			`${AT}: query parameter limit: maximum 500 became 100`,
			{ query: { schema: { type: 'integer', maximum: 100, default: 25 } } },
		],
		[
			`${AT}: query parameter limit: the default 25 became 50`,
			{ query: { schema: { type: 'integer', maximum: 500, default: 50 } } },
		],
		[`${AT}: the body: application/json was removed`, { body: { content: {} } }],
		[`${AT}: the body email was removed`, { sent: { properties: {}, required: [] } }],
		[
			`${AT}: the body name became required`,
			{ sent: { properties: { ...email, name: { type: 'string' } }, required: ['email', 'name'] } },
		],
		[
			`${AT}: the body email: the type "string" was removed`,
			{ sent: { properties: { email: { type: 'object' } } } },
		],
		[`${AT}: the answer 200 was removed`, { operation: { responses: { 201: {} } } }],
		[`${AT}: the header X-Request-Id of 200 was removed`, { answer: { headers: {} } }],
		[`${AT}: 200 status was removed`, { read: { properties: { score: readable.score } } }],
		[`${AT}: 200 score became optional`, { read: { required: ['status'] } }],
		[
			`${AT}: 200 score: the type "null" is new`,
			{ read: property('score', { type: ['integer', 'null'], maximum: 100 }) },
		],
		[
			`${AT}: 200 score: maximum 100 became 1000`,
			{ read: property('score', { type: 'integer', maximum: 1000 }) },
		],
		[`${AT}: 200 score: maximum 100 became (none)`, { read: property('score', { type: 'integer' }) }],
		[
			`${AT}: 200 status: the value "ugly" is new`,
			{ read: property('status', { type: 'string', enum: ['good', 'bad', 'ugly'] }) },
		],
		[`${AT}: 200 status: any value can occur`, { read: property('status', { type: 'string' }) }],
		[
			`${AT}: 200 status: format (none) became "date"`,
			{ read: property('status', { ...readable.status, format: 'date' }) },
		],
	])('%s', (text, parts) => {
		expect(changesOf(api(), api(parts))).toContainEqual({ kind: 'breaking', text });
	});
});

describe('breaks nobody:', () => {
	test.each<[string, Parts]>([
		[
			`${AT}: query parameter limit: maximum 500 became 900`,
			{ query: { schema: { type: 'integer', maximum: 900, default: 25 } } },
		],
		[
			`${AT}: query parameter page is new`,
			{
				operation: {
					parameters: [...api().paths!['/v1/x']!['post']!.parameters!, { name: 'page', in: 'query' }],
				},
			},
		],
		[`${AT}: the body name is new`, { sent: { properties: { ...email, name: { type: 'string' } } } }],
		[`${AT}: the body email became optional`, { sent: { required: [] } }],
		[
			`${AT}: the body email: the type "null" is new`,
			{ sent: { properties: { email: { type: ['string', 'null'] } } } },
		],
		[`${AT}: the answer 410 is new`, { answers: { 410: {} } }],
		[
			`${AT}: the header Retry-After of 200 is new`,
			{ answer: { headers: { 'X-Request-Id': {}, 'Retry-After': {} } } },
		],
		[`${AT}: 200 reason is new`, { read: property('reason', { type: 'string' }) }],
		[
			`${AT}: 200 score: maximum 100 became 99`,
			{ read: property('score', { type: 'integer', maximum: 99 }) },
		],
		[
			`${AT}: 200 status: the value "bad" was removed`,
			{ read: property('status', { type: 'string', enum: ['good'] }) },
		],
	])('%s', (text, parts) => {
		expect(changesOf(api(), api(parts))).toEqual([{ kind: 'addition', text }]);
	});

	test('a call that is new', () => {
		const both = {
			paths: { ...api().paths, ...api({ path: '/v1/y' }).paths },
			components: api().components!,
		};
		expect(changesOf(api(), both)).toEqual([{ kind: 'addition', text: 'POST /v1/y is new' }]);
	});

	test('another text for people', () => {
		expect(changesOf(api(), api({ operation: { summary: 'Said better' } }))).toEqual([]);
	});

	test('a schema that moved to the components, or out of them', () => {
		const inline = api({
			answer: {
				content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Other' }] } } },
			},
			schemas: { Other: api().components!.schemas!['Read'] },
		});
		expect(changesOf(api(), inline)).toEqual([]);
		expect(changesOf(inline, api())).toEqual([]);
	});
});

test('no document differs from itself', () => {
	expect(changesOf(api(), api())).toEqual([]);
});

describe('an event that is sent', () => {
	const event = (type: string, { read, schemas }: Pick<Parts, 'read' | 'schemas'> = {}): ApiDocument => {
		const { components } = api({ read: read ?? {}, schemas: schemas ?? {} });
		const schema = { $ref: '#/components/schemas/Read' };
		const post = { requestBody: { content: { 'application/json': { schema } } } };
		return { paths: {}, webhooks: { [type]: { post } }, ...(components === undefined ? {} : { components }) };
	};

	test('that is not sent any more breaks who waits for it; another one does not', () => {
		expect(changesOf(event('job.failed'), event('job.lost'))).toEqual([
			{ kind: 'breaking', text: 'the event job.failed was removed' },
			{ kind: 'addition', text: 'the event job.lost is new' },
		]);
	});

	test('is read by the client, so that a field which is gone breaks it', () => {
		const without = event('job.failed', { read: { properties: { score: readable.score } } });
		expect(changesOf(event('job.failed'), without)).toContainEqual({
			kind: 'breaking',
			text: 'the event job.failed status was removed',
		});
		expect(changesOf(without, event('job.failed'))).toContainEqual({
			kind: 'addition',
			text: 'the event job.failed status is new',
		});
	});

	test('is the same as itself', () => {
		expect(changesOf(event('job.failed'), event('job.failed'))).toEqual([]);
	});
});

describe('a breaking change', () => {
	const changes = changesOf(api(), api({ path: '/v1/y' }));
	const changelog = (unreleased: string, released: string) =>
		`# Changelog\n\n## [Unreleased]\n\n### Removed\n\n- ${unreleased}\n\n## [1.0.0] - 2026-11-01\n\n- ${released}\n`;

	test('must be named under Unreleased, letter for letter', () => {
		expect(unnamedIn(changelog(`${AT} was removed`, ''), changes)).toEqual([]);
		expect(unnamedIn(changelog(`${AT} is gone`, ''), changes)).toEqual([`${AT} was removed`]);
		expect(unnamedIn('', changes)).toEqual([`${AT} was removed`]);
	});

	test('is not excused by the same one of an earlier version', () => {
		expect(unnamedIn(changelog('', `${AT} was removed`), changes)).toEqual([`${AT} was removed`]);
	});

	test('is found where Unreleased is the last section', () => {
		expect(unnamedIn(`## [Unreleased]\n\n- ${AT} was removed`, changes)).toEqual([]);
	});

	test('alone has to be named: an addition does not', () => {
		expect(unnamedIn('', changesOf(api(), api({ answers: { 410: {} } })))).toEqual([]);
	});
});
