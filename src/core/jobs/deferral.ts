import type { MailOperator } from '../mail-operators/find-operator.ts';
import { statusOf } from '../verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';

// Which answers a later attempt of a bulk job may improve. An attempt repeats the whole question, with the same HELO
// name and sender (they belong to the egress) through the same egress, which the domain alone determines
// (`orderByRendezvous` in egress/rendezvous.ts) and need not be stored. Greylisting recognises us by these three.

/**
 * `unless_permanent`: yes after a 4xx reply or none, no after a 5xx reply. `where_slow`: yes at an operator that is known
 * to take its time.
 */
type Retry = 'yes' | 'unless_permanent' | 'where_slow' | 'no';

const RETRIES = {
	// The server accepts the same client after a while (RFC 6647 §2).
	greylisted: 'yes',
	// The server asked us to slow down, which the pause does.
	rate_limited: 'yes',
	// A 4xx means "try again" (RFC 5321 §4.2.1). Two cases have no reply: a closed connection (often after a lost 421)
	// and a sudden run of "no such user" that is in doubt. A server that refuses to relay (5xx) will refuse again.
	unavailable_smtp: 'unless_permanent',

	// Asking again from a listed IP address prolongs the block; only a pause towards the mail host ends it.
	probe_blocked: 'no',
	// The server has used up a whole budget. It is likely as slow in 15 minutes, and delays the other addresses; but one
	// that asks a server behind it has that server's answer by then.
	timeout: 'where_slow',
	// Up to three hosts were dialled, at two addresses each. Dead hosts stay dead, and each attempt takes seconds.
	no_connect: 'no',
	// Policies, which do not pass by themselves.
	antispam_system: 'no',
	gateway_protected: 'no',
	tls_required: 'no',
	smtputf8_unsupported: 'no',
	accepts_everything: 'no',
	// The deeper check has weighed all evidence; a catch-all task may find more.
	catch_all_unresolved: 'no',
	// Whether it may pass depends on what failed, and whose fault it was: operations/jobs/steps/whose-fault.ts decides.
	dns_error: 'no',
	// It waited for our own capacity as long as its job may last, or was asked in a single call, which can't wait.
	no_capacity: 'no',
	// A list waits for the next day like for our capacity; a small job and a caller can't.
	free_limit: 'no',
	// A wish, which is not withdrawn within a job.
	opted_out: 'no',
	// Its job was finished early, and asks nobody any more.
	not_asked: 'no',
	// A bug of ours, which would occur again.
	unexpected_error: 'no',
} as const satisfies Record<SubStatusOf<'unknown'>, Retry>;

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
	if (!isUnknown(subStatus) || !isWorthRetrying(RETRIES[subStatus], replyCode, isSmall ? null : operator))
		return 'no';
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

function isUnknown(subStatus: SubStatus): subStatus is SubStatusOf<'unknown'> {
	return statusOf(subStatus) === 'unknown';
}
