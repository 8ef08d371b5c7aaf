import { sha256Hex } from '../../lib/digest.ts';

/** How often something may be tried in a window. */
export interface Throttle {
	readonly limit: number;
	readonly windowMs: number;
}

const MINUTE_MS = 60_000;

/**
 * Per client address and per account. An account's limits hold for addresses that have none, too, so that being
 * stopped tells nothing. NIST SP 800-63B §5.2.2 allows at most 100 failures in a row; a right password starts anew.
 */
export const THROTTLES = {
	sign_in: {
		client: { limit: 50, windowMs: 15 * MINUTE_MS },
		account: { limit: 10, windowMs: 15 * MINUTE_MS },
	},
	sign_up: {
		client: { limit: 20, windowMs: 60 * MINUTE_MS },
		account: { limit: 3, windowMs: 60 * MINUTE_MS },
	},
	request_reset: {
		client: { limit: 20, windowMs: 60 * MINUTE_MS },
		account: { limit: 3, windowMs: 60 * MINUTE_MS },
	},
	/** Links and passwords on the pages that links lead to. */
	open_link: {
		client: { limit: 60, windowMs: 60 * MINUTE_MS },
		account: { limit: 10, windowMs: 15 * MINUTE_MS },
	},
	/** The password asked again of somebody who is signed in. */
	ask_password: {
		client: { limit: 50, windowMs: 15 * MINUTE_MS },
		account: { limit: 10, windowMs: 15 * MINUTE_MS },
	},
	/** The landing page's box. `account` is everybody: what strangers may cost us together. */
	try_address: {
		client: { limit: 10, windowMs: 15 * MINUTE_MS },
		account: { limit: 300, windowMs: 60 * MINUTE_MS },
	},
	/** Files of up to 20 MB, kept for a day whether or not they are started. */
	stage_upload: {
		client: { limit: 120, windowMs: 60 * MINUTE_MS },
		account: { limit: 60, windowMs: 60 * MINUTE_MS },
	},
	/** Whole files read again: a preview with another column, a start. */
	read_upload: {
		client: { limit: 240, windowMs: 60 * MINUTE_MS },
		account: { limit: 120, windowMs: 60 * MINUTE_MS },
	},
	create_key: {
		client: { limit: 60, windowMs: 60 * MINUTE_MS },
		account: { limit: 30, windowMs: 60 * MINUTE_MS },
	},
} as const satisfies Record<string, { client: Throttle; account: Throttle }>;

/** After so many attempts of a client or for an account, strangers show that they are people, where that is asked. */
export const CHALLENGE_AFTER = 3;

/** A mailbox gets trial credits once in this time, whatever became of the account that had them. */
export const TRIAL_AGAIN: Throttle = { limit: 1, windowMs: 90 * 24 * 60 * MINUTE_MS };

export type ThrottledAction = keyof typeof THROTTLES;

/** The name under which attempts are counted: a digest, so that no address of a person or machine is kept. */
export function throttleKey(action: ThrottledAction, side: 'client' | 'account', who: string): string {
	return sha256Hex(`${action} ${side} ${who}`);
}
