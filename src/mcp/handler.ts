import { createMcpHandler } from '@modelcontextprotocol/server';
import { describeError, log } from '../lib/log.ts';
import { apiOf } from './api.ts';
import type { Call } from './api.ts';
import { makeServer } from './server.ts';

// As much as the API takes for a list.
const BODY_OCTETS_MAX = 14 * 1_048_576;
// A longer message is the call of a tool.
const GREETING_OCTETS_MAX = 65_536;

interface Caller {
	/** The id of the MCP request. */
	readonly requestId: string;
	/** The signature of the key was checked. */
	readonly apiKey: string;
}

/**
 * Serves the Model Context Protocol (streamable HTTP, without sessions): each request is answered by itself.
 *
 * @param fetch our own application
 */
export async function serveMcp(
	fetch: (request: Request) => Promise<Response>,
	request: Request,
	{ requestId, apiKey }: Caller,
): Promise<Response> {
	const call: Call = async (path, init = {}) => {
		const ours = new Request(new URL(path, request.url), init);
		ours.headers.set('authorization', `Bearer ${apiKey}`);
		return fetch(ours);
	};
	if (!(await callsTool(request))) {
		const balance = await call('/v1/credits');
		if (!balance.ok) return balance;
	}
	const handler = createMcpHandler(() => makeServer(apiOf(call, requestId)), {
		responseMode: 'json',
		maxRequestBodySize: BODY_OCTETS_MAX,
		onerror: (error) => log('mcp_failed', describeError(error)),
	});
	return handler.fetch(request);
}

/** Whether a request calls tools alone, so that the API checks its key. A greeting and the list of tools don't. */
async function callsTool(request: Request): Promise<boolean> {
	const octets = Number(request.headers.get('content-length') ?? Infinity);
	if (octets > GREETING_OCTETS_MAX) return true;
	const body: unknown = await request
		.clone()
		.json()
		.catch(() => null);
	return [body].flat().every((message) => (message as { method?: unknown } | null)?.method === 'tools/call');
}
