import { findMailOperator } from '../mail-operators/find-operator.ts';
import { publicMailOf } from '../mail-operators/public-mail.ts';
import type { SubStatus } from './sub-status.ts';

/**
 * Whether the server accepted the address and said nothing about an invented recipient, so that it may accept everybody.
 * Not where no mailbox can be a catch-all's: at an operator's own domains, and at consumer Outlook, which minds a second
 * recipient and is not asked about one. Nor where the reply is about the mailbox itself: a 4xx that only its owner gets.
 */
export function isUnproven(
	domain: string,
	outcome: {
		readonly subStatus: SubStatus;
		readonly catchAll: boolean | null;
		readonly replyCode: string | null;
		readonly mxRecord: string | null;
	},
): boolean {
	const { subStatus, catchAll, replyCode, mxRecord } = outcome;
	if (subStatus !== 'accepted_email' || catchAll !== null || replyCode?.startsWith('2') !== true)
		return false;
	const operator = mxRecord === null ? null : findMailOperator([mxRecord]);
	const isKnown = operator?.ownDomainsOnly === true || operator?.perTransaction === 1;
	return !isKnown && publicMailOf(domain) === null;
}
