import type { Hono } from 'hono';
import type { z } from 'zod';
import type { KeyRoute } from '../core/keys/api-key.ts';
import type { NeededScopes } from '../core/keys/scopes.ts';
import type { ApiErrorCode } from '../core/errors/error-table.ts';
import { JOB_KINDS, requireKind } from '../core/jobs/kinds.ts';
import type { JobKind } from '../core/jobs/kinds.ts';
import type { Category } from '../core/rate-limit/window.ts';
import { ServiceError } from '../errors.ts';
import { finished } from '../lib/log.ts';
import type { JobRecord } from '../operations/jobs/port.ts';
import type { Services } from '../services.ts';
import { enter } from './admission.ts';
import { readJson, readList } from './body.ts';
import type { ListLimits } from './body.ts';
import type { AppContext, AppEnv } from './context.ts';
import { checked } from './on-error.ts';

// One declaration is the route, its entry in the OpenAPI document, its admission and its errors.

/** A JSON success: `data` and what `meta` has beside the requestId. */
interface Json<D extends z.ZodType, M extends z.ZodRawShape> {
	readonly status: 200 | 201 | 202;
	readonly says: string;
	readonly data: D;
	readonly meta: M;
	/** Answers by what they show, where the example of the schema would not do. */
	readonly examples?: Readonly<Record<string, { readonly data: unknown; readonly meta?: object }>>;
}

/** The same value, promised not to be changed. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** A success with `data` of this schema, and with the fields `meta` beside the requestId. */
export function json<D extends z.ZodType, M extends z.ZodRawShape = Record<string, never>>(
	status: Json<D, M>['status'],
	says: string,
	data: D,
	{ meta, examples }: Partial<Pick<Json<D, M>, 'meta' | 'examples'>> = {},
): Json<D, M> {
	return { status, says, data, meta: meta ?? ({} as M), ...(examples === undefined ? {} : { examples }) };
}

/** A success without a body. */
interface Nothing {
	readonly status: 204;
	readonly says: string;
}

/** A file, in one of these media types: the description of its text, and a small file as an example. */
interface File {
	readonly status: 200;
	readonly says: string;
	readonly file: Readonly<Record<string, { readonly says: string; readonly example?: string }>>;
}

/** The content of a JSON success. `meta` is left out where it holds the requestId alone. */
export type Content<D extends z.ZodType, M extends z.ZodRawShape> = {
	readonly data: DeepReadonly<z.input<D>>;
} & (string extends keyof M
	? { readonly meta?: undefined }
	: { readonly meta: DeepReadonly<z.input<z.ZodObject<M>>> });

/** An earlier call under the same Idempotency-Key: its requestId, and whether this answer repeats it. */
interface Remembered {
	readonly requestId?: string;
	readonly replayed?: boolean;
}

export type Gives = Json<z.ZodType, z.ZodRawShape> | Nothing | File;

/** The result of a handler. */
type Given<G> =
	G extends Json<infer D, infer M>
		? (Content<D, M> & Remembered) | ({ readonly text: string; readonly status?: 200 } & Remembered)
		: G extends File
			? { readonly name: string; readonly type: string; readonly body: ReadableStream<Uint8Array> }
			: null;

type ParamsOf<P extends string> = P extends `${string}{${infer N}}${infer R}`
	? { readonly [K in N]: string } & ParamsOf<R>
	: unknown;

/** The call as its handler sees it. */
export interface Call<P extends string, Q, B, J> {
	readonly c: AppContext;
	readonly services: Services;
	readonly credential: KeyRoute;
	readonly requestId: string;
	readonly params: ParamsOf<P>;
	readonly query: Q extends z.ZodType ? z.output<Q> : undefined;
	readonly body: B extends z.ZodType ? z.output<B> : undefined;
	readonly job: J extends JobKind ? JobRecord : undefined;
	readonly now: number;
	/** Work that goes on when the client disconnects. */
	readonly lasting: <T>(work: Promise<T>) => Promise<T>;
}

interface Declaration<P extends string, Q, B, J, G> {
	/** The operationId. */
	readonly id: string;
	readonly says: string;
	readonly more: string;
	/** The window that counts the call; `itself`: the handler admits it, with the credits that it needs. */
	readonly window?: Category | 'itself';
	/** It takes an Idempotency-Key. */
	readonly isKeyed?: true;
	/** The path names such a job. */
	readonly job?: J;
	readonly query?: Q;
	readonly body?: B;
	/** The body has one long list, which is read piece by piece. */
	readonly list?: ListLimits;
	readonly gives: G;
	/** Another success, whose text and status the handler gives. */
	readonly orGives?: Json<z.ZodType, Record<string, never>>;
	/** Errors beside those that follow from the rest. */
	readonly refuses?: readonly ApiErrorCode[];
	run(call: Call<P, Q, B, J>): Promise<Given<G>>;
}

/** A call of the API as it is served. */
export type Endpoint = ReturnType<typeof endpoint>;

// A list has limits of its own; any other body is small, or an attack on the memory of the isolate.
const BODY_OCTETS_MAX = 1024 * 1024;

/** Declares a call of the API. `scopes`: a key needs one of them. */
export function endpoint<
	const P extends `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /v1/${string}`,
	G extends Gives,
	Q extends z.ZodObject | undefined = undefined,
	B extends z.ZodType | undefined = undefined,
	J extends JobKind | undefined = undefined,
>(call: P, scopes: NeededScopes, of: Declaration<P, Q, B, J, G>) {
	const { window = 'default' } = of;
	const [method = '', documented = ''] = call.split(' ');
	const errors = errorsOf(documented, scopes, of);
	const read = async (c: AppContext) => {
		// A refused query or body is reported before an unknown id, and after a refused key.
		const about = of.job && { jobId: c.req.param(`${JOB_KINDS[of.job].noun}Id`) ?? '' };
		const entered = window === 'itself' ? null : await enter(c, window, about);
		const query = of.query && readQuery(c, of.query);
		const body =
			of.body &&
			(await (of.list === undefined ? readJson(c, of.body, BODY_OCTETS_MAX) : readList(c, of.body, of.list)));
		const job = of.job && requireKind(entered?.job ?? null, of.job);
		return { query, body, job };
	};
	return {
		id: of.id,
		method,
		/** With `:jobId` for a parameter. */
		path: documented.replaceAll(/\{(\w+)\}/g, ':$1'),
		scopes,
		/** The codes of its errors beside those of every call. */
		errors,
		call,
		of,
		answer: async (c: AppContext): Promise<Response> => {
			const { services, credential, requestId } = c.var;
			const parts = window === 'itself' ? await counted(c, async () => read(c)) : await read(c);
			const given = await of.run({
				...parts,
				c,
				services,
				credential,
				requestId,
				params: c.req.param(),
				now: services.clock.now(),
				lasting: (work: Promise<unknown>) => {
					c.executionCtx.waitUntil(finished(work));
					return work;
				},
			} as unknown as Call<P, Q, B, J>);
			return respond(c, of.gives, given);
		},
	};
}

/** Serves a call. */
export function mount(api: Hono<AppEnv>, each: Endpoint): void {
	api.on(each.method, each.path, needs(each.scopes, each.id), each.answer);
}

/** Says which scopes the call needs, and which operation it is. */
export function needs(scopes: NeededScopes, operationId?: string) {
	return async (c: AppContext, next: () => Promise<void>): Promise<void> => {
		c.set('scopes', scopes);
		c.set('operationId', operationId);
		await next();
	};
}

/** Answers known paths with a wrong method, and unknown paths under /v1. Both count as requests of the key. */
export function serveTheRest(api: Hono<AppEnv>, endpoints: readonly Endpoint[]): void {
	for (const [path, those] of Map.groupBy(endpoints, (each) => each.path)) {
		const allowed = those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
		api.all(path, needs('any key'), async (c) => {
			await enter(c, 'default');
			c.header('Allow', allowed.join(', '));
			throw new ServiceError('method_not_allowed', `${c.req.method} is not allowed here: use ${allowed[0]}`);
		});
	}
	api.all('/v1/*', needs('any key'), async (c) => {
		await enter(c, 'default');
		throw new ServiceError('path_not_found', `There is no ${new URL(c.req.url).pathname}`);
	});
}

/**
 * Reads a request before it is admitted. One that is refused counts in the window all the same, and a revoked key or a
 * full window comes before the fault of the request.
 */
export async function counted<T>(c: AppContext, read: () => T | Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof ServiceError) await enter(c, 'default');
		throw error;
	}
}

/** The query, or a 400 with the first error. The first of repeated names counts. */
export function readQuery<Q extends z.ZodType>(c: Pick<AppContext, 'req'>, query: Q): z.output<Q> {
	const sent = Object.entries(c.req.queries()).map(([name, [value]]) => [name, value] as const);
	return checked(query, Object.fromEntries(sent));
}

/** The text of a success, checked against its schema by the compiler. */
export function successText<D extends z.ZodType, M extends z.ZodRawShape>(
	_: Json<D, M>,
	requestId: string,
	{ data, meta }: Content<D, M>,
): string {
	return JSON.stringify({ success: true, data, meta: { requestId, ...meta } });
}

function respond(c: AppContext, gives: Gives, given: unknown): Response {
	if (gives.status === 204) return c.body(null, 204);
	if ('file' in gives) {
		const { name, type, body } = given as Given<File>;
		const disposition = `attachment; filename="${name}"`;
		return c.body(body, 200, { 'content-type': type, 'content-disposition': disposition });
	}
	const { requestId = c.var.requestId, replayed = false, ...content } = given as Given<typeof gives>;
	if (replayed) c.header('Idempotent-Replayed', 'true');
	const text = 'text' in content ? content.text : successText(gives, requestId, content);
	const status = ('status' in content ? content.status : undefined) ?? gives.status;
	return c.body(text, status, { 'content-type': 'application/json' });
}

/** A declaration as far as the document tells of it. */
type Described = Omit<
	Declaration<string, z.ZodObject | undefined, z.ZodType | undefined, JobKind | undefined, Gives>,
	'run'
>;

/** The errors of reading a JSON body, and of an Idempotency-Key. */
const BODY_ERRORS = [
	'invalid_json',
	'unsupported_media_type',
	'unsupported_encoding',
	'body_too_large',
	'invalid_body',
	'missing_parameter',
	'invalid_parameter',
] as const satisfies readonly ApiErrorCode[];
const KEYED_ERRORS = [
	'invalid_idempotency_key',
	'idempotency_key_reused',
	'request_in_progress',
] as const satisfies readonly ApiErrorCode[];

/** The errors of a call beside those of every call, each once. */
function errorsOf(path: string, scopes: NeededScopes, of: Described): readonly ApiErrorCode[] {
	const codes: readonly (ApiErrorCode | readonly ApiErrorCode[])[] = [
		of.body === undefined ? [] : BODY_ERRORS,
		of.query === undefined ? [] : 'invalid_parameter',
		of.isKeyed === undefined ? [] : KEYED_ERRORS,
		of.job === undefined ? [] : `${JOB_KINDS[of.job].noun}_not_found`,
		path.includes('{webhookId}') ? 'webhook_not_found' : [],
		of.refuses ?? [],
		scopes === 'any key' ? [] : 'key_scope',
	];
	return [...new Set(codes.flat())];
}
