import { OpenAPIHono } from '@hono/zod-openapi';
import type { RouteConfig } from '@hono/zod-openapi';
import type { z } from 'zod';
import { API_ERROR_CODES, ERRORS } from '../core/errors/error-table.ts';
import type { ApiErrorCode, ErrorStatus } from '../core/errors/error-table.ts';
import { ANSWER_KEPT } from '../core/jobs/retention.ts';
import type { Endpoint, Gives } from './endpoint.ts';
import { API_VERSION, ERROR_FORMS, exampleOfError, success } from './schemas/envelope.ts';
import { LIMIT, LIMIT_MAX, PAGE_MAX } from './schemas/job.ts';
import { SENT_BODIES } from './schemas/webhook.ts';

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
interface Operation {
	readonly parameters?: readonly { readonly schema?: { description?: string } }[];
}

const SECURITY_SCHEMES = {
	bearer: { type: 'http', scheme: 'bearer', description: 'The API key after the word Bearer' },
	apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key alone' },
} as const;

/** The groups of calls. */
const TAGS = [
	{ name: 'Single', description: 'One address, answered at once' },
	{ name: 'Lists', description: 'Up to 50,000 addresses as a job, which is asked for until it is completed' },
	{ name: 'Domains', description: 'What is known of domains without an address: no personal data' },
	{ name: 'Catch-all', description: 'The catch-all addresses of a completed job, with a score each' },
	{ name: 'Webhooks', description: 'Addresses of yours that are told when work ends or credits run low' },
	{ name: 'Account', description: 'The credits of the account, and what became of its messages' },
] as const;
/** The group of a call, by the beginning of its path. */
const TAG_OF: Readonly<Record<string, (typeof TAGS)[number]['name']>> = {
	verify: 'Single',
	'verify-batch': 'Lists',
	jobs: 'Lists',
	domains: 'Domains',
	catchall: 'Catch-all',
	webhooks: 'Webhooks',
};

const whole = { type: 'integer', minimum: 0 } as const;
const text = { type: 'string' } as const;
/** A header with a sample of its value, which says what it is made of. */
const sampled = (description: string, example: string | number) => ({
	required: true,
	description,
	schema: typeof example === 'number' ? whole : text,
	example,
});
const HEADERS = {
	'RateLimit-Limit': sampled('Requests per window', 300),
	'RateLimit-Remaining': sampled('Requests left in this window', 299),
	'RateLimit-Reset': sampled('Whole seconds until the window resets', 900),
	'X-Request-Id': sampled('The name of the request: tell it when you ask us about the answer', 'req_1f0c'),
	'Retry-After': sampled('Whole seconds to wait before trying again', 10),
	'WWW-Authenticate': sampled('How to authenticate (RFC 9110 §11.6.1)', 'Bearer'),
	Allow: sampled('The methods of this path', 'GET, HEAD'),
	'Idempotent-Replayed': {
		...sampled('Sent with a repeated answer: nothing was made or charged again', 'true'),
		required: false,
		schema: { ...text, pattern: '^true$' },
	},
	'Content-Disposition': sampled('The name of the file', 'attachment; filename="cat_1f0c.csv"'),
} as const;

type HeaderName = keyof typeof HEADERS;

const idIn = (name: string, noun: string, example: string) =>
	({
		name,
		in: 'path',
		required: true,
		description: `The id of the ${noun}`,
		schema: { ...text, example },
	}) as const;
const from1 = (name: string, description: string, maximum: number, usual: number) =>
	({
		name,
		in: 'query',
		description,
		schema: { type: 'integer', minimum: 1, maximum, default: usual },
	}) as const;
const PARAMETERS = {
	jobId: idIn('jobId', 'job', 'job_1f0c'),
	taskId: idIn('taskId', 'task', 'cat_1f0c'),
	webhookId: idIn('webhookId', 'webhook', 'whk_1f0c'),
	eventId: idIn('eventId', 'event', 'evt_1f0c'),
	page: from1('page', 'Which page, from 1', PAGE_MAX, 1),
	limit: from1('limit', 'Rows on a page', LIMIT_MAX, LIMIT),
	'Idempotency-Key': {
		name: 'Idempotency-Key',
		in: 'header',
		description: `Makes a retry safe: the same key with the same body gets the first answer again. 1 to 255 printable ASCII characters, kept for ${ANSWER_KEPT}, and at least as long as results`,
		schema: { ...text, minLength: 1, maxLength: 255, pattern: '^[ -~]+$', example: 'july-list-1' },
	},
} as const;

/** The name of a parameter that several calls have. */
type ParamName = keyof typeof PARAMETERS;

/** The reference to a parameter. */
function paramRef(name: ParamName) {
	return { $ref: `#/components/parameters/${name}` };
}

/** The headers of every response, and those beside. */
function headersOf(...beside: readonly HeaderName[]) {
	const always = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'] as const;
	return Object.fromEntries(
		[...always, ...beside].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
	);
}

type ErrorForm = keyof typeof ERROR_FORMS;

const FAILURES: Readonly<
	Record<ErrorStatus, readonly [text: string, form?: ErrorForm, header?: HeaderName]>
> = {
	400: ['Missing or invalid parameters'],
	401: ['API key missing, invalid, revoked or expired', 'Error', 'WWW-Authenticate'],
	402: ['Insufficient credits', 'InsufficientCredits'],
	403: ['The key was made for other calls'],
	404: ['Not found in this account'],
	405: ['The path exists with another method; Allow names those it has', 'Error', 'Allow'],
	409: ['Not in the required state, or an Idempotency-Key used for another request', 'NotReady'],
	410: ['The results have expired'],
	429: ['Rate limit exceeded; wait RateLimit-Reset seconds', 'RateLimited', 'Retry-After'],
	500: ['Our own failure; nothing was charged'],
	502: ['An upstream service answered nonsense'],
	503: ['Temporarily unavailable; Retry-After says when to try again', 'Error', 'Retry-After'],
};

/** The component of a status: the codes with it, each with an example. */
function errorResponse(status: ErrorStatus, codes: readonly ApiErrorCode[]) {
	const [description, form = 'Error', header] = FAILURES[status];
	const examples = codes.map(
		(code) => [code, { summary: ERRORS[code].when, value: exampleOfError(code) }] as const,
	);
	return {
		description,
		headers: headersOf(...(header === undefined ? [] : [header])),
		content: {
			'application/json': {
				schema: { $ref: `#/components/schemas/${form}` },
				examples: Object.fromEntries(examples),
			},
		},
	};
}

// Every call may be refused for its key, its method and its window, and fail.
const ANYWHERE = [401, 405, 429, 500, 503] as const satisfies readonly ErrorStatus[];

/** The references of a call that may answer with one of these errors: to a component a status. */
function errorRefs(codes: readonly ApiErrorCode[]) {
	const statuses = [...codes.map((code) => ERRORS[code].status), ...ANYWHERE];
	return Object.fromEntries(
		statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }] as const),
	);
}

/** The call in the OpenAPI document. */
export function routeOf({ call, of, errors }: Endpoint): RouteConfig {
	const [method = '', path = ''] = call.split(' ');
	const isPaged = of.query !== undefined && 'page' in of.query.shape;
	const known = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as ParamName);
	if (of.isKeyed === true) known.push('Idempotency-Key');
	if (isPaged) known.push('page', 'limit');
	const query = isPaged ? of.query.omit({ page: true, limit: true }) : of.query;
	const sent = (schema: z.ZodType) => ({ 'application/json': { schema }, ...textsOf(of.list?.texts ?? {}) });
	return {
		method: method.toLowerCase() as 'get',
		path,
		operationId: of.id,
		tags: [TAG_OF[path.split('/')[2] ?? ''] ?? 'Account'],
		summary: of.says,
		description: of.more,
		...(known.length === 0 ? {} : { parameters: known.map(paramRef) }),
		request: {
			...(query === undefined ? {} : { query }),
			...(of.body === undefined ? {} : { body: { required: true, content: sent(of.body) } }),
		},
		responses: {
			...(of.orGives === undefined ? {} : { [of.orGives.status]: successOf(of.orGives, false) }),
			[of.gives.status]: successOf(of.gives, of.isKeyed === true),
			...errorRefs(errors),
		},
	};
}

/** What is sent or answered as text of these types. */
function textsOf(types: Extract<Gives, { file: unknown }>['file']) {
	const texts = Object.entries(types).map(([type, { says, ...sample }]) => {
		return [type, { schema: { type: 'string', description: says }, ...sample }] as const;
	});
	return Object.fromEntries(texts);
}

function successOf(gives: Gives, isKeyed: boolean) {
	const { says: description } = gives;
	if (gives.status === 204) return { description, headers: headersOf() };
	if ('file' in gives) {
		return { description, headers: headersOf('Content-Disposition'), content: textsOf(gives.file) };
	}
	const { data, meta, examples } = gives;
	const named = Object.entries(examples ?? {}).map(([summary, { data: told, meta: about }], at) => {
		const value = { success: true, data: told, meta: { requestId: 'req_1f0c', ...about } };
		return [`example${at + 1}`, { summary, value }] as const;
	});
	const schema = success(data, meta);
	return {
		description,
		headers: headersOf(...(isKeyed ? (['Idempotent-Replayed'] as const) : [])),
		content: {
			'application/json': { schema, ...(named.length === 0 ? {} : { examples: Object.fromEntries(named) }) },
		},
	};
}

/** The bodies that are sent, in the OpenAPI document. */
function describeSent(api: OpenAPIHono): void {
	for (const type of Object.keys(SENT_BODIES) as (keyof typeof SENT_BODIES)[]) {
		api.openAPIRegistry.registerWebhook({
			method: 'post',
			path: type,
			operationId: `on-${type.replace('.', '-')}`,
			tags: ['Webhooks'],
			summary: `The event ${type}`,
			description: `Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.`,
			security: [],
			request: {
				body: {
					description: 'The event',
					required: true,
					content: { 'application/json': { schema: SENT_BODIES[type] } },
				},
			},
			responses: {
				'2XX': { description: 'It arrived' },
				410: { description: 'No more events are wanted: the webhook is disabled' },
				default: { description: 'It did not arrive, and is sent again' },
			},
		});
	}
}

/**
 * The OpenAPI 3.1 document, generated from the declarations of the calls.
 *
 * @param serverUrl the configured public URL; `/` means the origin of the document itself
 */
export function openApiDocument(endpoints: readonly Endpoint[], serverUrl: string): Document {
	const api = new OpenAPIHono();
	for (const each of endpoints) api.openAPIRegistry.registerPath(routeOf(each));
	describeSent(api);
	// These have to be absolute, and only a configured URL is.
	const docs = URL.canParse(serverUrl) ? { url: new URL('/docs', serverUrl).href } : null;
	for (const [name, form] of Object.entries(ERROR_FORMS)) api.openAPIRegistry.register(name, form);
	const { components, ...document } = api.getOpenAPI31Document({
		openapi: '3.1.0',
		info: {
			title: 'Mailsonar',
			version: API_VERSION,
			description:
				'Says whether an email address will take mail, and why. Credits are charged for definite answers only.',
			contact: { name: 'Mailsonar', ...docs },
			license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
		},
		servers: [{ url: serverUrl, description: 'This service' }],
		security: [{ bearer: [] }, { apiKey: [] }],
		tags: TAGS.map((tag) => ({ ...tag })),
		...(docs === null ? {} : { externalDocs: { ...docs, description: 'The reference for people' } }),
	});
	// No path answers `path_not_found`.
	const codes = API_ERROR_CODES.filter((code) => code !== 'path_not_found');
	const responses = [...Map.groupBy(codes, (code) => ERRORS[code].status)].map(
		([status, those]) => [`Error${status}`, errorResponse(status, those)] as const,
	);
	// The generator writes the words of a parameter twice, beside its schema and within.
	const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as object));
	for (const { parameters = [] } of operations as readonly Operation[])
		for (const { schema } of parameters) delete schema?.description;
	return {
		...document,
		components: {
			...components,
			headers: HEADERS,
			parameters: PARAMETERS,
			responses: Object.fromEntries(responses),
			securitySchemes: SECURITY_SCHEMES,
		},
	};
}
