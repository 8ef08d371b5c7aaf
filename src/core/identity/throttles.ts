import { sha256Hex } from '../../lib/digest.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';

/** How often something may be tried in a window. */
export interface Throttle {
	readonly limit: number;
	readonly windowMs: number;
}

/** The sides by which attempts are counted: the client's IP address or network, and a mailbox or account. */
type Side = 'client' | 'account';

const hourly = (limit: number): Throttle => ({ limit, windowMs: HOUR_MS });
const perQuarter = (limit: number): Throttle => ({ limit, windowMs: HOUR_MS / 4 });

/**
 * Limits by client and by account. Addresses without an account have the same limits, so that a refusal reveals
 * nothing. Actions of people who are signed in are counted by their account.
 */
export const THROTTLES = {
	/** Asking for a code, by network, and by the mailbox that gets the mail. A right code forgives the mailbox's. */
	ask_code: { client: hourly(30), account: hourly(3) },
	/** Mails with codes to one domain's owner. */
	ask_code_domain: { account: hourly(30) },
	/** Mails with codes, all together: more would harm the good name of our mail. */
	ask_code_all: { account: hourly(1_000) },
	/**
	 * Typing a code, by network and by mailbox. An attacker who asks for code after code has 30 guesses in a million a
	 * day, about one chance in a hundred a year, and sends the owner six mails for them. A right code forgives the mailbox's.
	 */
	type_code: { client: hourly(60), account: { limit: 30, windowMs: DAY_MS } },
	/** Codes typed by all together: a guess at any of many mailboxes would succeed within weeks, not hours. */
	type_code_all: { account: hourly(2_000) },
	/** Asking for another address: each sends two mails. */
	change_address: { account: hourly(5) },
	/** Looking up the domain of an address that asks for a code. `account` limits all of them together: beyond it, domains are not looked up. */
	look_up_domain: { client: hourly(30), account: hourly(600) },
	/** Trying an address on the landing page, whatever it costs. */
	try_address: { client: perQuarter(10) },
	/**
	 * The same where a mail server has to be asked: by network, and for all anonymous visitors together. Half is kept for the
	 * first tries of a network, so that a few networks don't use up everybody's hour.
	 */
	try_mailbox_first: { client: hourly(3), account: hourly(150) },
	try_mailbox: { client: hourly(17), account: hourly(150) },
	/** Uploading a file: up to 20 MB, kept for a day even when it is never started. */
	stage_upload: { account: hourly(60) },
	/** Reading a whole uploaded file again: for a preview with another column, or for the start. */
	read_upload: { account: hourly(120) },
	/** Adding an endpoint, rotating its secret, sending it a test event. */
	change_webhook: { account: hourly(120) },
	/** Beginning a purchase: a checkout at the payment provider. */
	buy_credits: { account: hourly(30) },
	/** Asking the payment provider for a purchase's state, as its page does while it is open. */
	ask_payment: { account: perQuarter(120) },
	create_key: { account: hourly(30) },
} as const satisfies Record<string, Partial<Record<Side, Throttle>>>;

/** A mailbox gets trial credits once in this time, even when the account that had them was deleted. */
export const TRIAL_AGAIN: Throttle = { limit: 1, windowMs: 90 * DAY_MS };

/** So many accounts of one domain's owner get trial credits by themselves; the next ones ask for them. */
export const TRIALS_OF_A_DOMAIN: Throttle = { limit: 3, windowMs: TRIAL_AGAIN.windowMs };

/** The same at a provider for everybody that is no large operator, and at a privacy relay. */
export const TRIALS_OF_A_PROVIDER: Throttle = { limit: 100, windowMs: TRIAL_AGAIN.windowMs };

export type ThrottledAction = keyof typeof THROTTLES;

/** The key under which attempts are counted: a digest, so that no e-mail or IP address is stored. */
export function throttleKey(action: ThrottledAction, side: Side, who: string): string {
	return sha256Hex(`${action} ${side} ${who}`);
}
