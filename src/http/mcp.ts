import type { Hono } from 'hono';
import * as z from 'zod';
import { enter } from './admission.ts';
import type { AppEnv } from './context.ts';
import { needs } from './endpoint.ts';
import { readJson } from './body.ts';

// Some 30,000 addresses. A longer list goes to the API itself, which reads it piece by piece.
const MESSAGE_OCTETS_MAX = 1_048_576;

const message = z.looseObject({}, 'A message is one JSON object: batches are not taken');

/** The Model Context Protocol, on top of the API. */
export interface Mcp {
	/** Answers a request, whose body was read: `message`. */
	serveMcp(
		callApi: (request: Request) => Promise<Response>,
		request: Request,
		about: { readonly requestId: string; readonly message: object | undefined },
	): Promise<Response>;
}

/**
 * Serves `/mcp`. Each request counts as one of the account's, whatever it holds and however it is framed, before its body
 * is read. The calls of a tool are requests of their own.
 */
export function addMcp(app: Hono<AppEnv>, loadMcp: () => Promise<Mcp>): void {
	app.all('/mcp', needs('any key'), async (c) => {
		await enter(c, 'default');
		const body = c.req.method === 'POST' ? await readJson(c, message, MESSAGE_OCTETS_MAX) : null;
		const mcp = await loadMcp();
		const callApi = async (request: Request): Promise<Response> => app.fetch(request, c.env, c.executionCtx);
		return mcp.serveMcp(callApi, c.req.raw, { requestId: c.var.requestId, message: body ?? undefined });
	});
}
