import type { z } from '@hono/zod-openapi';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

/** The refusal of a body or a query that does not match its schema, with the first error. */
export function refusalOf(
	{ issues: [issue] }: Pick<z.core.$ZodError, 'issues'>,
	given: unknown,
): ServiceError {
	return issue === undefined
		? new ServiceError('bad_request', 'The request could not be understood')
		: new ServiceError(codeOf(issue, given), issue.message);
}

function codeOf({ code, path }: z.core.$ZodIssue, given: unknown): ErrorCode {
	if (path.length === 0) return 'invalid_body';
	if (path.length === 1 && path[0] === 'emails') {
		if (code === 'too_small') return 'no_emails';
		if (code === 'too_big') return 'too_many_emails';
	}
	return isGiven(given, path) ? 'invalid_parameter' : 'missing_parameter';
}

/** Whether the input has a value at the path. */
function isGiven(given: unknown, path: readonly PropertyKey[]): boolean {
	const [name, ...rest] = path;
	if (name === undefined) return given !== undefined;
	if (typeof given !== 'object' || given === null) return false;
	return isGiven((given as Readonly<Record<PropertyKey, unknown>>)[name], rest);
}
