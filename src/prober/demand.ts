import { shareOf } from '../core/politeness/allowance.ts';
import type { Budget } from '../core/politeness/budget.ts';
import { burstOf } from '../core/politeness/rate-meter.ts';
import type { QuestionClass } from '../engine/question.ts';
import { RANK } from './places.ts';

// A conversation with fewer recipients than five seconds' worth costs more connections than it saves time.
const BATCHES_A_MINUTE = 12;
// Then the connection is somebody else's: a list of thousands must not keep one address waiting.
const RECIPIENTS_PER_TURN = 60;

/** What somebody wants of a budget when the turn comes. All but `rank` and `urgent` are recipients. */
export interface Demand {
	readonly rank: number;
	readonly urgent: boolean;
	/** One target, with those who are invented. */
	readonly few: number;
	readonly least: number;
	readonly most: number;
	/** What a turn is likely to take. */
	readonly recipients: number;
}

/** @param wish `atOnce`: how many targets one conversation asks about; `beside`: invented recipients */
export function demandOf(
	wish: {
		readonly class: QuestionClass;
		readonly targets: number;
		readonly atOnce: number;
		readonly beside: number;
	},
	budget: Budget,
): Demand {
	const { targets, atOnce, beside } = wish;
	const urgent = wish.class === 'single';
	const asked = Math.min(targets, atOnce, RECIPIENTS_PER_TURN);
	const most = Math.min(asked + beside, budget.recipientsPerConnection);
	const few = Math.min(most, beside + 1);
	const batch = urgent ? 1 : Math.ceil(shareOf(budget.recipientsPerMinute, false) / BATCHES_A_MINUTE);
	const least = Math.min(most, Math.max(few, batch));
	const recipients = Math.min(most, Math.max(least, burstOf(shareOf(budget.recipientsPerMinute, urgent))));
	return { rank: RANK[wish.class], urgent, few, least, most, recipients };
}
