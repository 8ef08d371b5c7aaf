import { sha256Hex } from '../../lib/digest.ts';
import { MINUTE_MS } from '../../lib/time.ts';

/** How often something may be tried in a window. */
export interface Throttle {
	readonly limit: number;
	readonly windowMs: number;
}

/**
 * Limits per client and per account. Addresses without an account have the same limits, so that a refusal reveals
 * nothing.
 */
export const THROTTLES = {
	/** Asking for a code, by network, and by the mailbox that gets the mail. A right code forgives the mailbox's. */
	ask_code: {
		client: { limit: 30, windowMs: 60 * MINUTE_MS },
		account: { limit: 3, windowMs: 60 * MINUTE_MS },
	},
	/** Mails with codes to one domain's owner. Clients are counted by `ask_code`. */
	ask_code_domain: {
		client: { limit: 30, windowMs: 60 * MINUTE_MS },
		account: { limit: 30, windowMs: 60 * MINUTE_MS },
	},
	/** Mails with codes, all together: more would harm the good name of our mail. */
	ask_code_all: {
		client: { limit: 1_000, windowMs: 60 * MINUTE_MS },
		account: { limit: 1_000, windowMs: 60 * MINUTE_MS },
	},
	/**
	 * Typing a code, by network and by mailbox. An attacker who asks for code after code has 30 guesses in a million a
	 * day, about one chance in a hundred a year, and sends the owner six mails for them. A right code forgives the mailbox's.
	 */
	type_code: {
		client: { limit: 60, windowMs: 60 * MINUTE_MS },
		account: { limit: 30, windowMs: 24 * 60 * MINUTE_MS },
	},
	/** Codes typed by all together: a guess at any of many mailboxes would succeed within weeks, not hours. */
	type_code_all: {
		client: { limit: 2_000, windowMs: 60 * MINUTE_MS },
		account: { limit: 2_000, windowMs: 60 * MINUTE_MS },
	},
	/** Asking for another address: each sends two mails. */
	change_address: {
		client: { limit: 20, windowMs: 60 * MINUTE_MS },
		account: { limit: 5, windowMs: 60 * MINUTE_MS },
	},
	/** Looking up the domain of an address that asks for a code. `account` limits all of them together: beyond it, domains are not looked up. */
	look_up_domain: {
		client: { limit: 30, windowMs: 60 * MINUTE_MS },
		account: { limit: 600, windowMs: 60 * MINUTE_MS },
	},
	/** Trying an address on the landing page, whatever it costs. */
	try_address: {
		client: { limit: 10, windowMs: 15 * MINUTE_MS },
		account: { limit: 10, windowMs: 15 * MINUTE_MS },
	},
	/**
	 * The same where a mail server has to be asked: by network, and for all anonymous visitors together. Half is kept for the
	 * first tries of a network, so that a few networks don't use up everybody's hour.
	 */
	try_mailbox_first: {
		client: { limit: 3, windowMs: 60 * MINUTE_MS },
		account: { limit: 150, windowMs: 60 * MINUTE_MS },
	},
	try_mailbox: {
		client: { limit: 17, windowMs: 60 * MINUTE_MS },
		account: { limit: 150, windowMs: 60 * MINUTE_MS },
	},
	/** Uploading a file: up to 20 MB, kept for a day even when it is never started. */
	stage_upload: {
		client: { limit: 120, windowMs: 60 * MINUTE_MS },
		account: { limit: 60, windowMs: 60 * MINUTE_MS },
	},
	/** Reading a whole uploaded file again: for a preview with another column, or for the start. */
	read_upload: {
		client: { limit: 240, windowMs: 60 * MINUTE_MS },
		account: { limit: 120, windowMs: 60 * MINUTE_MS },
	},
	/** Adding an endpoint, rotating its secret, sending it a test event. */
	change_webhook: {
		client: { limit: 240, windowMs: 60 * MINUTE_MS },
		account: { limit: 120, windowMs: 60 * MINUTE_MS },
	},
	/** Beginning a purchase: a checkout at the payment provider. */
	buy_credits: {
		client: { limit: 60, windowMs: 60 * MINUTE_MS },
		account: { limit: 30, windowMs: 60 * MINUTE_MS },
	},
	/** Asking the payment provider for a purchase's state, as its page does while it is open. */
	ask_payment: {
		client: { limit: 240, windowMs: 15 * MINUTE_MS },
		account: { limit: 120, windowMs: 15 * MINUTE_MS },
	},
	create_key: {
		client: { limit: 60, windowMs: 60 * MINUTE_MS },
		account: { limit: 30, windowMs: 60 * MINUTE_MS },
	},
} as const satisfies Record<string, { client: Throttle; account: Throttle }>;

/** A mailbox gets trial credits once in this time, even when the account that had them was deleted. */
export const TRIAL_AGAIN: Throttle = { limit: 1, windowMs: 90 * 24 * 60 * MINUTE_MS };

/** So many accounts of one domain's owner get trial credits by themselves; the next ones ask for them. */
export const TRIALS_OF_A_DOMAIN: Throttle = { limit: 3, windowMs: TRIAL_AGAIN.windowMs };

/** The same at a provider for everybody that is no large operator, and at a privacy relay. */
export const TRIALS_OF_A_PROVIDER: Throttle = { limit: 100, windowMs: TRIAL_AGAIN.windowMs };

export type ThrottledAction = keyof typeof THROTTLES;

/** The key under which attempts are counted: a digest, so that no e-mail or IP address is stored. */
export function throttleKey(action: ThrottledAction, side: 'client' | 'account', who: string): string {
	return sha256Hex(`${action} ${side} ${who}`);
}
