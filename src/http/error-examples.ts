import { ERRORS } from '../core/errors/error-table.ts';
import type { ApiErrorCode } from '../core/errors/error-table.ts';
import type { ErrorDetails } from '../errors.ts';

const DETAILS: Readonly<Partial<Record<ApiErrorCode, ErrorDetails>>> = {
	insufficient_credits: { required: 17, available: 5 },
	job_not_completed: { status: 'processing' },
	task_not_completed: { status: 'processing' },
	job_failed: { status: 'failed' },
	task_failed: { status: 'failed' },
};

/** The body of an error, as an example. */
export function exampleOfError(code: ApiErrorCode): object {
	const { says } = ERRORS[code];
	if (code === 'rate_limited') return { success: false, message: says };
	return { success: false, error: says, code, requestId: 'req_1f0c', ...DETAILS[code] };
}
