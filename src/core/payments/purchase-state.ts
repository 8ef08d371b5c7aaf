/**
 * How a purchase may stand. Each state can follow those before it, and none after it: of two requests at once, the one that
 * asked the provider earlier overwrites nothing. `open`: not paid yet. `ended`: it never will be. `paid`: the credits are
 * granted. `disputed`: the payer objects at the bank, and the credits are held. `dispute_won`: they are given back.
 * `dispute_lost`: they are gone, as far as they were not spent. `review`: paid or paid back in a way that a person has to
 * judge. `refunded`: all was paid back, and the credits taken back.
 */
export const PURCHASE_STATES = [
	'open',
	'ended',
	'paid',
	'disputed',
	'dispute_won',
	'dispute_lost',
	'review',
	'refunded',
] as const;

export type PurchaseState = (typeof PURCHASE_STATES)[number];
