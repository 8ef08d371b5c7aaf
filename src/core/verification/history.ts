import { retentionInWords } from '../jobs/retention.ts';

// How long we keep verifications of the dashboard. They hold addresses, so we don't keep them for long.

/** For an account that keeps a history: by default as long as the results of a list. */
export const HISTORY_MS = 48 * 3_600_000;
/** For an account that keeps no history: long enough to read the result. */
export const SEEN_MS = 10 * 60_000;
/** After this time a running verification counts as failed: its page says so and offers the form again. */
export const AT_WORK_MS = 60_000;

export const HISTORY_WORDS = retentionInWords(HISTORY_MS);
export const SEEN_WORDS = retentionInWords(SEEN_MS);

/** How a domain's servers answered about different mailboxes lately. */
export interface DomainRun {
	/** When they last accepted a mailbox, epoch ms; null: not seen. */
	readonly acceptedAt: number | null;
	/** Distinct mailboxes refused since then, up to `REJECTIONS_OF_A_RUN`. */
	readonly refused: readonly string[];
	/** When the first of these was refused, epoch ms. */
	readonly since: number;
}

// This many refusals in a row, at a domain that accepted mail before, suggest a broken directory.
const REJECTIONS_OF_A_RUN = 10;
// Refusals soon after an acceptance suggest a list with bad addresses, not a broken directory.
const QUIET_BEFORE_RUN_MS = 600_000;
// We believe refusals that last for a quarter of an hour.
const CONFIRMED_AFTER_MS = 900_000;

/** The run after one more answer about a mailbox (given by its local part). */
export function continueRun(
	run: DomainRun | null,
	answer: { readonly kind: 'accepted' | 'rejected'; readonly mailbox: string },
	now: number,
): DomainRun {
	if (answer.kind === 'accepted') return { acceptedAt: now, refused: [], since: now };
	const before = run ?? { acceptedAt: null, refused: [], since: now };
	const since = before.refused.length === 0 ? now : before.since;
	if (before.refused.length >= REJECTIONS_OF_A_RUN) return before;
	return { ...before, refused: [...new Set([...before.refused, answer.mailbox])], since };
}

/**
 * True while we must not believe a new domain-wide run of "no such user". Broken directories (iCloud in April 2021,
 * Exchange edges before they have synchronised) answer 550 5.1.1 for every mailbox.
 */
export function isDoubtfulRun(run: DomainRun, now: number): boolean {
	if (run.acceptedAt === null || run.refused.length < REJECTIONS_OF_A_RUN) return false;
	const beganLongAfterAcceptance = run.since - run.acceptedAt >= QUIET_BEFORE_RUN_MS;
	return beganLongAfterAcceptance && now - run.since < CONFIRMED_AFTER_MS;
}
