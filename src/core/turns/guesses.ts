import { isFreeProvider } from '../lists/domain-kinds.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Budget } from './budget.ts';
import { Gate } from './gate.ts';

// A member that asks about many mailboxes of one domain that do not exist has no list of its people, but guesses names.

/** From so many unknown mailboxes at one domain in a day, if they are more than such a part of those decided. */
const THRESHOLDS: readonly { readonly unknown: number; readonly part: number }[] = [
	{ unknown: 100, part: 0.9 },
	{ unknown: 300, part: 0.5 },
	// Mailboxes that exist are no licence to guess.
	{ unknown: 2_000, part: 0 },
];
const UNLIMITED = 1_000_000;
/** Then it is asked so little there. */
export const GUESSED_BUDGET: Budget = {
	connections: UNLIMITED,
	connectionsPerMinute: UNLIMITED,
	recipientsPerMinute: 6,
	recipientsPerDay: UNLIMITED,
	recipientsPerConnection: UNLIMITED,
};

/** Whether mailboxes of the domain can be guessed: at a provider for everybody, a bad list is only a bad list. */
export function canBeGuessedAt(domain: string): boolean {
	return !isFreeProvider(domain);
}

/** Mailboxes of one domain that one owner asked about since `since` (epoch ms), and the gate before it if it guesses. */
export class Guesses {
	readonly since: number;
	readonly gate = new Gate(() => GUESSED_BUDGET);
	asked = 0;
	unknown = 0;

	constructor(since: number) {
		this.since = since;
	}

	isOver(now: number): boolean {
		return now - this.since >= DAY_MS;
	}

	get isGuessing(): boolean {
		return THRESHOLDS.some(({ unknown, part }) => this.unknown >= unknown && this.unknown > part * this.asked);
	}

	/** Counts a mailbox that a host decided on. A name with a tag is another name of a mailbox that may be known already. */
	add(localPart: string, exists: boolean): void {
		if (exists && localPart.includes('+')) return;
		this.asked += 1;
		if (!exists) this.unknown += 1;
	}
}
