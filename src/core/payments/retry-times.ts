import { DAY_MS } from '../../lib/utc-days.ts';

/** We ask about an open purchase each day until this age: a bank may take two weeks for a payment. */
export const ASKED_UNTIL_MS = 21 * DAY_MS;
/** Stripe repeats an event that we could not handle for this long. */
export const TOLD_AGAIN_MS = 3 * DAY_MS;
