import { DAY_MS } from '../../lib/utc-days.ts';

/** The outcome of a message that an account sent to an address. */
export const OUTCOME_KINDS = ['delivered', 'hard_bounce'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/**
 * For how many days after the message an outcome is kept, and decides. People leave sooner than dead mailboxes are
 * revived.
 */
export const KEPT_DAYS: Readonly<Record<OutcomeKind, number>> = { delivered: 90, hard_bounce: 180 };

/** A reported outcome. */
export interface ToldOutcome {
	readonly kind: OutcomeKind;
	/** When the message was sent or bounced, epoch milliseconds. */
	readonly at: number;
	/** False: the caller gave no time, and `at` is that of the report. */
	readonly isDated: boolean;
}

/** The time (epoch ms) at which the outcome is deleted. */
export function endOf({ kind, at }: Pick<ToldOutcome, 'kind' | 'at'>): number {
	return at + KEPT_DAYS[kind] * DAY_MS;
}

/**
 * Whether a reported outcome replaces the known one. The newest wins; at the same time the bounce wins, whatever
 * their order. The same outcome without a date within a day is a repeated report.
 */
export function replaces(told: ToldOutcome, known: Pick<ToldOutcome, 'kind' | 'at'> | null): boolean {
	if (known === null) return true;
	if (told.at === known.at) return told.kind === 'hard_bounce' && known.kind !== 'hard_bounce';
	if (told.at < known.at) return false;
	return told.kind !== known.kind || told.isDated || told.at - known.at >= DAY_MS;
}
