import type { z } from '@hono/zod-openapi';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { placeOf } from './fields.ts';

/** How a body or a query is checked: `refusalOf` looks at what was sent. */
export const REPORTING = { reportInput: true } as const;

/** The refusal of a body or a query that does not match its schema, with the first error. */
export function refusalOf({ issues: [issue] }: Pick<z.core.$ZodError, 'issues'>): ServiceError {
	if (issue === undefined) return new ServiceError('bad_request', 'The request could not be understood');
	const details = issue.path.length === 0 ? {} : { param: placeOf(issue.path) };
	return new ServiceError(codeOf(issue), issue.message, { details });
}

function codeOf({ code, path, input }: z.core.$ZodIssue): ErrorCode {
	if (path.length === 0) return 'invalid_body';
	if (path.length === 1 && path[0] === 'emails') {
		if (code === 'too_small') return 'no_emails';
		if (code === 'too_big') return 'too_many_emails';
	}
	return input === undefined ? 'missing_parameter' : 'invalid_parameter';
}
