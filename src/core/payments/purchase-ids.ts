import { sha256Hex } from '../../lib/digest.ts';

// With a space, which ids of grants from operators can't have.
const BOUGHT = 'purchase ';
const REFUNDED = 'refund ';

/** How the ids of all lines about purchases begin. */
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

/** The purchase that a line of the ledger is about; null: none. */
export function purchaseOfLine(lineId: string): string | null {
	for (const prefix of PURCHASE_LINES) if (lineId.startsWith(prefix)) return lineId.slice(prefix.length);
	return null;
}
