import { isFreeProvider } from '../lists/domain-kinds.ts';

// Who asks about many mailboxes of one domain that do not exist has no list of its people, but guesses their names.

/** What the mail hosts of one domain said to one account of late. */
export interface Guesses {
	/** Epoch milliseconds. */
	readonly since: number;
	/** Mailboxes that a host decided on. */
	readonly asked: number;
	/** Of those, mailboxes that do not exist. */
	readonly unknown: number;
}

const WINDOW_MS = 86_400_000;

/**
 * From so many unknown mailboxes at one domain in a day, if they are such a part of those asked about, so many recipients
 * a minute. An old list of a company has a third of them; a list of guessed names nearly nothing else.
 */
const THRESHOLDS: readonly {
	readonly unknown: number;
	readonly share: number;
	readonly perMinute: number;
}[] = [
	{ unknown: 100, share: 0.9, perMinute: 20 },
	{ unknown: 300, share: 0.75, perMinute: 12 },
	{ unknown: 1_000, share: 0.6, perMinute: 6 },
];

/** Whether mailboxes of the domain can be guessed at: at a provider for everybody, a bad list is only a bad list. */
export function canBeGuessedAt(domain: string): boolean {
	return !isFreeProvider(domain);
}

/** With what was said now. After a day the count begins anew. */
export function withAnswers(
	known: Guesses | null,
	said: Pick<Guesses, 'asked' | 'unknown'>,
	now: number,
): Guesses {
	if (known === null || now - known.since >= WINDOW_MS) return { since: now, ...said };
	return { ...known, asked: known.asked + said.asked, unknown: known.unknown + said.unknown };
}

/** How many recipients a minute the account is allowed at the domain; null: no limit but the usual ones. */
export function paceFor(guesses: Guesses | null, now: number): number | null {
	if (guesses === null || now - guesses.since >= WINDOW_MS) return null;
	const { asked, unknown } = guesses;
	const met = THRESHOLDS.filter((one) => unknown >= one.unknown && unknown >= one.share * asked);
	return met.length === 0 ? null : Math.min(...met.map(({ perMinute }) => perMinute));
}
