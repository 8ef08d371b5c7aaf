import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { inCredits, PRICE } from '../core/credits/price.ts';
import { API_VERSION } from '../http/schemas/envelope.ts';
import { describeError, log } from '../lib/log.ts';
import type { Api, ApiAnswer } from './tool.ts';
import { TOOLS } from './tools.ts';

const INSTRUCTIONS = `Verifies email addresses. A definite answer costs ${inCredits(PRICE.single)}; "unknown" is refunded.
Start with verify_email for one address, and start_list for many. Before spending on many, call the tool with dryRun: true:
it says what the work would cost at most, and spends nothing. A list works in the background: ask job_status until its status
is "completed", no more often than every few seconds, then read job_results page by page; rows: "full" gives every detail of
a row. Rows with sub_status "catch_all" can be looked into with start_catchall. "risky" and "unknown" are not "undeliverable":
say so when you report them.`;

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
	const call: Api['call'] = async (path, body, key) => {
		const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
		const ours = new Request(new URL(path, request.url), sent);
		ours.headers.set('content-type', 'application/json');
		if (key !== undefined) ours.headers.set('idempotency-key', key);
		for (const name of KEY_HEADERS) {
			const value = request.headers.get(name);
			if (value !== null) ours.headers.set(name, value);
		}
		return answerOf(await fetch(ours));
	};
	const api: Api = { requestId, call };
	const makeServer = (): McpServer => {
		const about = { name: 'mailsonar', title: 'Mailsonar', version: API_VERSION };
		const server = new McpServer(about, { instructions: INSTRUCTIONS });
		for (const add of TOOLS) add(server, api);
		return server;
	};
	const handler = createMcpHandler(makeServer, {
		onerror: (error) => log('mcp_failed', describeError(error)),
	});
	return handler.fetch(request, { parsedBody: message });
}

async function answerOf(response: Response): Promise<ApiAnswer> {
	const { success: _, data, meta = {}, ...body } = await response.json<Record<string, unknown>>();
	if (response.ok) return { data: { ...(data as object), meta }, error: null };
	// A 429 has its sentence in `message`, and no other field (spec §7).
	const { error, message = error, code = response.status === 429 ? 'rate_limited' : null, ...rest } = body;
	const retryAfter = response.headers.get('retry-after');
	const requestId = response.headers.get('x-request-id');
	const later = retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) };
	return { data: {}, error: { message, code, ...rest, requestId, ...later } };
}
