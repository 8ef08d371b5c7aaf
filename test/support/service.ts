import { callOperator } from '../../tools/operator-client.ts';
import { holdToDocument } from './openapi/answers.ts';

export { startTemporaryService as startTestService } from '../../tools/temporary-service.ts';
export type { TemporaryService as TestService } from '../../tools/temporary-service.ts';

export interface TestAccount {
	readonly accountId: string;
	readonly apiKey: string;
}

let accounts = 0;

/** Makes a new account for a test. */
export async function makeAccount(
	service: { readonly url: string; readonly token: string },
	credits = 100,
): Promise<TestAccount> {
	accounts += 1;
	return callOperator<TestAccount>(service, 'POST', '/accounts', {
		email: `test-${accounts}@example.com`,
		credits,
	});
}

/** Calls the API with a key. Throws where the answer is not as the OpenAPI document says. */
export async function call(
	url: string,
	apiKey: string | null,
	method: string,
	path: string,
	body?: unknown,
	headers: Readonly<Record<string, string>> = {},
	signal?: AbortSignal,
): Promise<{ status: number; headers: Headers; body: unknown; text: string }> {
	const isText = typeof body === 'string' || body instanceof Uint8Array;
	const response = await fetch(new URL(path, url), {
		method,
		...(signal === undefined ? {} : { signal }),
		headers: {
			...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...headers,
		},
		...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
	});
	const text = await response.text();
	let parsed: unknown = null;
	try {
		parsed = JSON.parse(text);
	} catch {
		// Not JSON: the test reads `text`.
	}
	const answer = { status: response.status, headers: response.headers, body: parsed, text };
	holdToDocument(method, response.url, answer);
	return answer;
}
