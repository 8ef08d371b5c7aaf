import type { MailOperator } from '../mail-operators/find-operator.ts';
import { unknownOf } from '../verification/sub-status.ts';
import type { Retry, SubStatus } from '../verification/sub-status.ts';

// Which answers a later attempt of a bulk job may improve. An attempt repeats the whole question, with the same HELO
// name and sender (they belong to the egress) through the same egress, which the domain alone determines
// (`orderByRendezvous` in egress/rendezvous.ts) and need not be stored. Greylisting recognises us by these three.

// The spec promises these jobs within 30 s, conversations included.
export const SMALL_JOB_BELOW = 50;
const SMALL_JOB_DELAYS_MS = [3_000, 8_000] as const;

/** Whether an address is asked about again. `afterMs`: then, and not after the job's own pause. */
export type Again = 'no' | { readonly afterMs: number | null };

/** What an answer was, and who gave it. */
interface Answer {
	readonly subStatus: SubStatus;
	readonly replyCode: string | null;
	/** Who runs the mail host; null: nobody we know. */
	readonly operator: Pick<MailOperator, 'slowestReplyMs' | 'askAgainAfterMs'> | null;
	/** The job is promised within half a minute: it has no time for an operator's own pace. */
	readonly isSmall: boolean;
}

/** Whether, and when, a bulk job asks about an address again after this answer, if the address has an attempt left. */
export function askedAgainAfter({ subStatus, replyCode, operator, isSmall }: Answer): Again {
	const retry = unknownOf(subStatus)?.retry ?? 'no';
	if (!isWorthRetrying(retry, replyCode, isSmall ? null : operator)) return 'no';
	const isLetIn = subStatus === 'greylisted' && !isSmall;
	return { afterMs: isLetIn ? (operator?.askAgainAfterMs ?? null) : null };
}

function isWorthRetrying(retry: Retry, replyCode: string | null, operator: Answer['operator']): boolean {
	switch (retry) {
		case 'yes':
			return true;
		case 'no':
			return false;
		case 'where_slow':
			return (operator?.slowestReplyMs ?? null) !== null;
		case 'unless_permanent':
			return replyCode === null || replyCode.startsWith('4');
	}
}

/**
 * How long an address may be asked about, in milliseconds: a list waits for a slow operator's reply on top of the usual
 * time. A caller does not, and a small job is promised within half a minute.
 */
export function conversationMs(
	urgency: 'single' | 'small' | 'list',
	operator: Pick<MailOperator, 'slowestReplyMs'> | null,
	usualMs: number,
): number {
	return urgency === 'list' ? usualMs + (operator?.slowestReplyMs ?? 0) : usualMs;
}

/**
 * Pauses before the second and every later attempt of a job. They are fixed when the job is opened.
 *
 * @param configuredMs the operator's setting, for all but small jobs
 */
export function retryDelaysMs(accepted: number, configuredMs: readonly number[]): readonly number[] {
	return accepted < SMALL_JOB_BELOW ? SMALL_JOB_DELAYS_MS : configuredMs;
}
