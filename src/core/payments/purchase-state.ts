/**
 * The states of a purchase. A later state can follow an earlier one, never the reverse: of two concurrent requests,
 * the one that asked the provider earlier overwrites nothing. `open`: not paid yet. `ended`: it never will be.
 * `paid`: the credits are granted. `disputed`: the payer objects at the bank, and the credits are held.
 * `dispute_won`: the credits are returned. `dispute_lost`: unspent credits are gone. `review`: paid or refunded in a
 * way that a person has to judge. `refunded`: fully refunded, and the credits withdrawn.
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
