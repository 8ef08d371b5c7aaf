import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { NeededScopes } from '../core/keys/scopes.ts';
import { ServiceError } from '../errors.ts';
import { enter } from './admission.ts';
import type { AnswerTo, Route } from './answer.ts';
import type { AppContext, AppEnv } from './context.ts';

// A method, so that a handler may require a narrower context, with checked fields (bivariance).
type Handler<R> = { handle(c: AppContext): Promise<AnswerTo<R>> }['handle'];

/** The methods of each path, for 405 answers, and the scopes that each needs. */
export type KnownPaths = Map<string, Map<string, NeededScopes>>;

/**
 * Publishes a route in the OpenAPI document and serves it, with its middleware. The handler answers in the shape of the
 * route's own schema. Either the handler or a middleware calls `enter`, which refuses keys without one of the scopes: 401,
 * 403 and 429 come before 400, and before a long body is read.
 */
export function serve<R extends Route>(
	api: OpenAPIHono<AppEnv>,
	paths: KnownPaths,
	route: R,
	scopes: NeededScopes,
	...handlers: readonly [...before: MiddlewareHandler<AppEnv>[], handler: Handler<R>]
): void {
	api.openAPIRegistry.registerPath(route);
	const path = route.getRoutingPath();
	const method = route.method.toUpperCase();
	const methods = paths.get(path) ?? new Map<string, NeededScopes>();
	paths.set(path, methods);
	for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) methods.set(each, scopes);
	for (const handler of [needs(scopes, route.operationId), ...handlers]) api.on(method, path, handler);
}

/** Says which scopes the call needs, and which operation it is. */
export function needs(scopes: NeededScopes, operationId?: string): MiddlewareHandler<AppEnv> {
	return async (c, next) => {
		c.set('scopes', scopes);
		c.set('operationId', operationId);
		await next();
	};
}

/** Answers known paths with a wrong method, and unknown paths under /v1. Both count as requests of the key. */
export function serveTheRest(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	for (const [path, methods] of paths) {
		const allowed = [...methods.keys()];
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
