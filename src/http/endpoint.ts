import type { OpenAPIHono, createRoute } from '@hono/zod-openapi';
import { ServiceError } from '../errors.ts';
import { enter } from './admission.ts';
import type { AppContext, AppEnv } from './context.ts';

type Route = ReturnType<typeof createRoute>;

/** The methods of each path, for the 405s. */
export type KnownPaths = Map<string, string[]>;

/**
 * Publishes a route in the OpenAPI document and serves it. The handler itself calls `enter`, because only it knows
 * what the request asks for: 401 and 429 come before 400, and before a body is read that may be long.
 */
export function serve(
	api: OpenAPIHono<AppEnv>,
	paths: KnownPaths,
	route: Route,
	handler: (c: AppContext) => Promise<Response>,
): void {
	api.openAPIRegistry.registerPath(route);
	const path = route.getRoutingPath();
	const method = route.method.toUpperCase();
	paths.set(path, [...(paths.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
	api.on(method, path, handler);
}

/** Answers known paths with another method, and everything else under /v1. Both count as a request of the key. */
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
