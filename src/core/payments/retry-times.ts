import { DAY_MS } from '../../lib/utc-days.ts';

/** How old an open purchase may be that is still asked about each day: a bank may take two weeks for a payment. */
export const ASKED_UNTIL_MS = 21 * DAY_MS;
/** Stripe tells an event that we could not carry out again for so long. */
export const TOLD_AGAIN_MS = 3 * DAY_MS;
