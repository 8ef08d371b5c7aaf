/** An answer of our own API. */
export interface ApiAnswer {
	readonly data: Readonly<Record<string, unknown>>;
	readonly meta: Readonly<Record<string, unknown>>;
	/** `message`, `code`, `requestId`, and what else the API says of it. Null for a success. */
	readonly error: Readonly<Record<string, unknown>> | null;
}

/** The API under /v1, with the caller's key: same windows, same credits, same errors as over HTTP. */
export type Api = ReturnType<typeof apiOf>;

/**
 * The API in this very process.
 *
 * @param call calls a path with the caller's key
 * @param requestId the MCP request that these calls are made for
 */
export function apiOf(call: (path: string, init?: RequestInit) => Promise<Response>, requestId: string) {
	return {
		requestId,
		get: async (path: string) => answerOf(await call(path)),
		/** With the caller's Idempotency-Key, if there is one. */
		post: async (path: string, body: object, key: string | undefined) => {
			const headers = {
				'content-type': 'application/json',
				...(key === undefined ? {} : { 'idempotency-key': key }),
			};
			return answerOf(await call(path, { method: 'POST', headers, body: JSON.stringify(body) }));
		},
	};
}

async function answerOf(response: Response): Promise<ApiAnswer> {
	const { success: _, ...body } = await response.json<Record<string, unknown>>();
	const { data = {}, meta = {} } = body as Partial<ApiAnswer>;
	return { data, meta, error: response.ok ? null : errorOf(response, body) };
}

function errorOf({ status, headers }: Response, body: Record<string, unknown>): ApiAnswer['error'] {
	// A 429 has its sentence in `message`, and no other field (spec §7).
	const { error, message = error, code = status === 429 ? 'rate_limited' : null, ...rest } = body;
	const retryAfter = headers.get('retry-after');
	return {
		message,
		code,
		...rest,
		requestId: headers.get('x-request-id'),
		...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
	};
}
