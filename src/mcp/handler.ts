import { createMcpHandler } from '@modelcontextprotocol/server';
import { describeError, log } from '../lib/log.ts';
import { apiOf } from './api.ts';
import { makeServer } from './server.ts';

const VERSION = '1.0.0';
// As much as the API takes for a list.
const BODY_OCTETS_MAX = 14 * 1_048_576;

/**
 * Serves the Model Context Protocol (streamable HTTP, without sessions): each request is answered by itself.
 *
 * @param fetch our own application
 * @param apiKey of the caller, whose signature was checked
 */
export async function serveMcp(
	fetch: (request: Request) => Response | Promise<Response>,
	request: Request,
	apiKey: string,
): Promise<Response> {
	const api = apiOf(fetch, request.url, apiKey);
	const handler = createMcpHandler(() => makeServer(api, VERSION), {
		responseMode: 'json',
		maxRequestBodySize: BODY_OCTETS_MAX,
		onerror: (error) => log('mcp_failed', describeError(error)),
	});
	return handler.fetch(request);
}
