import { OperatorError } from './operator-client.ts';

// A test key calls no mail server and costs nothing: the word before the @ asks for this verdict.
const ADDRESS = 'deliverable@example.com';
const PATIENCE_MS = 20_000;

/** What is wrong with a service for a customer: is it healthy, and does it verify an address by a test key? */
export async function checkService(url: string, testKey: string): Promise<readonly string[]> {
	if (!testKey.startsWith('ms_test_'))
		throw new OperatorError('MAILSONAR_TEST_KEY is no test key: `ops key test ACCOUNT` makes one');
	const results = await Promise.all([
		problemOf(url, '/healthz', {}, (body) => body['status'] === 'ok'),
		problemOf(
			url,
			'/v1/verify',
			{
				method: 'POST',
				headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
				body: JSON.stringify({ email: ADDRESS }),
			},
			({ data }) => (data as { readonly status?: unknown } | undefined)?.status === 'deliverable',
		),
	]);
	return results.flat();
}

async function problemOf(
	url: string,
	path: string,
	init: RequestInit,
	isRight: (body: Readonly<Record<string, unknown>>) => boolean,
): Promise<readonly string[]> {
	try {
		const response = await fetch(new URL(path, url), { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
		const text = await response.text();
		if (response.ok && isRight(JSON.parse(text) as Readonly<Record<string, unknown>>)) return [];
		return [`${path} answered ${response.status}: ${text.slice(0, 200)}`];
	} catch (error) {
		return [`${path} did not answer: ${(error as Error).name}`];
	}
}
