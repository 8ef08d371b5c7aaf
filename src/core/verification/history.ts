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
