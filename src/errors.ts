import { ERROR_STATUSES, ERRORS } from './core/errors/error-table.ts';
import type { ApiErrorCode, ErrorCode, ErrorStatus } from './core/errors/error-table.ts';

export type { ErrorCode, ErrorStatus } from './core/errors/error-table.ts';

/** Further fields of some errors. */
export interface ErrorDetails {
	/** The one field, query parameter or header that is wrong: `emails[3]`, `limit`, `Idempotency-Key`. */
	readonly param?: string;
	/** The status of the job or task that is not ready. */
	readonly status?: 'processing' | 'failed';
	/** Credits that the work needs, and those available. */
	readonly required?: number;
	readonly available?: number;
}

type ErrorParts = ErrorOptions & { readonly details?: ErrorDetails; readonly retryAfterSeconds?: number };

/** A refusal the caller can act on. The caller reads `code` and `message`; diagnostics go in `cause`. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly code: ErrorCode;
	readonly details: ErrorDetails;

	/**
	 * Seconds until the same request may succeed, for a refusal that passes; null: the window or the usual time says.
	 */
	readonly retryAfterSeconds: number | null;

	constructor(code: ErrorCode, message: string, options: ErrorParts = {}) {
		super(message, options);
		this.code = code;
		this.details = options.details ?? {};
		this.retryAfterSeconds = options.retryAfterSeconds ?? null;
	}

	get status(): ErrorStatus {
		return ERROR_STATUSES[this.code];
	}
}

/** The error in the words of its table, where nothing of the request belongs into them. */
export function errorOf(code: ApiErrorCode, parts?: ErrorParts): ServiceError {
	return new ServiceError(code, ERRORS[code].says, parts);
}

/** The refusal of work that needs more credits than are available. */
export function insufficientCredits(required: number, available: number): ServiceError {
	const text = `Insufficient credits: ${required} required, ${available} available`;
	return new ServiceError('insufficient_credits', text, { details: { required, available } });
}
