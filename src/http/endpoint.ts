import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../errors.ts';
import { enter } from './admission.ts';
import type { AnswerTo, Route } from './answer.ts';
import type { AppContext, AppEnv } from './context.ts';

// A method, so that a handler may require a narrower context, with checked fields (bivariance).
type Handler<R> = { handle(c: AppContext): Promise<AnswerTo<R>> }['handle'];

/** The methods of each path, for 405 answers. */
export type KnownPaths = Map<string, string[]>;

/**
 * Publishes a route in the OpenAPI document and serves it, with its middleware. The handler answers in the shape of the
 * route's own schema. Either the handler or a middleware calls `enter`: 401 and 429 come before 400, and before a long
 * body is read.
 */
export function serve<R extends Route>(
	api: OpenAPIHono<AppEnv>,
	paths: KnownPaths,
	route: R,
	...handlers: readonly [...before: MiddlewareHandler<AppEnv>[], handler: Handler<R>]
): void {
	api.openAPIRegistry.registerPath(route);
	const path = route.getRoutingPath();
	const method = route.method.toUpperCase();
	paths.set(path, [...(paths.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
	api.on(method, path, async (c, next) => {
		c.set('operationId', route.operationId);
		await next();
	});
	for (const handler of handlers) api.on(method, path, handler);
}

/** Answers known paths with a wrong method, and unknown paths under /v1. Both count as requests of the key. */
export function serveTheRest(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	for (const [path, methods] of paths) {
		api.all(path, async (c) => {
			await enter(c, 'default');
			c.header('Allow', methods.join(', '));
			throw new ServiceError('method_not_allowed', `${c.req.method} is not allowed here: use ${methods[0]}`);
		});
	}
	api.all('/v1/*', async (c) => {
		await enter(c, 'default');
		throw new ServiceError('path_not_found', `There is no ${new URL(c.req.url).pathname}`);
	});
}
