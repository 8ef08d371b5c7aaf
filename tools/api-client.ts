/** A running service and a key for it. */
export interface Service {
	readonly url: string;
	readonly apiKey: string;
}

/** Calls the API as a customer does; throws with its error message unless it succeeds. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the path answers
export async function callApi<Data, Meta = object>(
	{ url, apiKey }: Service,
	method: 'GET' | 'POST',
	path: string,
	body?: object,
): Promise<{ data: Data; meta: Meta }> {
	const response = await fetch(new URL(path, url), {
		method,
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const answer = await response.json<{ data?: Data; meta?: Meta; error?: string; message?: string }>();
	if (response.ok && answer.data !== undefined && answer.meta !== undefined)
		return { data: answer.data, meta: answer.meta };
	throw new Error(`${method} ${path}: ${response.status} ${answer.error ?? answer.message ?? ''}`);
}
