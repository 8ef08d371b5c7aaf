import type { Address } from '../address/parse-address.ts';
import { rate } from './rate.ts';
import type { CatchAllVerdict, ValidationMethod, VerificationResult } from './result.ts';
import { SUB_STATUSES, statusOf } from './sub-status.ts';
import type { SubStatus } from './sub-status.ts';

/** The lists' facts about an address, found without any network request. */
export interface ListFacts {
	readonly freeEmail: boolean;
	readonly roleAccount: boolean;
	readonly disposable: boolean;
	readonly noReply: boolean;
	/** The large provider's domain that was probably meant, or null. */
	readonly suggestedDomain: string | null;
}

/** All findings about one address. */
export interface Outcome {
	readonly subStatus: SubStatus;
	readonly method: ValidationMethod;
	readonly catchAll: boolean | null;
	/** Present on a catch-all domain whose deep check ran. */
	readonly catchAllScore: { readonly score: number; readonly verdict: CatchAllVerdict } | null;
	/** The MX host of best preference; null without MX. */
	readonly mxRecord: string | null;
	/** The domain itself where it is its own mail host (implicit MX). */
	readonly implicitMx: string | null;
	readonly smtpProvider: string | null;
	readonly gateway: string | null;
	/** Code and enhanced status of the deciding reply, e.g. `550 5.1.1`. */
	readonly replyCode: string | null;
	/** Replaces the sub_status's usual reason where that would be wrong. */
	readonly note?: string;
}

/** An outcome with no other details than its sub_status. */
export function decidedBy(method: Outcome['method'], subStatus: SubStatus): Outcome {
	return {
		subStatus,
		method,
		catchAll: null,
		catchAllScore: null,
		mxRecord: null,
		implicitMx: null,
		smtpProvider: null,
		gateway: null,
		replyCode: null,
	};
}

/** The result as returned to callers. `now` is epoch milliseconds. */
export function renderResult(
	address: Address,
	lists: ListFacts,
	outcome: Outcome,
	now: number,
): VerificationResult {
	const { subStatus, catchAllScore } = outcome;
	const status = statusOf(subStatus);
	const flagged = lists.roleAccount || lists.noReply || lists.disposable;
	const rating = rate(subStatus, flagged, catchAllScore?.score ?? null);
	return {
		email: address.email,
		is_valid: status === 'deliverable',
		status,
		risk_level: rating.risk,
		deliverability_score: rating.score,
		did_you_mean: lists.suggestedDomain === null ? null : `${address.localPart}@${lists.suggestedDomain}`,
		details: {
			general: { domain: address.domain, reason: reasonOf(outcome), validation_method: outcome.method },
			attributes: {
				free_email: lists.freeEmail,
				role_account: lists.roleAccount,
				disposable: lists.disposable,
				catch_all: outcome.catchAll,
				has_plus_tag: address.hasPlusTag,
				mailbox_full: isFull(subStatus),
				no_reply: lists.noReply,
			},
			mail_server: {
				smtp_provider: outcome.smtpProvider,
				mx_record: outcome.mxRecord,
				implicit_mx: outcome.implicitMx,
				gateway: outcome.gateway,
			},
			sub_status: subStatus,
		},
		verified_at: new Date(now).toISOString(),
		...(catchAllScore === null
			? {}
			: { catch_all_score: catchAllScore.score, catch_all_verdict: catchAllScore.verdict }),
	};
}

function reasonOf({ subStatus, replyCode, note }: Outcome): string {
	const { reason } = SUB_STATUSES[subStatus];
	if (note !== undefined) return note;
	if (replyCode === null || statusOf(subStatus) === 'deliverable') return reason;
	return `${reason}. The mail server replied ${replyCode}`;
}

function isFull(subStatus: SubStatus): boolean | null {
	if (subStatus === 'mailbox_full') return true;
	return subStatus === 'accepted_email' || subStatus === 'possible_typo' ? false : null;
}
