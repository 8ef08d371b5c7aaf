import type { Asker } from './mail-host.ts';

// What one account may have of a prober at once, so that no account's hosts keep those of another one waiting.

/** `single`: for callers who wait; `others`: for lists and small jobs together. */
type Share = Readonly<Record<'single' | 'others', number>>;

/** Questions under way, whoever they are put to. A job puts 120 at once, and a prober bears 2,000. */
const QUESTIONS: Share = { single: 200, others: 400 };

/**
 * Conversations with hosts that did not answer anybody lately. A host that lives answers within a second, so that fifty a
 * second become known; one that is silent keeps its place until the time is up.
 */
const UNPROVEN: Share = { single: 20, others: 30 };

// Visitors are one: they are admitted a few a minute.
const QUESTIONS_OF_VISITORS = 50;
const UNPROVEN_OF_VISITORS = 10;

/** How many questions an asker may have under way. */
export function questionsMax(asker: Asker, urgent: boolean): number {
	return asker === null ? QUESTIONS_OF_VISITORS : QUESTIONS[urgent ? 'single' : 'others'];
}

/** How many hosts an asker may wait for at once that did not answer anybody lately. */
export function unprovenMax(asker: Asker, urgent: boolean): number {
	return asker === null ? UNPROVEN_OF_VISITORS : UNPROVEN[urgent ? 'single' : 'others'];
}

/** Whose share it is: lists do not use up what the same account's callers have. */
export function shareName(asker: Asker, urgent: boolean): string {
	return `${asker ?? 'visitors'} ${urgent ? 'calls' : 'lists'}`;
}
