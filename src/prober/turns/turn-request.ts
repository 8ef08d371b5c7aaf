import type { Ask } from '../../core/politeness/allowance.ts';
import type { Budget } from '../../core/politeness/budget.ts';
import type { Waiter } from '../../core/politeness/fair-queue.ts';
import type { MailHost } from '../../core/politeness/mail-host.ts';
import { memberNameOf, shareOf, weightOf } from '../../core/politeness/shares.ts';
import type { Party } from '../../core/politeness/shares.ts';
import type { QuestionClass } from '../../engine/question.ts';
import type { Line } from './line.ts';
import type { PlaceNeeds } from './places.ts';

/** A conversation that a question wants to hold. */
export interface TurnRequest extends Omit<PlaceNeeds, 'least'>, Party {
	readonly host: MailHost;
	readonly class: QuestionClass;
	/** Epoch milliseconds. */
	readonly deadline: number;
	/** Invented recipients, which are asked about beside the first target. */
	readonly beside: number;
	readonly targets: number;
	/** How many of them one conversation asks about at the most. */
	readonly atOnce: number;
}

/** A connection to be used or opened, and how many recipients may be asked about by it. */
export interface Grant {
	readonly line: Line;
	readonly recipients: number;
	readonly member: string;
	/** It is settled at the end whether they are paid. */
	readonly isDoubtful: boolean;
	/** The name under which the day counts them so far. */
	readonly countedAs: string;
	/** How many of them were not asked about yet. */
	held: number;
	/** A connection may be opened for it, and was not yet. */
	mayDial: boolean;
}

/** A request in the queue. */
export interface Waiting extends Waiter, Required<Omit<Ask, 'connects'>>, Omit<PlaceNeeds, 'least'> {
	readonly host: MailHost;
	/** One target, with those who are invented. */
	readonly few: number;
	readonly take: (grant: Grant) => void;
}

// Then the connection is another question's: a list of thousands must not keep one address waiting.
const RECIPIENTS_PER_TURN = 60;
// A list takes at least two seconds' worth at once: smaller conversations cost more connections than they save time.
const BATCHES_A_MINUTE = 30;
/**
 * The recipients that a request takes when its turn comes.
 *
 * @param request `atOnce`: how many targets one conversation asks about; `beside`: invented recipients
 */
export function waitingFor(
	request: Omit<TurnRequest, 'deadline'>,
	budget: Budget,
	take: Waiting['take'],
): Waiting {
	const { host, to, fresh, targets, atOnce, beside, class: urgency } = request;
	const member = memberNameOf(request);
	const share = shareOf(member);
	const atOne = Math.min(targets, atOnce, RECIPIENTS_PER_TURN);
	const most = Math.min(atOne + beside, budget.recipientsPerConnection);
	const few = Math.min(most, beside + 1);
	const batch = urgency === 'single' ? 1 : Math.ceil(budget.recipientsPerMinute / BATCHES_A_MINUTE);
	const least = Math.min(most, Math.max(few, batch));
	const weight = weightOf(share, urgency);
	const flow = `${member} ${urgency}`;
	const isDoubtful = request.paysUntil !== undefined && request.asker !== null;
	const of = { member, isDoubtful, share, weight, flow, urgency };
	return { host, to, fresh, ...of, few, least, most, cost: least, take };
}
