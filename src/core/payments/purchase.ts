import { sha256Hex } from '../../lib/digest.ts';
import type { Money } from './packs.ts';
import { DAY_MS } from '../../lib/time.ts';

// It has a space, which the ids of an admin's grants can't have.
const BOUGHT = 'purchase ';
const REFUNDED = 'refund ';
const HELD = 'dispute held ';
const RETURNED = 'dispute won ';
const LOST = 'dispute lost ';

/** The id of a purchase: the same form sent twice for the same pack is one purchase. */
export function purchaseIdOf(accountId: string, formId: string, credits: number): string {
	return `pur_${sha256Hex(`purchase ${accountId} ${formId} ${credits}`).slice(0, 24)}`;
}

/** The id of a purchase in untrusted input; null: it is none. */
export function readPurchaseId(text: unknown): string | null {
	return typeof text === 'string' && /^pur_[0-9a-f]{24}$/.test(text) ? text : null;
}

/** The id of the grant for a purchase, however often the purchase is reported. */
export function grantIdOf(purchaseId: string): string {
	return BOUGHT + purchaseId;
}

/** The id of the withdrawal after a refund. */
export function refundIdOf(purchaseId: string): string {
	return REFUNDED + purchaseId;
}

/** The id of the withdrawal while a purchase is disputed. */
export function heldIdOf(purchaseId: string): string {
	return HELD + purchaseId;
}

/** The id of the grant that returns the held credits. */
export function returnedIdOf(purchaseId: string): string {
	return RETURNED + purchaseId;
}

/** The id of the withdrawal, after a lost dispute, of credits that could not be held. */
export function lostIdOf(purchaseId: string): string {
	return LOST + purchaseId;
}

/** Parses the id of a ledger line about a purchase; null: it is about none. */
export function readPurchaseLine(lineId: string): {
	readonly purchaseId: string;
	readonly what: 'bought' | 'refunded' | 'held' | 'returned' | 'lost';
} | null {
	for (const [prefix, what] of LINES)
		if (lineId.startsWith(prefix)) return { purchaseId: lineId.slice(prefix.length), what };
	return null;
}

const LINES = [
	[BOUGHT, 'bought'],
	[REFUNDED, 'refunded'],
	[HELD, 'held'],
	[RETURNED, 'returned'],
	[LOST, 'lost'],
] as const;

/**
 * The states of a purchase. A later state can follow an earlier one, never the reverse: of two concurrent requests,
 * the one that asked the provider earlier overwrites nothing. `open`: not paid yet. `ended`: it never will be.
 * `paid`: the credits are granted. `disputed`: the payer objects at the bank, and the credits are held.
 * `dispute_won`: the credits are returned. `dispute_lost`: unspent credits are gone. `review`: paid or refunded in a
 * way that a person has to judge. `refunded`: fully refunded, and the credits withdrawn.
 */
export const PURCHASE_STATES = [
	'open',
	'ended',
	'paid',
	'disputed',
	'dispute_won',
	'dispute_lost',
	'review',
	'refunded',
] as const;

export type PurchaseState = (typeof PURCHASE_STATES)[number];

/** A checkout as the payment provider reports it. */
export interface CheckoutSession {
	readonly id: string;
	/** `open`: it can still be paid. `complete`: the payer finished it, though the money may be on its way. */
	readonly status: 'open' | 'complete' | 'expired';
	readonly isPaid: boolean;
	/** The amount that was, or has to be, paid. */
	readonly total: Money;
	/** The payment's id; null: there is none yet. */
	readonly paymentId: string | null;
	/** The refunded part of it, in the currency's smallest unit. */
	readonly refunded: number;
	/** The payer's objection to the payment at the bank (a chargeback), and its outcome for us. */
	readonly dispute: 'none' | 'open' | 'won' | 'lost';
	/** The payment failed, though the payer finished the checkout. */
	readonly hasFailed: boolean;
	/** The provider's receipt for the payer. */
	readonly receiptUrl: string | null;
}

/** The consequence of a checkout for the promised credits. */
export type SessionVerdict =
	/** Not paid, but it may still be. */
	| 'wait'
	/** Paid as agreed. */
	| 'grant'
	/** It will never be paid. */
	| 'end'
	/** Paid, and disputed. */
	| 'hold'
	/** Paid, disputed and kept. */
	| 'give_back'
	/** Paid, and taken back by the payer's bank. */
	| 'lose'
	/** Paid, and fully refunded. */
	| 'take_back'
	/** A case that only a person can judge: another amount, or a partial refund. */
	| 'review';

/** Compares a checkout with the agreed price: it grants nothing for another amount or in another currency. */
export function judgeSession(session: CheckoutSession, agreed: Money): SessionVerdict {
	if (!session.isPaid) return session.status === 'expired' || session.hasFailed ? 'end' : 'wait';
	const { amount, currency } = session.total;
	if (amount !== agreed.amount || currency !== agreed.currency) return 'review';
	if (session.dispute === 'open') return 'hold';
	if (session.dispute === 'lost') return 'lose';
	if (session.refunded === 0) return session.dispute === 'won' ? 'give_back' : 'grant';
	return session.refunded >= amount ? 'take_back' : 'review';
}

/** We ask about an open purchase each day until this age: a bank may take two weeks for a payment. */
export const ASKED_UNTIL_MS = 21 * DAY_MS;
