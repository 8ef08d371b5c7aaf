import { DAY_MS } from '../../lib/utc-days.ts';

/** What became of a message that an account sent to an address. */
export const OUTCOME_KINDS = ['delivered', 'hard_bounce'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/** For how many days after the message an outcome is kept, and decides. People leave sooner than mailboxes come back. */
export const KEPT_DAYS: Readonly<Record<OutcomeKind, number>> = { delivered: 90, hard_bounce: 180 };

/** An outcome as it was told. */
export interface ToldOutcome {
	readonly kind: OutcomeKind;
	/** When the message was sent or bounced, epoch milliseconds. */
	readonly at: number;
	/** False: the caller gave no time, and `at` is that of the report. */
	readonly isDated: boolean;
}

/** From when on (epoch ms) the outcome is gone. */
export function endOf({ kind, at }: Pick<ToldOutcome, 'kind' | 'at'>): number {
	return at + KEPT_DAYS[kind] * DAY_MS;
}

/**
 * Whether a told outcome replaces the known one: the newest wins, and of two at the same time the bounce, whatever their
 * order. The same outcome without a date within a day is the same report, sent again.
 */
export function replaces(told: ToldOutcome, known: Pick<ToldOutcome, 'kind' | 'at'> | null): boolean {
	if (known === null) return true;
	if (told.at === known.at) return told.kind === 'hard_bounce' && known.kind !== 'hard_bounce';
	if (told.at < known.at) return false;
	return told.kind !== known.kind || told.isDated || told.at - known.at >= DAY_MS;
}
