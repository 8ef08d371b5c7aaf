import { MailsonarError } from '../error.ts';

/** What the process ends with. The README has the table. */
export const EXIT = {
	done: 0,
	/** `verify`: at least one address is not deliverable. */
	notDeliverable: 1,
	/** Wrong arguments, or a file that can't be used. */
	usage: 2,
	/** No key, or one that the service refuses. */
	key: 3,
	credits: 4,
	/** Not reached, or not in time: trying again later may help. */
	unavailable: 5,
	/** Refused for another reason: not found, expired, not ready. */
	refused: 6,
	/** A mistake of this program. */
	internal: 70,
	interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The person can mend it: the message says how. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
	readonly exitCode: ExitCode;

	constructor(message: string, exitCode: ExitCode = EXIT.usage) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** The exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
	if (error instanceof UsageError) return error.exitCode;
	if (error instanceof MailsonarError) return ofService(error);
	return EXIT.internal;
}

function ofService({ status, code }: MailsonarError): ExitCode {
	if (status === 401 || status === 403) return EXIT.key;
	if (status === 402) return EXIT.credits;
	if (status === null) return code === 'webhook_invalid' ? EXIT.refused : EXIT.unavailable;
	return status === 429 || status >= 500 || code === 'unexpected_response' ? EXIT.unavailable : EXIT.refused;
}
