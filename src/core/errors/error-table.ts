/** The status of the HTTP answer. */
export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 429 | 500 | 502 | 503;

/** The texts about an error, in whole sentences. */
interface ErrorKind {
	readonly status: ErrorStatus;
	/** The situation that the code stands for. */
	readonly when: string;
	/** The usual cause. */
	readonly cause: string;
	/** The remedy that the caller has. */
	readonly cure: string;
	/** A text of this error, as an example. */
	readonly says: string;
}

const api = (status: ErrorStatus, texts: Omit<ErrorKind, 'status'>): ErrorKind => ({ status, ...texts });

// The errors of a job and of a task, by the noun and by the name in a sentence.
const missing = (noun: string, name: string, other: string) =>
	api(404, {
		when: `There is no such ${name} in this account.`,
		cause: `The id is mistyped or is that of a ${other}, or the key belongs to another account.`,
		cure: `Check the ${noun} id, and whose key it is.`,
		says: `There is no such ${name} in this account`,
	});
const underWay = (noun: string, name: string) =>
	api(409, {
		when: `The ${name} is still being worked on; status says so.`,
		cause: `Results were asked for before the ${noun} had an answer for every address.`,
		cure: `Ask for the ${noun} every 10 to 15 seconds until it is completed.`,
		says: `The ${noun} is processing, not completed`,
	});
const failed = (noun: string, name: string, cure: string) =>
	api(409, {
		when: `The ${name} could not be done, so it has no results. It cost nothing.`,
		cause: `A failure of ours lasted longer than the ${noun} could wait; error of the ${noun} says more.`,
		cure,
		says: `The ${noun} failed, so it has no results`,
	});

/**
 * Every error that a caller of the API can see, by the stable code that programs read. Types, statuses, the OpenAPI document
 * with its examples and the reference are all made from this table. A code never changes its meaning, and is never
 * removed.
 */
export const ERRORS = {
	invalid_json: api(400, {
		when: 'The body is not JSON in UTF-8, or it ended too early.',
		cause:
			'A quote or a bracket is missing, the text is not UTF-8, or the connection broke off while the body was sent.',
		cure: 'Send the body as JSON.',
		says: 'The body is not valid JSON',
	}),
	unsupported_media_type: api(400, {
		when: 'The body was announced as something else than JSON, or, of a list, than JSON and text.',
		cause: 'Content-Type names a form or a file, as many HTTP clients do by themselves: curl sends a form.',
		cure: 'Send Content-Type: application/json, or a list as text/csv or text/plain.',
		says: 'The body must be JSON (Content-Type: application/json)',
	}),
	unsupported_encoding: api(400, {
		when: 'The body is compressed.',
		cause: 'An HTTP client or a proxy compresses requests with gzip, br, deflate or zstd.',
		cure: 'Send the body as it is, without Content-Encoding.',
		says: 'The body must not be compressed: leave Content-Encoding out',
	}),
	body_too_large: api(400, {
		when: 'The body is longer than this call takes.',
		cause: 'A list with much beside its addresses, or an address field that holds a whole file.',
		cure: 'Send fewer addresses at a time.',
		says: 'The body is longer than 1048576 bytes',
	}),
	invalid_body: api(400, {
		when: 'The body is JSON, but not the object that this call takes.',
		cause: 'The body is a list or a text by itself, is nested very deep, or has very long values.',
		cure: 'Send an object with the fields of the reference.',
		says: 'The body must be a JSON object with an email',
	}),
	missing_parameter: api(400, {
		when: 'A required parameter is missing; param names it.',
		cause: 'The field is left out, or written in other letters: names are case-sensitive.',
		cure: 'Add it.',
		says: 'Missing or invalid parameter: jobId must be a string',
	}),
	invalid_parameter: api(400, {
		when: 'A parameter has a wrong type or is out of bounds; param names it, and the text its bounds.',
		cause: 'A number was sent as text or the other way round, or the value lies outside the bounds.',
		cure: 'Correct it.',
		says: 'Invalid parameter: limit must be a whole number from 1 to 500',
	}),
	invalid_idempotency_key: api(400, {
		when: 'The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.',
		cause: 'The key holds an accented letter or an emoji, or a whole body was used as the key.',
		cure: 'Use 1 to 255 printable ASCII characters.',
		says: 'Idempotency-Key must be 1-255 printable ASCII characters',
	}),
	malformed_email: api(400, {
		when: 'The text is not an email address; the message says why. Nothing was charged.',
		cause: 'The @ or the domain is missing, or a name, a comma or a space came with the address.',
		cure: 'Correct the address.',
		says: 'Malformed email: The address has no @',
	}),
	no_emails: api(400, {
		when: 'The list of addresses is empty.',
		cause: 'The list was filtered down to nothing before it was sent.',
		cure: 'Send at least one address.',
		says: 'Invalid parameter: emails is empty, it must be an array of 1 to 50000 strings',
	}),
	too_many_emails: api(400, {
		when: 'The list has more than 50,000 elements.',
		cause: 'Elements count as sent, with duplicates and malformed ones.',
		cure: 'Send it as several lists.',
		says: 'Invalid parameter: emails has too many elements, it must be an array of 1 to 50000 strings',
	}),
	no_valid_emails: api(400, {
		when: 'Nothing in the list is a well-formed address.',
		cause: 'The wrong column was sent, or nothing but blanks.',
		cure: 'Send at least one well-formed address.',
		says: 'emails holds no well-formed address',
	}),
	bad_request: api(400, {
		when: 'The request could not be understood.',
		cause: 'A header or the address of the call is malformed.',
		cure: 'Compare it with the example of the call.',
		says: 'The request could not be understood',
	}),
	api_key_missing: api(401, {
		when: 'The request carries no API key.',
		cause: 'The header is left out, is empty, or was removed by a proxy on the way.',
		cure: 'Send the key in Authorization: Bearer or in X-API-Key.',
		says: 'API key missing: send it as `Authorization: Bearer <API_KEY>` or `X-API-Key: <API_KEY>`',
	}),
	authorization_malformed: api(401, {
		when: 'The Authorization header does not have the form Bearer, a space and the key.',
		cause: 'The word Bearer is left out, or another scheme such as Basic or Token is used.',
		cure: 'Write Bearer and a space before the key, or send the key alone in X-API-Key.',
		says: 'Authorization has no scheme: write `Bearer` and a space before the key, as in `Authorization: Bearer <API_KEY>`',
	}),
	api_keys_differ: api(401, {
		when: 'Authorization and X-API-Key carry different keys.',
		cause: 'A client adds one of the headers by itself, beside the one that you set.',
		cure: 'Send one of them.',
		says: 'Authorization and X-API-Key carry different keys: send one of them',
	}),
	api_key_invalid: api(401, {
		when: 'The key is not one of ours, was altered, or is revoked.',
		cause: 'The key was cut off or altered when it was copied, was revoked, or its account was deleted.',
		cure: 'Check the key, or make a new one in the dashboard.',
		says: 'API key invalid or revoked',
	}),
	api_key_expired: api(401, {
		when: 'The key has expired.',
		cause: 'The maker of the key chose how long it is accepted; the keys page says when it ended.',
		cure: 'Make a new key in the dashboard, and put it in the place of this one.',
		says: 'This API key has expired',
	}),
	account_suspended: api(401, {
		when: 'The key is right, but its account is suspended: all its keys are refused. Nothing is lost.',
		cause: 'An operator of the service suspended the account, as its dashboard says.',
		cure: 'Ask us why; the same keys work again as soon as the suspension ends.',
		says: 'This account is suspended: its keys are refused until the suspension ends',
	}),
	insufficient_credits: api(402, {
		when: 'Fewer credits are available than the work needs: required and available say how many.',
		cause: 'The credits are spent, or set aside for jobs that still run.',
		cure: 'Add credits, or send less.',
		says: 'Insufficient credits: 17 required, 5 available',
	}),
	key_scope: api(403, {
		when: 'The key is right, but it was made for other calls; the message names the scope that is missing.',
		cause: 'The key is used in another program than the one that it was made for.',
		cure: 'Use a key that has the scope. What a key may do is chosen when it is made, and does not change.',
		says: 'This call needs a key with the scope lists or read',
	}),
	path_not_found: api(404, {
		when: 'There is nothing at this path.',
		cause: 'A typing error, a slash at the end, or a base address without /v1.',
		cure: 'Check the address of the call.',
		says: 'There is no /v1/nothing',
	}),
	job_not_found: missing('job', 'job', 'task'),
	task_not_found: missing('task', 'catch-all task', 'job'),
	webhook_not_found: api(404, {
		when: 'There is no such webhook in this account.',
		cause: 'The id is mistyped, the webhook was removed, or the key belongs to another account.',
		cure: 'Check the webhook id, and whose key it is.',
		says: 'There is no such webhook in this account',
	}),
	delivery_not_found: api(404, {
		when: 'No such event was sent to this webhook, or its delivery is no longer kept.',
		cause: 'The id is mistyped, the event was sent to another webhook, or it is too old.',
		cure: 'Look at the deliveries of the webhook.',
		says: 'There is no such delivery to this webhook',
	}),
	method_not_allowed: api(405, {
		when: 'The path exists with another method.',
		cause: 'A GET where a POST is meant, or the other way round; redirects often turn one into the other.',
		cure: 'Use a method of the Allow header.',
		says: 'GET is not allowed here: use POST',
	}),
	job_not_completed: underWay('job', 'job'),
	job_failed: failed('job', 'job', 'Send the list again.'),
	task_not_completed: underWay('task', 'catch-all task'),
	task_failed: failed('task', 'catch-all task', 'Start another task.'),
	webhook_disabled: api(409, {
		when: 'The webhook is disabled, so nothing is sent to it.',
		cause:
			'It was disabled by hand, it answered 410, or nothing arrived for days; disabledBecause says which.',
		cure: 'Enable it first.',
		says: 'This webhook is disabled: enable it first',
	}),
	too_many_webhooks: api(409, {
		when: 'The account has as many webhooks as it can have.',
		cause: 'A program adds a webhook each time it starts, or old ones were left behind.',
		cure: 'Remove one of them, or change its URL.',
		says: 'An account has at most 5 webhooks',
	}),
	idempotency_key_reused: api(409, {
		when: 'The Idempotency-Key was used for another request.',
		cause:
			'A key was made of something that repeats, such as the date, or the body changed between two tries.',
		cure: 'Repeat the first request unchanged, or use a new key.',
		says: 'This Idempotency-Key was used for another request',
	}),
	request_in_progress: api(409, {
		when: 'The first request under this Idempotency-Key is still under way.',
		cause: 'The request was repeated before its first answer came, or two programs use one key.',
		cure: 'Send it again after Retry-After. It gets the first answer, and nothing is charged twice.',
		says: 'The first request under this Idempotency-Key is still under way',
	}),
	results_expired: api(410, {
		when: 'The results passed their time, which resultsExpiresAt said, and are deleted.',
		cause: 'Results are kept for a limited time after the job or task was completed.',
		cure: 'Send the list again.',
		says: 'Results are kept for a limited time and have expired',
	}),
	rate_limited: api(429, {
		when: 'The window is used up. This answer has a message alone.',
		cause: 'More requests than the account may make in 15 minutes; each category has its own window.',
		cure: 'Wait RateLimit-Reset seconds.',
		says: 'Developer API rate limit exceeded',
	}),
	internal_error: api(500, {
		when: 'We failed. Nothing was charged.',
		cause: 'A mistake in our program.',
		cure: 'Try again; if it lasts, tell us the requestId.',
		says: 'Internal server error',
	}),
	upstream_nonsense: api(502, {
		when: 'The resolver, or the way out to mail servers, gave an answer that makes no sense. Nothing was charged.',
		cause: 'A DNS resolver or a connection for mail is set up wrongly on our side.',
		cure: 'Try again later.',
		says: 'The DNS resolver answered something that is not DNS',
	}),
	upstream_unavailable: api(503, {
		when: 'Something that we depend on does not answer. Nothing was charged.',
		cause: 'Our DNS resolver, our connections for mail or our storage are down or overloaded.',
		cure: 'Wait Retry-After seconds and try again.',
		says: 'No outgoing connection for mail is available',
	}),
	misconfigured: api(503, {
		when: 'This service is not set up completely. Nothing was charged.',
		cause: 'A variable of the service is missing or has an impossible value.',
		cure: 'Tell the operator of the service.',
		says: 'KEY_SIGNING_SECRET is not configured',
	}),
} satisfies Record<string, ErrorKind>;

/** The errors that operators under /ops see, and those that people see on pages: a program reads neither. */
const ELSEWHERE = {
	operator_token_invalid: 401,
	account_not_found: 404,
	key_not_found: 404,
	grant_id_reused: 409,
	account_closed: 409,
	credits_spent: 409,
	job_ended: 409,

	unusable_file: 400,
	upload_not_found: 404,
	upload_started: 409,
	upload_expired: 410,
	nothing_unknown: 409,
} as const satisfies Record<string, ErrorStatus>;

/** The codes that a caller of the API can see. */
export type ApiErrorCode = keyof typeof ERRORS;
/** The stable code of an error. */
export type ErrorCode = ApiErrorCode | keyof typeof ELSEWHERE;

/** The codes that a caller of the API can see, in the order of the table. */
export const API_ERROR_CODES = Object.keys(ERRORS) as readonly ApiErrorCode[];

/** The status of every error. */
export const ERROR_STATUSES = {
	...Object.fromEntries(API_ERROR_CODES.map((code) => [code, ERRORS[code].status])),
	...ELSEWHERE,
} as Readonly<Record<ErrorCode, ErrorStatus>>;
