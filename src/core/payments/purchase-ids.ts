import { sha256Hex } from '../../lib/digest.ts';

// It has a space, which the ids of an admin's grants can't have.
const BOUGHT = 'purchase ';
const REFUNDED = 'refund ';
const HELD = 'dispute held ';
const RETURNED = 'dispute won ';
const LOST = 'dispute lost ';

/** The prefixes of the ids of ledger lines that carry a purchase's credits. */
export const PURCHASE_LINES = [BOUGHT, REFUNDED] as const;

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
