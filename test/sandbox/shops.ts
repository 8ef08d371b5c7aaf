import type { Expectation } from './expectation.ts';
import { promise } from './expectation.ts';

const SHOPS = 60;

// Thirty times thirty staff names in sixty shops: 54,000 different addresses, enough for the largest list.
const FIRST_NAMES = (
	'ada alan alice anna ben clara daniel david emma eva felix grace hanna hugo ida jane john julia karl laura ' +
	'leo lucas maria martin mia nina oscar paul sara tom'
).split(' ');
const LAST_NAMES = (
	'adams baker berg brown carter clark cooper davis evans fischer garcia hall hill jones keller king lee lopez ' +
	'martin miller moore novak parker reed rossi smith taylor turner weber young'
).split(' ');

/** The names of the generated shops, `shop-001.test` and so on. */
export const SHOP_DOMAINS: readonly string[] = Array.from(
	{ length: SHOPS },
	(_, i) => `shop-${String(i + 1).padStart(3, '0')}.test`,
);

/** The mailbox rule of every shop: staff is known, one in forty has a full mailbox, one in forty has left. */
export function shopMailbox(mailbox: string): { reply: string; expect: Expectation } {
	const [first = '', last = '', ...rest] = mailbox.split('.');
	const [i, j] = [FIRST_NAMES.indexOf(first), LAST_NAMES.indexOf(last)];
	const staff = i >= 0 && j >= 0 && rest.length === 0;
	const place = i + j * 7;
	if (!staff && mailbox !== 'info' && mailbox !== 'sales') {
		return { reply: '550 5.1.1 No such user here', expect: promise('undeliverable rejected_email') };
	}
	if (staff && place % 40 === 11) {
		return { reply: '452 4.2.2 Mailbox full, over quota', expect: promise('risky mailbox_full') };
	}
	if (staff && place % 40 === 31) {
		return { reply: '550 5.2.1 This mailbox is disabled', expect: promise('undeliverable mailbox_disabled') };
	}
	return { reply: '250 2.1.5 Ok', expect: promise('deliverable accepted_email no') };
}

/**
 * The first `count` addresses of an endless list at the shops: every seventh is nobody's. All different up to 62,000.
 */
export function shopAddresses(count: number): { address: string; expect: Expectation }[] {
	const names = FIRST_NAMES.length * LAST_NAMES.length;
	return Array.from({ length: count }, (_, n) => {
		const round = Math.floor(n / SHOPS);
		const name = `${FIRST_NAMES[round % FIRST_NAMES.length]}.${LAST_NAMES[Math.floor(round / FIRST_NAMES.length) % LAST_NAMES.length]}`;
		const nobody = n % 7 === 6 || round >= names;
		const mailbox = nobody ? `x${n}` : name;
		return { address: `${mailbox}@${SHOP_DOMAINS[n % SHOPS]}`, expect: shopMailbox(mailbox).expect };
	});
}
