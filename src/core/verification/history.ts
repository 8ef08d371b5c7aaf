import { retentionInWords } from '../jobs/retention.ts';

// How long what is verified at the dashboard is kept: it holds addresses.

/** As long as the results of a list, by default. */
export const HISTORY_MS = 48 * 3_600_000;
/** How long an answer is there to be seen where the account keeps no history. */
export const SEEN_MS = 10 * 60_000;
/** Whoever has not ended a verification by then has died: its pages say so, and its form may be sent again. */
export const AT_WORK_MS = 60_000;

export const HISTORY_WORDS = retentionInWords(HISTORY_MS);
export const SEEN_WORDS = retentionInWords(SEEN_MS);
