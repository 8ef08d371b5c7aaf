/** Who can see an error: callers of the API, operators under /ops, people on the pages. */
export type ErrorAudience = 'api' | 'operators' | 'pages';
/** The status of the HTTP answer. */
export type ErrorStatus = 400 | 401 | 402 | 404 | 405 | 409 | 410 | 429 | 500 | 502 | 503;

interface ErrorKind {
	readonly status: ErrorStatus;
	readonly meaning: string;
	/** What the caller can do about it. */
	readonly cure: string;
	readonly audience: ErrorAudience;
}

const toldTo =
	(audience: ErrorAudience) =>
	(status: ErrorStatus, meaning: string, cure: string): ErrorKind => ({ status, meaning, cure, audience });
const api = toldTo('api');
const operators = toldTo('operators');
const pages = toldTo('pages');

/**
 * Every error that a caller can see, by the stable code that programs read. The only such table: types, the OpenAPI
 * document and the documentation are made from it. A code never changes its meaning, and is never removed.
 */
export const ERRORS = {
	invalid_json: api(400, 'The body is not JSON in UTF-8, or it ended too early.', 'Send the body as JSON.'),
	unsupported_media_type: api(
		400,
		'The body was announced as something else than JSON.',
		'Send Content-Type: application/json.',
	),
	body_too_large: api(400, 'The body is longer than this call takes.', 'Send fewer addresses at a time.'),
	invalid_body: api(
		400,
		'The body is JSON, but not the object that this call takes.',
		'Send an object with the fields of the reference.',
	),
	missing_parameter: api(400, 'A required parameter is missing; the message names it.', 'Add it.'),
	invalid_parameter: api(
		400,
		'A parameter has a wrong type or is out of bounds; the message names both.',
		'Correct it.',
	),
	invalid_idempotency_key: api(
		400,
		'The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.',
		'Use 1 to 255 printable ASCII characters.',
	),
	malformed_email: api(
		400,
		'The text is not an email address; the message says why. Nothing was charged.',
		'Correct the address.',
	),
	no_emails: api(400, 'The list of addresses is empty.', 'Send at least one address.'),
	too_many_emails: api(400, 'The list has more than 50,000 elements.', 'Send it as several lists.'),
	no_valid_emails: api(
		400,
		'Nothing in the list is a well-formed address.',
		'Send at least one well-formed address.',
	),
	bad_request: api(400, 'The request could not be understood.', 'Compare it with the example of the call.'),
	api_key_missing: api(
		401,
		'The request carries no API key.',
		'Send the key in Authorization: Bearer or in X-API-Key.',
	),
	api_key_invalid: api(
		401,
		'The key is wrong or revoked, its account is shut, or the two headers disagree.',
		'Check the key, or make a new one in the dashboard.',
	),
	insufficient_credits: api(
		402,
		'Fewer credits are available than the work needs: required and available say how many.',
		'Add credits, or send less.',
	),
	path_not_found: api(404, 'There is nothing at this path.', 'Check the address of the call.'),
	job_not_found: api(404, 'There is no such job in this account.', 'Check the job id, and whose key it is.'),
	task_not_found: api(
		404,
		'There is no such catch-all task in this account.',
		'Check the task id, and whose key it is.',
	),
	webhook_not_found: api(
		404,
		'There is no such webhook in this account.',
		'Check the webhook id, and whose key it is.',
	),
	delivery_not_found: api(
		404,
		'No such event was sent to this webhook, or its delivery is no longer kept.',
		'Look at the deliveries of the webhook.',
	),
	method_not_allowed: api(405, 'The path exists with another method.', 'Use a method of the Allow header.'),
	job_not_completed: api(
		409,
		'The job is still being worked on; status says so.',
		'Ask for the job every 10 to 15 seconds until it is completed.',
	),
	job_failed: api(
		409,
		'The job could not be done, so it has no results. It cost nothing.',
		'Send the list again.',
	),
	task_not_completed: api(
		409,
		'The catch-all task is still being worked on; status says so.',
		'Ask for the task every 10 to 15 seconds until it is completed.',
	),
	task_failed: api(
		409,
		'The catch-all task could not be done, so it has no results. It cost nothing.',
		'Start another task.',
	),
	webhook_disabled: api(409, 'The webhook is disabled, so nothing is sent to it.', 'Enable it first.'),
	too_many_webhooks: api(
		409,
		'The account has as many webhooks as it can have.',
		'Remove one of them, or change its URL.',
	),
	idempotency_key_reused: api(
		409,
		'The Idempotency-Key was used for another request.',
		'Repeat the first request unchanged, or use a new key.',
	),
	results_expired: api(
		410,
		'The results passed their time, which resultsExpiresAt said, and are deleted.',
		'Send the list again.',
	),
	rate_limited: api(
		429,
		'The window is used up. This answer has a message alone.',
		'Wait RateLimit-Reset seconds.',
	),
	internal_error: api(
		500,
		'We failed. Nothing was charged.',
		'Try again; if it lasts, tell us the requestId.',
	),
	upstream_nonsense: api(
		502,
		'The resolver, or the way out to mail servers, gave an answer that makes no sense. Nothing was charged.',
		'Try again later.',
	),
	upstream_unavailable: api(
		503,
		'Something that we depend on does not answer. Nothing was charged.',
		'Wait Retry-After seconds and try again.',
	),
	misconfigured: api(
		503,
		'This service is not set up completely. Nothing was charged.',
		'Tell whoever runs it.',
	),

	operator_token_invalid: operators(
		401,
		'The operator token is missing or wrong.',
		'Send it in Authorization: Bearer.',
	),
	account_not_found: operators(404, 'There is no such account.', 'Find it by the address of its owner.'),
	key_not_found: operators(404, 'The account has no such key.', 'Look at the keys of the account.'),
	grant_id_reused: operators(409, 'The id of the grant was used for another amount.', 'Choose a new id.'),
	account_closed: operators(409, 'The owner deleted the account.', 'Open another one.'),
	credits_spent: operators(
		409,
		'Fewer credits are left than should be taken back.',
		'Take back what is available.',
	),
	job_ended: operators(409, 'The job has ended, so there is nothing to set going again.', 'None is needed.'),

	unusable_file: pages(
		400,
		'The file, or the column chosen in it, can not be read as a list.',
		'Save it as CSV or text.',
	),
	upload_not_found: pages(404, 'There is no such upload in this account.', 'Upload the file again.'),
	upload_started: pages(409, 'The file was started already.', 'Look at the lists.'),
	upload_expired: pages(
		410,
		'The time for which uploads are kept is over, and it is deleted.',
		'Upload the file again.',
	),
	nothing_unknown: pages(409, 'Every address of the list has an answer.', 'None is needed.'),
} satisfies Record<string, ErrorKind>;

/** The stable code of an error. */
export type ErrorCode = keyof typeof ERRORS;

/** Further fields of some errors. */
export interface ErrorDetails {
	/** The status of the job or task that is not ready. */
	readonly status?: 'processing' | 'failed';
	/** Credits that the work needs, and those available. */
	readonly required?: number;
	readonly available?: number;
}

/** A refusal the caller can act on. The caller reads `code` and `message`; diagnostics go in `cause`. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly code: ErrorCode;
	readonly details: ErrorDetails;

	constructor(code: ErrorCode, message: string, options: ErrorOptions & { details?: ErrorDetails } = {}) {
		super(message, options);
		this.code = code;
		this.details = options.details ?? {};
	}

	get status(): ErrorStatus {
		return ERRORS[this.code].status;
	}
}

/** The refusal of work that needs more credits than are available. */
export function insufficientCredits(required: number, available: number): ServiceError {
	const text = `Insufficient credits: ${required} required, ${available} available`;
	return new ServiceError('insufficient_credits', text, { details: { required, available } });
}
