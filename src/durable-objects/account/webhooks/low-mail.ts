import type { LowCredits } from '../../../core/webhooks/events.ts';

/** The account's row about low credits. Times are epoch milliseconds. */
export interface StoredLow extends LowCredits {
	/** The owner is told by mail, too. */
	readonly mails: boolean;
	/** When the mail is to be sent, or to be tried again; null: there is none to send. */
	readonly tellAt: number | null;
	readonly lowSince: number | null;
}

const TELL_AGAIN_MS = 3_600_000;
/** The mail is tried for a day. The pages say it in any case. */
const TELL_MAX_MS = 24 * 3_600_000;

/** The row after the balance has crossed the threshold: a mail for each fall, and none once it has risen again. */
export function afterCrossing(next: StoredLow, now: number): StoredLow {
	if (!next.isLow) return { ...next, tellAt: null, lowSince: null };
	return { ...next, tellAt: next.mails ? now : null, lowSince: now };
}

/** Whether the mail is due, and the row as it is written before it is sent: it is planned again in case that fails. */
export function planMail(low: StoredLow, now: number): { readonly isDue: boolean; readonly next: StoredLow } {
	if (low.tellAt === null || low.tellAt > now) return { isDue: false, next: low };
	const again = now + TELL_AGAIN_MS;
	const isLast = again > (low.lowSince ?? 0) + TELL_MAX_MS;
	return { isDue: true, next: { ...low, tellAt: isLast ? null : again } };
}
