import { inCredits } from '../credits/price.ts';
import { thousands } from '../../lib/text.ts';

/** Subject and text of a mail. */
export interface MailText {
	readonly subject: string;
	readonly text: string;
}

const NOT_YOU = 'If this was not you, ignore this email and nothing happens.';
const SIGNATURE = 'Mailsonar';

/** The mail with a code. It is the same for people who have an account and for those who have none. */
export function codeMail(
	code: string,
	purpose: 'sign_in' | 'change_address',
	link: string,
): MailText & { readonly headers: Readonly<Record<string, string>> } {
	const text = mail(`${code} is your Mailsonar code`, [
		`${purpose === 'sign_in' ? 'Your code to sign in' : 'Your code to confirm this new address'}: ${code}`,
		`Type it in the browser where you asked for it, or open this link there: ${link}`,
		'Both work once, for 20 minutes, and in no other browser. We never ask you for this code in any other way.',
		NOT_YOU,
	]);
	// Mail programs and browsers that know it offer the code where it is asked for.
	return { ...text, headers: { 'OTP-Token': code } };
}

/** Sent to a new address that has an account of its own, which the page must not reveal. */
export const ADDRESS_TAKEN = mail('This address already has a Mailsonar account', [
	'Somebody asked to use this address for another Mailsonar account. It already has an account, so nothing was changed.',
	NOT_YOU,
]);

/** Sent to the present address when the person asks for another one. */
export function addressChangeAskedMail(settingsLink: string): MailText {
	return mail('Your Mailsonar account will change its address', [
		'Somebody, probably you, asked to change the address of your account. It changes once the new address is confirmed.',
		`If this was not you, sign out all other browsers at once, which also ends this request: ${settingsLink}`,
	]);
}

/** Sent to the former address after the change. */
export const ADDRESS_CHANGED = mail('Your Mailsonar account has a new address', [
	'The address of your account was changed, and other browsers were signed out. You no longer sign in with this one.',
	'If this was not you, reply to this email or write to us at once.',
]);

/** Sent after the account was deleted. */
export const ACCOUNT_DELETED = mail('Your Mailsonar account is deleted', [
	'Your API keys no longer work. Your lists, results and personal data are deleted; what remains is a credit ledger without your name or address, and, for three months, a digest that shows that this address has had its trial credits.',
	'This is the last email from us.',
]);

/** Sent to the owner when an endpoint for events was disabled, though not by them. */
export function webhookDisabledMail(url: string, because: 'gone' | 'failing', link: string | null): MailText {
	return mail('Mailsonar no longer sends events to one of your endpoints', [
		`Events are no longer sent to ${url}`,
		because === 'gone'
			? 'It answered 410 Gone, which means that it wants no more of them.'
			: 'None has arrived there for five days, and the last one was tried seven times.',
		'What happens from now on is not sent to it later. You can still read the status and the results of your jobs.',
		...(link === null ? [] : [`See the last answers, and enable it again: ${link}`]),
	]);
}

/** Sent to the owner when the balance has fallen below the threshold that they set. */
export function creditsLowMail(low: {
	readonly balance: number;
	readonly below: number;
	/** Null: our own address is not known. */
	readonly links: { readonly add: string; readonly change: string } | null;
}): MailText {
	const { balance, below, links } = low;
	const left = balance === 0 ? 'No credits' : inCredits(balance);
	return mail(
		`Mailsonar: ${balance === 0 ? 'no credits are' : `${left} ${balance === 1 ? 'is' : 'are'}`} left`,
		[
			`${left} left. You asked us to tell you below ${thousands(below)}.`,
			'This counts what is reserved for running lists. A list that needs more than you have is not started, and calls get 402 once nothing is left.',
			...(links === null ? [] : [`Add credits: ${links.add}`, `Change when you are told: ${links.change}`]),
			'You are told again only after the balance has been above it.',
		],
	);
}

function mail(subject: string, paragraphs: readonly string[]): MailText {
	return { subject, text: `${[...paragraphs, SIGNATURE].join('\n\n')}\n` };
}
