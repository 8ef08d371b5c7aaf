// The longest call is cut off after 30 seconds: the Worker of a reservation still open after five minutes has died.
export const RESERVATION_LIFETIME_MS = 5 * 60_000;
