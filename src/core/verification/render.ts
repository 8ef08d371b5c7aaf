import { actionOf, scoreWithin, retryAfterOf, statusOf, SUB_STATUSES, verdictOf } from './sub-status.ts';
import type { CatchAllVerdict, SubStatus } from './sub-status.ts';
import { assert } from '../../lib/assert.ts';
import type { Address } from '../address/parse-address.ts';
import { isGibberish } from '../catchall/mailbox/letters.ts';
import type { Evidence } from './evidence.ts';
import { isDisposable, isFreeProvider, isNoReply, isPrivacyRelay, isRole } from '../lists/domain-kinds.ts';
import { suggestDomain } from '../lists/typos.ts';
import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import { findMailOperator, canonicalEmail, publicMailOf } from '../mail-operators/operators.ts';
import type { MailOperator } from '../mail-operators/operators.ts';

export const RISK_LEVELS = ['low', 'medium', 'high'] as const;

export const VALIDATION_METHODS = ['smtp', 'dns', 'list'] as const;
export type ValidationMethod = (typeof VALIDATION_METHODS)[number];

/**
 * The result for one address: the `data` of POST /v1/verify and a row of a bulk job's results. What each field says to
 * callers: `http/schemas/verification.ts`.
 */
export type VerificationResult = ReturnType<typeof renderResult> & {
	/** The address, where the caller sent it with a name or `mailto:`. */
	read_as?: string | undefined;
	/** The steps that led to it; only where they are asked for. */
	evidence?: readonly Evidence[] | undefined;
};

const USUAL = {
	deliverable: { score: 97, risk: 'low' },
	undeliverable: { score: 2, risk: 'high' },
	risky: { score: 50, risk: 'medium' },
	unknown: { score: 50, risk: 'medium' },
} as const;
const OWN: Readonly<Partial<Record<SubStatus, Rating>>> = {
	disposable: { score: 5, risk: 'high' },
	mailbox_full: { score: 40, risk: 'medium' },
	possible_typo: { score: 25, risk: 'high' },
};
/** `score`: 0-100, whole. */
type Rating = Readonly<{ score: number; risk: (typeof RISK_LEVELS)[number] }>;

/**
 * Score and risk of an outcome: status and sub_status in a form that can be sorted. They never contradict the status.
 *
 * @param flagged a sender should consider more than the status: a flag (role, no-reply or disposable), or `isUnproven`
 * @param catchAllScore the score of the deep check on a catch-all domain, 0-100, which is then the score. A list's row
 * keeps its status whatever a later task finds, so there the score stays the nearest one of that status.
 */
export function rate(subStatus: SubStatus, flagged: boolean, catchAllScore: number | null): Rating {
	assert(catchAllScore === null || Number.isInteger(catchAllScore), 'a catch-all score is whole');
	const status = statusOf(subStatus);
	const usual = OWN[subStatus] ?? USUAL[status];
	// A full mailbox or a slip says more than the domain.
	if (status === 'risky' && usual !== USUAL.risky) return usual;
	if (catchAllScore !== null) return { ...usual, score: scoreWithin(status, catchAllScore) };
	return flagged && status === 'deliverable' ? { score: 90, risk: 'medium' } : usual;
}

/** Looks an address up in our lists, without any network request. */
export function listFacts({ localPart, domain }: Address, disposable = isDisposable(domain)) {
	return {
		freeEmail: isFreeProvider(domain),
		roleAccount: isRole(localPart),
		disposable,
		noReply: isNoReply(localPart),
		/** The large provider's domain that was probably meant, or null. */
		suggestedDomain: suggestDomain(domain),
	};
}
export type ListFacts = Readonly<ReturnType<typeof listFacts>>;

/** All findings about one address. */
export interface Outcome {
	readonly subStatus: SubStatus;
	readonly method: ValidationMethod;
	readonly catchAll: boolean | null;
	/** 0-100, whole; the verdict follows from it. Null: no deep check ran. */
	readonly catchAllScore: number | null;
	/** The MX host of best preference; null without MX. */
	readonly mxRecord: string | null;
	/** The domain itself where it is its own mail host (implicit MX). */
	readonly implicitMx: string | null;
	readonly smtpProvider: string | null;
	readonly gateway: string | null;
	/** Code and enhanced status of the deciding reply, e.g. `550 5.1.1`. */
	readonly replyCode: string | null;
	/** When another question is worth it, where that is known better than for the sub_status as a whole. */
	readonly retryAfterSeconds?: number | null;
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

/** The result's fields about the mail hosts, which do not depend on their replies. */
export function serverOf(
	route: MailRoute,
	operator: MailOperator | null,
): Pick<Outcome, 'mxRecord' | 'implicitMx' | 'smtpProvider' | 'gateway'> {
	const [best = null] = route.kind === 'hosts' ? route.hosts : [];
	const isImplicit = route.kind === 'hosts' && route.implicit;
	return {
		mxRecord: isImplicit ? null : best,
		implicitMx: isImplicit ? best : null,
		smtpProvider: operator?.smtpProvider ?? null,
		gateway: operator?.gateway ?? null,
	};
}

/** The result as returned to callers. `now` is epoch milliseconds. */
export function renderResult(address: Address, lists: ListFacts, outcome: Outcome, now: number) {
	const { subStatus, catchAllScore } = outcome;
	const status = statusOf(subStatus);
	const flagged =
		lists.roleAccount || lists.noReply || lists.disposable || isUnproven(address.domain, outcome);
	const rating = rate(subStatus, flagged, catchAllScore);
	// Present exactly when `attributes.catch_all` is true and the deep check ran.
	const scored: { catch_all_score?: number | undefined; catch_all_verdict?: CatchAllVerdict | undefined } =
		catchAllScore === null
			? {}
			: { catch_all_score: catchAllScore, catch_all_verdict: verdictOf(catchAllScore) };
	const retryAfter = outcome.retryAfterSeconds ?? retryAfterOf(subStatus, outcome.replyCode, now);
	return {
		email: address.email,
		is_valid: status === 'deliverable',
		status,
		risk_level: rating.risk,
		deliverability_score: rating.score,
		action: actionOf(status, retryAfter),
		did_you_mean: lists.suggestedDomain === null ? null : `${address.localPart}@${lists.suggestedDomain}`,
		canonical_email: canonicalEmail(address, outcome.smtpProvider),
		retry_after: retryAfter,
		details: {
			general: { domain: address.domain, reason: reasonOf(outcome), validation_method: outcome.method },
			attributes: {
				free_email: lists.freeEmail,
				role_account: lists.roleAccount,
				disposable: lists.disposable,
				catch_all: outcome.catchAll,
				has_plus_tag: address.hasPlusTag,
				mailbox_full: isFull(outcome),
				no_reply: lists.noReply,
				privacy_relay: isPrivacyRelay(address.domain),
				gibberish: isGibberish(address.localPart),
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
		...scored,
	};
}

/**
 * Whether the server accepted the address and gave no answer about an invented recipient: it may accept everybody. At an
 * operator's own domains no customer can set up a catch-all. Consumer Outlook is not asked, since it minds a second
 * recipient. An acceptance by a 4xx ("receives too much mail") is about the mailbox itself.
 */
function isUnproven(domain: string, { subStatus, catchAll, replyCode, mxRecord }: Outcome): boolean {
	if (subStatus !== 'accepted_email' || catchAll !== null || replyCode?.startsWith('2') !== true)
		return false;
	const operator = mxRecord === null ? null : findMailOperator([mxRecord]);
	const isKnown = operator?.ownDomainsOnly === true || operator?.perTransaction === 1;
	return !isKnown && publicMailOf(domain) === null;
}

function reasonOf({ subStatus, replyCode, note }: Outcome): string {
	const { reason } = SUB_STATUSES[subStatus];
	if (note !== undefined) return note;
	if (replyCode === null || statusOf(subStatus) === 'deliverable') return reason;
	return `${reason}. The mail server replied ${replyCode}`;
}

function isFull({ subStatus, method }: Outcome): boolean | null {
	if (subStatus === 'mailbox_full') return true;
	if (subStatus === 'possible_typo') return method === 'smtp' ? false : null;
	return subStatus === 'accepted_email' ? false : null;
}
