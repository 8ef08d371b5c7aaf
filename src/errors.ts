/** Every refusal and failure a caller can be told about. http/on-error.ts maps each to a status. */
export type ErrorCode =
	| 'invalid_request'
	| 'unauthenticated'
	| 'insufficient_credits'
	| 'not_found'
	| 'method_not_allowed'
	| 'wrong_state'
	| 'expired'
	| 'rate_limited'
	| 'upstream_nonsense'
	| 'upstream_unavailable';

export interface ServiceErrorOptions extends ErrorOptions {
	/** Where the thing stands that is not in the required state; told beside the message. */
	readonly status?: string;
}

/** A refusal the caller can act on. The caller reads `message`; diagnostics go in `cause`. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly code: ErrorCode;
	readonly status: string | null;

	constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
		super(message, options);
		this.code = code;
		this.status = options.status ?? null;
	}
}
