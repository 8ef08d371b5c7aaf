import type { Outcome } from '../verification/render.ts';
import { statusOf } from '../verification/sub-status.ts';
import { DAY_MS } from '../../lib/utc-days.ts';
import { KEPT_DAYS } from './outcome.ts';
import type { OutcomeKind } from './outcome.ts';

/** The outcome of a message that this account sent to this very address. */
export interface OwnOutcome {
	readonly kind: OutcomeKind;
	/** Days since that message. */
	readonly ageDays: number;
}

/** A kept outcome as evidence at `now`, epoch milliseconds. */
export function ownOutcomeAt(
	{ kind, at }: { readonly kind: OutcomeKind; readonly at: number },
	now: number,
): OwnOutcome {
	return { kind, ageDays: Math.max(0, Math.floor((now - at) / DAY_MS)) };
}

/** The labels of the gates that rest on an own outcome. */
export const OWN_RULES: Readonly<Record<OutcomeKind, string>> = {
	hard_bounce: 'gate:own_bounce',
	delivered: 'gate:own_delivery',
};

/** Whether the rule that decided (see `Judgement`) rests on an own outcome. */
export function isOwnRule(label: string | null): boolean {
	return label !== null && Object.values(OWN_RULES).includes(label);
}

/** One sentence for people, without a full stop. */
export const OWN_OUTCOME_TEXTS: Readonly<Record<OutcomeKind, string>> = {
	hard_bounce: 'A message of yours to this address bounced in the last half year',
	delivered: 'A message of yours to this address was delivered in the last three months',
};

/**
 * Whether the outcome is young enough to decide. A domain that is disposable or one slip from a large provider's
 * accepts mail for every address, so a delivery there proves nothing.
 */
export function decides({ kind, ageDays }: OwnOutcome, isDoubtfulDomain: boolean): boolean {
	return ageDays <= KEPT_DAYS[kind] && (kind === 'hard_bounce' || !isDoubtfulDomain);
}

/**
 * Applies the account's own outcome to a result without a score; null: the result stays. An earlier delivery does not
 * outweigh evidence that no mail can arrive now. Every other result gives way, even an `unknown`.
 */
export function overrule(outcome: Outcome, own: OwnOutcome, isDoubtfulDomain: boolean): Outcome | null {
	const wanted = own.kind === 'delivered' ? 'deliverable' : 'undeliverable';
	const status = statusOf(outcome.subStatus);
	if (status === wanted || status === 'undeliverable' || !decides(own, isDoubtfulDomain)) return null;
	const subStatus = own.kind === 'delivered' ? 'accepted_email' : 'rejected_email';
	return { ...outcome, subStatus, ...shownAsOwn(own) };
}

/** The fields of a result that say why it was decided by the account's own message. */
export function shownAsOwn({ kind }: OwnOutcome): Pick<Outcome, 'method' | 'replyCode'> & { note: string } {
	const text = OWN_OUTCOME_TEXTS[kind];
	return {
		method: 'list',
		replyCode: null,
		note: kind === 'delivered' ? text : `Mailbox does not exist. ${text}`,
	};
}
