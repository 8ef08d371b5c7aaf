import { MailsonarError } from './error.ts';
import { retryAfterOf } from './retry.ts';

const TEXT_CHARS_MAX = 200;

/** The `data` of a success, with its `meta` beside. */
export async function readData(response: Response): Promise<object> {
	const body = parsed(await response.text());
	const { data, meta } = body ?? {};
	if (isObject(data) && isObject(meta)) return { ...data, meta };
	throw new MailsonarError(body === null ? 'The answer is not JSON' : 'The answer has no data', {
		code: 'unexpected_response',
		status: response.status,
		requestId: response.headers.get('x-request-id'),
	});
}

/** The error that an answer other than 2xx means. */
export async function readError(response: Response, now: number): Promise<MailsonarError> {
	const text = await response.text();
	const body = parsed(text);
	const { status, headers } = response;
	const { success: _, error, message, code, requestId, param, ...details } = body ?? {};
	const said = textOf(error) ?? textOf(message);
	// The body of a 429 is fixed by the specification, and has no code.
	const usual = status === 429 ? 'rate_limited' : 'unexpected_response';
	return new MailsonarError(said ?? `The service answered ${status}${excerpt(body === null ? text : '')}`, {
		code: textOf(code) ?? usual,
		status,
		requestId: textOf(requestId) ?? headers.get('x-request-id'),
		retryAfter: retryAfterOf(status, headers, now),
		param: textOf(param),
		details,
	});
}

function parsed(text: string): Record<string, unknown> | null {
	try {
		const body: unknown = JSON.parse(text);
		return isObject(body) ? body : null;
	} catch {
		return null;
	}
}

function excerpt(text: string): string {
	const words = text
		.replaceAll(/<[^<>]*>/g, ' ')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return words === '' ? '' : `: ${words.slice(0, TEXT_CHARS_MAX)}`;
}

function textOf(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
