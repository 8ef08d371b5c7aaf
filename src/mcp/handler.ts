import { createMcpHandler } from '@modelcontextprotocol/server';
import { describeError, log } from '../lib/log.ts';
import { apiOf } from './api.ts';
import type { Call } from './api.ts';
import { makeServer } from './server.ts';

/** The headers that carry the key (spec §5.1). */
const KEY_HEADERS = ['authorization', 'x-api-key'];

/**
 * Serves the Model Context Protocol (streamable HTTP, without sessions): each request is answered by itself.
 *
 * @param fetch our own application
 */
export async function serveMcp(
	fetch: (request: Request) => Promise<Response>,
	request: Request,
	{ requestId, message }: { readonly requestId: string; readonly message: object | undefined },
): Promise<Response> {
	const call: Call = async (path, init = {}) => {
		const ours = new Request(new URL(path, request.url), init);
		for (const name of KEY_HEADERS) {
			const value = request.headers.get(name);
			if (value !== null) ours.headers.set(name, value);
		}
		return fetch(ours);
	};
	const handler = createMcpHandler(() => makeServer(apiOf(call, requestId)), {
		responseMode: 'json',
		onerror: (error) => log('mcp_failed', describeError(error)),
	});
	return handler.fetch(request, { parsedBody: message });
}
