import { operatorToken, readDevVars } from './dev-vars.ts';

/** An error from the operators' API, with its message. */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}

/** The service at a URL, with the operator's own token. */
export function serviceAt(url: string): { readonly url: string; readonly token: string } {
	const token = process.env['OPERATOR_TOKEN'] ?? operatorToken(readDevVars());
	if (token === '')
		throw new OperatorError('OPERATOR_TOKEN is not set, and .dev.vars has no OPERATOR_TOKENS');
	return { url, token };
}

/** Calls the operators' API of a running service. */
export async function callOperator<T>(
	service: { readonly url: string; readonly token: string },
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
	path: string,
	body?: object,
): Promise<T> {
	const response = await fetch(new URL(`/ops${path}`, service.url), {
		method,
		headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	}).catch((error: unknown) => {
		throw new OperatorError(`Nothing answers at ${service.url}: is the service running?`, { cause: error });
	});
	const answer = (await response.json().catch(() => ({}))) as { data?: T; error?: string; message?: string };
	if (response.ok && answer.data !== undefined) return answer.data;
	throw new OperatorError(answer.error ?? answer.message ?? `The service answered ${response.status}`);
}
