import { Hono } from 'hono';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import * as z from 'zod';
import { DEFAULT_LIMITS } from '../core/rate-limit/window.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../lib/encodings.ts';
import { logSampled, SAMPLED_SHARE } from '../lib/log.ts';
import { waitedMs } from '../lib/invocation.ts';
import type { WaitedMs } from '../lib/invocation.ts';
import { discard } from '../lib/streams.ts';
import { getCredits, sendFeedback } from './account.ts';
import { authenticate, enter, requireAdmission, AnonymousWindows } from './admission.ts';
import { readJson } from './body.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Services } from '../services.ts';
import { mount, needs, serveTheRest } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { LISTS } from './lists.ts';
import { onError } from './on-error.ts';
import { opsRoutes } from './ops.ts';
import { addStripeEvents } from './payments.ts';
import { lookUpDomains, verifyOne } from './verify.ts';
import { WEBHOOKS } from './webhooks.ts';
import { strictTransport } from '../config.ts';

// Spec §8; repeated for answers that are given before a window is known.
const WINDOW_SECONDS = 900;

// Once a second is often enough for any monitor.
const HEALTH_CHECKS_MAX = 60;
const HEALTH_WINDOW = { windowMs: 60_000, says: 'Health is asked for too often' };
const healthChecks = new AnonymousWindows();

/** Every call under /v1. */
export const ENDPOINTS: readonly Endpoint[] = [
	verifyOne,
	lookUpDomains,
	getCredits,
	...LISTS,
	...WEBHOOKS,
	sendFeedback,
];

/**
 * The pages for people, which have their own errors, headers and cookies. A 404 without a body: there is no such page,
 * and the client is a program, which gets the API's answer.
 */
export interface Pages {
	fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response>;
}

// Some 30,000 addresses. A longer list goes to the API itself, which reads it piece by piece.
const MCP_OCTETS_MAX = 1_048_576;
const mcpMessage = z.looseObject({}, 'A message is one JSON object: batches are not taken');

/** The Model Context Protocol, on top of the API. */
interface Mcp {
	/** Answers a request, whose body was read: `message`. */
	serveMcp(
		callApi: (request: Request) => Promise<Response>,
		request: Request,
		about: { readonly requestId: string; readonly message: object | undefined },
	): Promise<Response>;
}

/** The HTTP application. Production and tests only differ in `makeServices`. */
export function createApp(
	makeServices: (env: Env) => Services,
	loadPages: () => Promise<Pages>,
	loadMcp: () => Promise<Mcp>,
): Hono<AppEnv> {
	const app = new Hono<AppEnv>();
	app.use('*', async (c, next) => {
		c.set('requestId', newId('req'));
		if (namesOneHost(c.req.raw)) return next();
		c.res = await onError(new ServiceError('bad_request', 'A request names one Host'), c);
		setHeaders(c);
	});
	app.use('*', pagesOf(app, loadPages));
	app.onError(onError);
	app.use('*', async (c, next) => {
		const begun = { at: Date.now(), waited: waitedMs() };
		try {
			c.set('services', makeServices(c.env));
			await next();
		} finally {
			// Set last, since a handler that returns its own Response would lose them.
			setHeaders(c);
			measureRequest(c, begun);
		}
	});
	app.get('/healthz', async (c) => {
		// Its window is none of the API's: an answer counts down nothing.
		healthChecks.enter(c, HEALTH_CHECKS_MAX, HEALTH_WINDOW);
		// A deploy asks until the version that it means answers.
		c.header('Mailsonar-Version', c.env.VERSION.id);
		const { health, config } = c.var.services;
		const problems = Object.values(await health()).flat();
		const off = config.switchedOff.length === 0 ? {} : { switchedOff: config.switchedOff };
		const [status, code] = problems.length === 0 ? (['ok', 200] as const) : (['unavailable', 503] as const);
		return c.json({ status, problems, ...off }, code);
	});
	let document: string | undefined;
	app.get('/openapi.json', async (c) => {
		// It takes a generator, and the forms of all answers: once, because anybody may ask.
		const { openApiDocument } = await import('./openapi.ts');
		document ??= JSON.stringify(openApiDocument(ENDPOINTS, c.var.services.config.PUBLIC_URL ?? '/'));
		return c.body(document, 200, { 'Content-Type': 'application/json' });
	});
	app.route('/ops', opsRoutes());
	for (const path of ['/v1/*', '/mcp']) app.use(path, keyed);
	// Each request counts as one of the account's, whatever it holds and however it is framed, before its body is read. The
	// calls of a tool are requests of their own.
	app.all('/mcp', needs('any key'), async (c) => {
		await enter(c, 'default');
		const body = c.req.method === 'POST' ? await readJson(c, mcpMessage, MCP_OCTETS_MAX) : null;
		const callApi = async (request: Request): Promise<Response> => app.fetch(request, c.env, c.executionCtx);
		const about = { requestId: c.var.requestId, message: body ?? undefined };
		return (await loadMcp()).serveMcp(callApi, c.req.raw, about);
	});
	for (const each of ENDPOINTS) mount(app, each);
	addStripeEvents(app);
	serveTheRest(app, ENDPOINTS);
	app.notFound((c) => {
		throw new ServiceError('path_not_found', `There is no ${c.req.path}: paths of the API begin with /v1`);
	});
	return app;
}

/** For paths that need a key. Each route has the account admit the request before it reads the body. */
const keyed: MiddlewareHandler<AppEnv> = async (c, next) => {
	authenticate(c);
	await next();
	requireAdmission(c);
	// Reads the rest of a body that was refused or not expected.
	await discard(c.req.raw.body);
};

/** The first segment of a path. */
function rootOf(path: string): string {
	return path.split('/', 2)[1] ?? '';
}

/** Answers the paths of pages: all but those that begin like a route of the API. */
function pagesOf(api: Hono<AppEnv>, loadPages: () => Promise<Pages>): MiddlewareHandler<AppEnv> {
	let roots: ReadonlySet<string> | null = null;
	let pages: Promise<Pages> | null = null;
	return async (c, next) => {
		// Read with the first request, when the API has all its routes.
		roots ??= new Set(api.routes.map(({ path }) => rootOf(path)));
		if (roots.has(rootOf(c.req.path))) return next();
		const loaded = await (pages ??= loadPages());
		const page = await loaded.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext);
		if (page.status !== 404) return page;
		if (page.body === null) return next();
		c.res = page;
		return setHeaders(c);
	};
}

// A point costs $0.25 a million, a twentieth of a verification: one in ten shows what latency is made of.
const KEYED_SHARE = 0.1;

/** Measures a share of the requests, and each that failed by our fault. Anybody can send one without a valid key. */
function measureRequest(c: AppContext, begun: { readonly at: number; readonly waited: WaitedMs }): void {
	const { requestId, services, credential } = c.var as Partial<AppEnv['Variables']>;
	const ms = Date.now() - begun.at;
	// The pattern of the route that answered, since a path may hold an id of a customer's.
	const [route, method, status] = [routePath(c), c.req.method, c.res.status];
	logSampled('request', { requestId, method, route, status, ms }, Math.random);
	const share = status >= 500 ? 1 : credential === undefined ? SAMPLED_SHARE : KEYED_SHARE;
	if (Math.random() >= share) return;
	const { dns, prober, account } = waitedMs();
	services?.metrics.note('request', {
		route,
		method,
		status: String(status),
		count: Math.round(1 / share),
		ms,
		dnsMs: dns - begun.waited.dns,
		proberMs: prober - begun.waited.prober,
		accountMs: account - begun.waited.account,
	});
}

/** RFC 9112 §3.2: more than one Host is a 400. The runtime joins several with commas. */
function namesOneHost({ headers }: Request): boolean {
	return headers.get('host')?.includes(',') !== true;
}

/** Spec §8: every response has these headers. */
function setHeaders(c: AppContext): void {
	const window = c.var.window ?? {
		limit: DEFAULT_LIMITS.default,
		remaining: DEFAULT_LIMITS.default,
		resetSeconds: c.var.services?.config.RATE_WINDOW_SECONDS ?? WINDOW_SECONDS,
	};
	// `c.header` would make a new response each time. All responses are our own, so their headers are mutable.
	const { headers } = c.res;
	// RFC 9111 §3.5 only protects answers to Authorization; keys are also sent in X-API-Key.
	headers.set('Cache-Control', 'no-store');
	headers.set('RateLimit-Limit', String(window.limit));
	headers.set('RateLimit-Remaining', String(window.remaining));
	headers.set('RateLimit-Reset', String(window.resetSeconds));
	headers.set('X-Content-Type-Options', 'nosniff');
	const transport = c.var.services === undefined ? null : strictTransport(c.var.services.config);
	if (transport !== null) headers.set('Strict-Transport-Security', transport);
	headers.set('X-Request-Id', c.var.requestId);
}
