import { statusOf } from '../verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';
import type { FinalRow } from './stored-row.ts';

// Which unknown rows of a finished list may have an answer hours later. `deferral.ts` says the same of the minutes in
// which the list itself still runs.

/** `unless_permanent`: yes after a 4xx reply or none, no after a 5xx reply. */
const LATER = {
	timeout: 'yes',
	no_connect: 'yes',
	unavailable_smtp: 'unless_permanent',
	greylisted: 'yes',
	rate_limited: 'yes',
	// A block of our address ends some time.
	probe_blocked: 'yes',
	dns_error: 'yes',
	// Nobody was asked.
	no_capacity: 'yes',
	not_asked: 'yes',
	free_limit: 'yes',
	unexpected_error: 'yes',
	// Policies and habits, which are the same tomorrow.
	antispam_system: 'no',
	gateway_protected: 'no',
	catch_all_unresolved: 'no',
	tls_required: 'no',
	smtputf8_unsupported: 'no',
	accepts_everything: 'no',
	opted_out: 'no',
} as const satisfies Record<SubStatusOf<'unknown'>, 'yes' | 'unless_permanent' | 'no'>;

/** Whether asking about an address once more may bring the answer that its row lacks. */
export function mayAnswerLater(row: FinalRow): boolean {
	const [, , subStatus] = row;
	if (!isUnknown(subStatus)) return false;
	const later = LATER[subStatus];
	const replyCode = row[11];
	return later === 'unless_permanent' ? replyCode?.startsWith('5') !== true : later === 'yes';
}

function isUnknown(subStatus: SubStatus): subStatus is SubStatusOf<'unknown'> {
	return statusOf(subStatus) === 'unknown';
}
