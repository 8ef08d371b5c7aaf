import type { MailOperator } from '../mail-operators/operators.ts';
import { retryAfterOf, rowOf } from '../verification/sub-status.ts';
import type { SubStatus } from '../verification/sub-status.ts';
import type { FinalRow } from './stored-row.ts';

// Decides which answers a later attempt of a bulk job may improve. Greylisting recognises us by egress address, HELO
// name and sender. Every attempt uses the same three, because the domain alone determines the egress
// (`orderByRendezvous` in egress/ways.ts), and the egress the other two.

// The spec promises these jobs within 30 s, conversations included.
export const SMALL_JOB_BELOW = 50;
const SMALL_JOB_DELAYS_MS = [3_000, 8_000] as const;

/** An answer, and the operator that gave it. */
interface Answer {
	readonly subStatus: SubStatus;
	readonly replyCode: string | null;
	/** The operator of the mail host; null: unknown. */
	readonly operator: Pick<MailOperator, 'slowestReplyMs'> | null;
	/** The job must end within half a minute, so it can't wait for an operator's own pace. */
	readonly isSmall: boolean;
}

/** Whether a bulk job asks about an address again after this answer, if the address has an attempt left. */
export function isAskedAgain({ subStatus, replyCode, operator, isSmall }: Answer): boolean {
	switch (rowOf(subStatus).retry) {
		case 'yes':
			return true;
		case 'where_slow':
			return !isSmall && operator?.slowestReplyMs !== undefined;
		case 'unless_permanent':
			return replyCode === null || replyCode.startsWith('4');
		case undefined:
			return false;
	}
}

// So that an operator's budget of a minute reaches one part of a list, and not a few addresses of each: an attempt that is
// stored costs as much for ten answers as for a hundred. A domain with few addresses is soon asked.
const BACKLOG_MS = 90_000;
const MANY = 20;

/**
 * The time limit for a question about `count` addresses, in milliseconds. A list also waits for a slow operator's reply,
 * or for its turns at an operator where it has many addresses. A single call and a small job, which must end within half
 * a minute, don't.
 */
export function conversationMs(
	urgency: 'single' | 'small' | 'list',
	operator: { readonly slowestReplyMs?: number | undefined } | null,
	{ usualMs, count }: { readonly usualMs: number; readonly count: number },
): number {
	if (urgency !== 'list' || operator === null) return usualMs;
	return usualMs + (operator.slowestReplyMs ?? (count < MANY ? 0 : BACKLOG_MS));
}

/**
 * Pauses before the second and every later attempt of a job. They are fixed when the job is opened.
 *
 * @param configuredMs the configured pauses, for all but small jobs
 */
export function retryDelaysMs(accepted: number, configuredMs: readonly number[]): readonly number[] {
	return accepted < SMALL_JOB_BELOW ? SMALL_JOB_DELAYS_MS : configuredMs;
}

/** Whether asking about an unknown address of a finished list again, hours later, may bring an answer. */
export function mayAnswerLater(row: FinalRow): boolean {
	return row[2] === 'not_asked' || retryAfterOf(row[2], row[11], row[13]) !== null;
}
