import { parseJson } from '../src/lib/text.ts';
import { OperatorError } from './operator-client.ts';

// What a service is asked to see whether it works for customers: by `ops check-service`, and by a deploy.

// A test key calls no mail server and costs nothing: the word before the @ asks for this verdict.
const ADDRESS = 'deliverable@example.com';
const PATIENCE_MS = 20_000;

/** A service, and headers that lead the requests to one of its versions. */
export interface Asked {
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** What is wrong with a service for a customer: is it healthy, and does it verify an address by a test key? */
export async function checkService(url: string, testKey: string): Promise<readonly string[]> {
	if (!testKey.startsWith('ms_test_'))
		throw new OperatorError('MAILSONAR_TEST_KEY is no test key: `ops key test ACCOUNT` makes one');
	const problems = await Promise.all([healthProblem({ url }), verifyProblem({ url }, testKey)]);
	return problems.filter((one) => one !== null);
}

/** What is wrong with the service's health, in a line; null: nothing. */
export function healthProblem(asked: Asked, version?: string): Promise<string | null> {
	return problemAt(asked, '/healthz', {}, ({ status, headers }) => {
		const answered = headers.get('mailsonar-version') ?? 'unknown';
		if (version !== undefined && answered !== version)
			return ` (is answered by version ${answered}, not by ${version})`;
		return status === 200 ? null : '';
	});
}

export function pageProblem(asked: Asked): Promise<string | null> {
	const init = { headers: { accept: 'text/html' } };
	return problemAt(asked, '/docs', init, ({ ok }, text) => (ok && text.includes('</html>') ? null : ''));
}

export function verifyProblem(asked: Asked, testKey: string): Promise<string | null> {
	const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
	const init = { method: 'POST', headers, body: JSON.stringify({ email: ADDRESS }) };
	return problemAt(asked, '/v1/verify', init, ({ ok }, text) => {
		const answer = parseJson(text) as { data?: { status?: unknown } } | null | undefined;
		return ok && answer?.data?.status === 'deliverable' ? null : '';
	});
}

/** The answer in a line, with the remark of `judge`; null: that has none. */
async function problemAt(
	{ url, headers }: Asked,
	path: string,
	init: { method?: string; headers?: object; body?: string },
	judge: (response: Response, text: string) => string | null,
): Promise<string | null> {
	try {
		const response = await fetch(new URL(path, url), {
			...init,
			headers: { ...headers, ...init.headers },
			redirect: 'manual',
			signal: AbortSignal.timeout(PATIENCE_MS),
		});
		const text = await response.text();
		const remark = judge(response, text);
		const excerpt = text.replaceAll(/\s+/g, ' ').slice(0, 200);
		return remark === null ? null : `${path} answered ${response.status}: ${excerpt}${remark}`;
	} catch (error) {
		return `${path} did not answer: ${(error as Error).name}`;
	}
}
