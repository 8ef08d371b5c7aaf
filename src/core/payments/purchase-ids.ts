import { sha256Hex } from '../../lib/digest.ts';

// With a space, which ids of grants from operators can't have.
const BOUGHT = 'purchase ';
const REFUNDED = 'refund ';
const HELD = 'dispute held ';
const RETURNED = 'dispute won ';
const LOST = 'dispute lost ';

/** How the ids of lines about purchases begin whose credits are those of the purchase. */
export const PURCHASE_LINES = [BOUGHT, REFUNDED] as const;

/** The id of a purchase: the same form sent twice for the same pack is one purchase. */
export function purchaseIdOf(accountId: string, formId: string, credits: number): string {
	return `pur_${sha256Hex(`purchase ${accountId} ${formId} ${credits}`).slice(0, 24)}`;
}

/** The id of a purchase in what somebody else says; null: it is none. */
export function readPurchaseId(said: unknown): string | null {
	return typeof said === 'string' && /^pur_[0-9a-f]{24}$/.test(said) ? said : null;
}

/** The id of the grant that a purchase leads to, however often it is told of. */
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

/** The id of the grant that gives back what was held. */
export function returnedIdOf(purchaseId: string): string {
	return RETURNED + purchaseId;
}

/** The id of the withdrawal of what could not be held, after a dispute that was lost. */
export function lostIdOf(purchaseId: string): string {
	return LOST + purchaseId;
}

/** What a line about a purchase says, and of which purchase; null: the line is about none. */
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
