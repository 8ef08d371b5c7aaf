/** An answer of our own API. */
export interface ApiAnswer {
	readonly status: number;
	readonly data: Readonly<Record<string, unknown>>;
	readonly meta: Readonly<Record<string, unknown>>;
	/** Null for a success. */
	readonly error: {
		readonly message: string;
		readonly code: string | null;
		readonly retryAfter: string | null;
	} | null;
}

/** The API under /v1, with the caller's key: same windows, same credits, same errors as over HTTP. */
export interface Api {
	get(path: string): Promise<ApiAnswer>;
	post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/** Calls the API in this very process. `base`: any address of ours. */
export function apiOf(fetch: Fetch, base: string, apiKey: string): Api {
	const call = async (
		method: string,
		path: string,
		body: object | null,
		headers: Readonly<Record<string, string>> = {},
	): Promise<ApiAnswer> => {
		const response = await fetch(
			new Request(new URL(path, base), {
				method,
				headers: { ...headers, authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
				...(body === null ? {} : { body: JSON.stringify(body) }),
			}),
		);
		return answerOf(response, await response.json<Readonly<Record<string, unknown>>>());
	};
	return {
		get: async (path) => call('GET', path, null),
		post: async (path, body, headers) => call('POST', path, body, headers),
	};
}

function answerOf({ status, ok, headers }: Response, body: Readonly<Record<string, unknown>>): ApiAnswer {
	const { data = {}, meta = {}, error, message, code = null } = body;
	return {
		status,
		data: data as ApiAnswer['data'],
		meta: meta as ApiAnswer['meta'],
		error: ok
			? null
			: {
					// A 429 has its sentence in `message` (spec §7).
					message: String(error ?? message),
					code: status === 429 ? 'rate_limited' : (code as string | null),
					retryAfter: headers.get('retry-after'),
				},
	};
}
