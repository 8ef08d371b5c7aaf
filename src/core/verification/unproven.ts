import { findMailOperator } from '../mail-operators/find-operator.ts';
import { publicMailOf } from '../mail-operators/public-mail.ts';
import type { SubStatus } from './sub-status.ts';

/**
 * Whether the server accepted the address and gave no answer about an invented recipient: it may accept everybody. At an
 * operator's own domains no customer can set up a catch-all. Consumer Outlook is not asked, since it minds a second
 * recipient. An acceptance by a 4xx ("receives too much mail") is about the mailbox itself.
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
