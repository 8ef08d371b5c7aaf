import { ERRORS } from '../core/errors/error-table.ts';
import type { ApiErrorCode } from '../core/errors/error-table.ts';
import type { ErrorDetails } from '../errors.ts';

const REFERENCE = 'https://api.mailsonar.example/docs/reference';
const inEmails = { param: 'emails', docs: `${REFERENCE}/createJob` };

const BESIDE: Readonly<Partial<Record<ApiErrorCode, ErrorDetails & { readonly docs?: string }>>> = {
	missing_parameter: { param: 'jobId', docs: `${REFERENCE}/createTask` },
	invalid_parameter: { param: 'limit', docs: `${REFERENCE}/getJobResults` },
	invalid_idempotency_key: { param: 'Idempotency-Key', docs: `${REFERENCE}/verifyAddress` },
	malformed_email: { param: 'email', docs: `${REFERENCE}/verifyAddress` },
	no_emails: inEmails,
	too_many_emails: inEmails,
	no_valid_emails: inEmails,
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
	return { success: false, error: says, message: says, code, requestId: 'req_1f0c', ...BESIDE[code] };
}
