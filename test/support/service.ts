import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDevVars } from '../../tools/dev-vars.ts';
import { startLocalService } from '../../tools/local-service.ts';
import type { LocalService, LocalServiceOptions } from '../../tools/local-service.ts';
import { callOperator } from '../../tools/operator-client.ts';

/** A running service with the operator's token, on state of its own that goes away with it. */
export interface TestService extends LocalService {
	readonly token: string;
	readonly stateFolder: string;
	/** Ends the service; the state stays until `remove`. */
	remove(): Promise<void>;
}

/** Starts the real `wrangler dev` on a free port, with a sandbox mail world unless told otherwise. */
export async function startTestService(options: Partial<LocalServiceOptions> = {}): Promise<TestService> {
	const token = ensureDevVars()['OPERATOR_TOKEN'] ?? '';
	const stateFolder = options.persistTo ?? mkdtempSync(join(tmpdir(), 'mailsonar-test-'));
	const service = await startLocalService({
		sandbox: {},
		port: 0,
		wrangler: [],
		vars: {},
		output: 'hide',
		...options,
		persistTo: stateFolder,
	});
	const remove = async (): Promise<void> => {
		await service.stop();
		rmSync(stateFolder, { recursive: true, force: true });
	};
	return { ...service, token, stateFolder, remove };
}

export interface TestAccount {
	readonly accountId: string;
	readonly apiKey: string;
}

let accounts = 0;

/** An account of its own for a test. */
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

/** Calls the API with a key. */
export async function call(
	url: string,
	apiKey: string | null,
	method: string,
	path: string,
	body?: unknown,
	headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; body: unknown; text: string }> {
	const isText = typeof body === 'string' || body instanceof Uint8Array;
	const response = await fetch(new URL(path, url), {
		method,
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
		// Not JSON: the test looks at the text.
	}
	return { status: response.status, headers: response.headers, body: parsed, text };
}
