// Made by `npm run update:client-types` from the OpenAPI document and the table of errors.

/** The codes of errors that the service had when this was made. */
export type KnownErrorCode =
	/** 400: The body is not JSON in UTF-8, or it ended too early. */
	| 'invalid_json'
	/** 400: The body was announced as something else than JSON. */
	| 'unsupported_media_type'
	/** 400: The body is compressed. */
	| 'unsupported_encoding'
	/** 400: The body is longer than this call takes. */
	| 'body_too_large'
	/** 400: The body is JSON, but not the object that this call takes. */
	| 'invalid_body'
	/** 400: A required parameter is missing; param names it. */
	| 'missing_parameter'
	/** 400: A parameter has a wrong type or is out of bounds; param names it, and the text its bounds. */
	| 'invalid_parameter'
	/** 400: The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII. */
	| 'invalid_idempotency_key'
	/** 400: The text is not an email address; the message says why. Nothing was charged. */
	| 'malformed_email'
	/** 400: The list of addresses is empty. */
	| 'no_emails'
	/** 400: The list has more than 50,000 elements. */
	| 'too_many_emails'
	/** 400: Nothing in the list is a well-formed address. */
	| 'no_valid_emails'
	/** 400: The request could not be understood. */
	| 'bad_request'
	/** 401: The request carries no API key. */
	| 'api_key_missing'
	/** 401: The Authorization header does not have the form Bearer, a space and the key. */
	| 'authorization_malformed'
	/** 401: Authorization and X-API-Key carry different keys. */
	| 'api_keys_differ'
	/** 401: The key is not one of ours, was altered, or is revoked. */
	| 'api_key_invalid'
	/** 401: The key has expired. */
	| 'api_key_expired'
	/** 401: The key is right, but its account is suspended: all its keys are refused. Nothing is lost. */
	| 'account_suspended'
	/** 402: Fewer credits are available than the work needs: required and available say how many. */
	| 'insufficient_credits'
	/** 403: The key is right, but it was made for other calls; the message names the scope that is missing. */
	| 'key_scope'
	/** 404: There is nothing at this path. */
	| 'path_not_found'
	/** 404: There is no such job in this account. */
	| 'job_not_found'
	/** 404: There is no such catch-all task in this account. */
	| 'task_not_found'
	/** 404: There is no such webhook in this account. */
	| 'webhook_not_found'
	/** 404: No such event was sent to this webhook, or its delivery is no longer kept. */
	| 'delivery_not_found'
	/** 405: The path exists with another method. */
	| 'method_not_allowed'
	/** 409: The job is still being worked on; status says so. */
	| 'job_not_completed'
	/** 409: The job could not be done, so it has no results. It cost nothing. */
	| 'job_failed'
	/** 409: The catch-all task is still being worked on; status says so. */
	| 'task_not_completed'
	/** 409: The catch-all task could not be done, so it has no results. It cost nothing. */
	| 'task_failed'
	/** 409: The webhook is disabled, so nothing is sent to it. */
	| 'webhook_disabled'
	/** 409: The account has as many webhooks as it can have. */
	| 'too_many_webhooks'
	/** 409: The Idempotency-Key was used for another request. */
	| 'idempotency_key_reused'
	/** 409: The first request under this Idempotency-Key is still under way. */
	| 'request_in_progress'
	/** 410: The results passed their time, which resultsExpiresAt said, and are deleted. */
	| 'results_expired'
	/** 429: The window is used up. This answer has a message alone. */
	| 'rate_limited'
	/** 500: We failed. Nothing was charged. */
	| 'internal_error'
	/** 502: The resolver, or the way out to mail servers, gave an answer that makes no sense. Nothing was charged. */
	| 'upstream_nonsense'
	/** 503: Something that we depend on does not answer. Nothing was charged. */
	| 'upstream_unavailable'
	/** 503: This service is not set up completely. Nothing was charged. */
	| 'misconfigured';
