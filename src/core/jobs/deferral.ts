import { statusOf } from '../verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';

// Which answers a later attempt of a bulk job may better. An attempt is the whole question again, with the same
// envelope (HELO name and sender belong to the egress) through the same egress, which follows from the domain alone
// (`orderForDomain` in egress/egress.ts) and so needs no memory here. Greylisting knows us by these three.

/** `unless_permanent`: yes after a reply of 4xx or none at all, no after one of 5xx. */
type Retry = 'yes' | 'unless_permanent' | 'no';

const RETRIES = {
	// The server said itself that it will let the same caller in later (RFC 6647 §2).
	greylisted: 'yes',
	// It answers when asked more slowly, and the pause is what it asked for.
	rate_limited: 'yes',
	// A 4xx is "try again" (RFC 5321 §4.2.1); a closed connection (often a 421 that was cut off) and a sudden run of
	// "no such user" that is in doubt have no reply. A refused relay (5xx) refuses tomorrow as well.
	unavailable_smtp: 'unless_permanent',

	// Asking again from a listed address deepens the block: the pause of the mail host ends it, not we.
	probe_blocked: 'no',
	// It has cost a whole budget already. Servers that are slow now are slow in 15 minutes, and hold up the others.
	timeout: 'no',
	// Up to three hosts were dialled, two addresses each. Dead hosts stay dead, and each costs seconds.
	no_connect: 'no',
	// Policies of people, not conditions that pass.
	antispam_system: 'no',
	gateway_protected: 'no',
	tls_required: 'no',
	smtputf8_unsupported: 'no',
	accepts_everything: 'no',
	// The deep check has weighed what there is; a catch-all task may weigh more.
	catch_all_unresolved: 'no',
	// The domain's own name servers. Our resolver being out is another matter: it defers without using up an attempt.
	dns_error: 'no',
	// It waited for our own capacity as long as its job may last, or was one address that nobody lets wait.
	no_capacity: 'no',
	// Our mistake, which we would repeat.
	unexpected_error: 'no',
} as const satisfies Record<SubStatusOf<'unknown'>, Retry>;

// The spec promises these jobs within 30 s, conversations included.
export const SMALL_JOB_BELOW = 50;
const SMALL_JOB_DELAYS_MS = [3_000, 8_000] as const;

/** Whether a bulk job asks about an address again after this answer, if it has an attempt left. */
export function isWorthRetrying(subStatus: SubStatus, replyCode: string | null): boolean {
	if (!isUnknown(subStatus)) return false;
	switch (RETRIES[subStatus]) {
		case 'yes':
			return true;
		case 'no':
			return false;
		case 'unless_permanent':
			return replyCode === null || replyCode.startsWith('4');
	}
}

/**
 * Pauses before the second and every later attempt of a job. They are fixed when the job is opened.
 *
 * @param configuredMs what the operator set for all but small jobs
 */
export function retryDelaysMs(accepted: number, configuredMs: readonly number[]): readonly number[] {
	return accepted < SMALL_JOB_BELOW ? SMALL_JOB_DELAYS_MS : configuredMs;
}

function isUnknown(subStatus: SubStatus): subStatus is SubStatusOf<'unknown'> {
	return statusOf(subStatus) === 'unknown';
}
