import type { createRoute, z } from '@hono/zod-openapi';
import { finished } from '../lib/log.ts';
import type { CreatedJob } from '../operations/jobs/steps/launch-job.ts';
import type { AppContext } from './context.ts';
import type { DeepReadonly } from './responses.ts';

/** A route with its schemas, as `createRoute` makes it. */
export type Route = ReturnType<typeof createRoute>;

declare const route: unique symbol;
/** A success of this very route: only the functions below make one, so what is served is what is published. */
export type AnswerTo<R> = Response & { readonly [route]: R };

interface Json<S extends z.ZodType> {
	readonly content: { readonly 'application/json': { readonly schema: S } };
}

/** The published body of a route's success. */
type BodyOf<R extends Route> = R['responses'] extends
	| { 200: Json<infer S> }
	| { 201: Json<infer S> }
	| { 202: Json<infer S> }
	? z.input<S>
	: never;

/** The content of a handler's answer: `meta` without the requestId. */
type Content<B> = B extends { data: infer D; meta: infer M }
	? { readonly data: DeepReadonly<D> } & (keyof M extends 'requestId'
			? unknown
			: { readonly meta: DeepReadonly<Omit<M, 'requestId'>> })
	: never;

/** The text of a success, checked against the schema of its route by the compiler. */
export function successText<R extends Route>(_: R, requestId: string, content: Content<BodyOf<R>>): string {
	const { data, meta = {} } = content as { readonly data: object; readonly meta?: object };
	return JSON.stringify({ success: true, data, meta: { requestId, ...meta } });
}

/** Answers with the envelope of a success, and with the status that the route has for it. */
export function answer<R extends Route>(c: AppContext, to: R, content: Content<BodyOf<R>>): AnswerTo<R> {
	const text = successText(to, c.var.requestId, content);
	const status = successOf(to) as 200 | 201 | 202;
	return c.body(text, status, { 'content-type': 'application/json' }) as Response as AnswerTo<R>;
}

/** The status of a route's success. Numbers come first among keys, the least first of all. */
function successOf({ responses }: Route): number {
	return Number(Object.keys(responses)[0]);
}

/** Answers 200 with what was content under this requestId, now or in an earlier call: byte for byte the same. */
export function answerRemembered<R extends Route>(
	c: AppContext,
	to: R,
	{
		requestId,
		replayed,
		content,
	}: {
		readonly requestId: string;
		readonly replayed: boolean;
		readonly content: Content<BodyOf<R>>;
	},
): AnswerTo<R> {
	if (replayed) c.header('Idempotent-Replayed', 'true');
	const text = successText(to, requestId, content);
	return c.body(text, 200, { 'content-type': 'application/json' }) as Response as AnswerTo<R>;
}

/**
 * Answers 202 with what `creating` stored: the text of `successText`. The job is created even if the client disconnects.
 */
export async function answerAccepted<R extends Route>(
	c: AppContext,
	_: R,
	creating: Promise<CreatedJob>,
): Promise<AnswerTo<R>> {
	c.executionCtx.waitUntil(finished(creating));
	const { response, replayed } = await creating;
	if (replayed) c.header('Idempotent-Replayed', 'true');
	return c.body(response, 202, { 'content-type': 'application/json' }) as Response as AnswerTo<R>;
}

/** Answers 204. */
export function answerNothing<R extends Route>(_: R, c: AppContext): AnswerTo<R> {
	return c.body(null, 204) as Response as AnswerTo<R>;
}

/** Answers 200 with a file of this name and media type. */
export function answerFile<R extends Route>(
	c: AppContext,
	_: R,
	{ name, body, type }: { name: string; body: ReadableStream<Uint8Array>; type: string },
): AnswerTo<R> {
	const response = c.body(body, 200, {
		'content-type': type,
		'content-disposition': `attachment; filename="${name}"`,
	});
	return response as Response as AnswerTo<R>;
}
