export const CATEGORIES = ['default', 'batch', 'polling'] as const;
/** The counter of an account that a request counts on (spec §8). */
export type Category = (typeof CATEGORIES)[number];

/** Requests per window and category. */
export type Limits = Readonly<Record<Category, number>>;

// Spec §8.
export const DEFAULT_LIMITS: Limits = { default: 300, batch: 30, polling: 600 };
