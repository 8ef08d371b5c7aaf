import type { KnownErrorCode } from './error-codes.ts';

/** What can go wrong on this side of the network. */
export type ClientErrorCode =
	/** No answer came: the connection failed or broke. */
	| 'network_error'
	/** No answer came in time (`timeoutMs`). */
	| 'timeout'
	/** Not an answer of this API: a proxy's page, a redirect, broken JSON. */
	| 'unexpected_response'
	/** A webhook that was not signed with this secret, or at another time than it says. */
	| 'webhook_invalid';

/** A stable word for programs. An open set: a newer service may have more, so a `default` goes by `status`. */
export type ErrorCode = KnownErrorCode | ClientErrorCode | (string & {});

export type MailsonarErrorFacts = Pick<MailsonarError, 'code'> &
	Partial<Pick<MailsonarError, 'status' | 'requestId' | 'retryAfter' | 'param' | 'details'>> & {
		readonly cause?: unknown;
	};

/** Everything that goes wrong, except what the caller's own AbortSignal ended: that throws the signal's reason. */
export class MailsonarError extends Error {
	override readonly name = 'MailsonarError';
	readonly code: ErrorCode;
	/** The HTTP status; null if there was no answer. */
	readonly status: number | null;
	/** What to tell the service's people about; null if there was no answer of theirs. */
	readonly requestId: string | null;
	/** Seconds after which the same request may succeed; null if nobody said. */
	readonly retryAfter: number | null;
	/** The one field, query parameter or header that is wrong, such as `emails[3]`; null if no single one is. */
	readonly param: string | null;
	/** Further fields of the error, such as `required` and `available` of a 402. */
	readonly details: Readonly<Record<string, unknown>>;

	constructor(message: string, facts: MailsonarErrorFacts) {
		super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
		this.code = facts.code;
		this.status = facts.status ?? null;
		this.requestId = facts.requestId ?? null;
		this.retryAfter = facts.retryAfter ?? null;
		this.param = facts.param ?? null;
		this.details = facts.details ?? {};
	}
}
