import { inCredits } from '../credits/price.ts';
import { thousands } from '../../lib/text.ts';

/** Subject and text of a mail. */
export interface MailText {
	readonly subject: string;
	readonly text: string;
}

const NOT_YOU = 'If this was not you, ignore this email and nothing happens.';
const SIGNATURE = 'Mailsonar';

/** Sent to a person who signed up. */
export function confirmationMail(link: string): MailText {
	return mail('Confirm your address for Mailsonar', [
		'Welcome. Confirm your address to open your account and get your trial credits:',
		link,
		'The link works once, for 24 hours.',
		NOT_YOU,
	]);
}

/** Sent to a person who signed up but already has an account, which the page itself must not reveal. */
export function alreadyRegisteredMail(signInLink: string, resetLink: string): MailText {
	return mail('You already have a Mailsonar account', [
		'Somebody, probably you, signed up with this address. You already have an account, so nothing was changed.',
		`Sign in: ${signInLink}`,
		`Forgot your password? Choose a new one: ${resetLink}`,
		NOT_YOU,
	]);
}

/** Sent to a person who forgot the password. */
export function resetMail(link: string): MailText {
	return mail('Choose a new password for Mailsonar', [
		'Choose a new password here:',
		link,
		'The link works once, for one hour. All browsers will be signed out.',
		'If this was not you, ignore this email: your password stays as it is.',
	]);
}

/** Sent to the person after the password was changed. */
export function passwordChangedMail(resetLink: string): MailText {
	return mail('Your Mailsonar password was changed', [
		'The password of your account was changed, and other browsers were signed out.',
		`If this was not you, choose a new one right away: ${resetLink}`,
	]);
}

/** Sent after signing in with a second step was turned on or off. */
export function twoFactorMail(isOn: boolean, resetLink: string): MailText {
	return mail(`Two-factor sign-in is ${isOn ? 'on' : 'off'} for your Mailsonar account`, [
		isOn
			? 'From now on signing in takes your password and a code from your authenticator app. Other browsers were signed out. Keep your recovery codes where you can get at them without your phone.'
			: 'Signing in takes only your password again. Your recovery codes no longer work.',
		`If this was not you, choose a new password right away: ${resetLink}`,
	]);
}

/** Sent after a recovery code was used in place of the app. */
export function recoveryCodeUsedMail(left: number, resetLink: string): MailText {
	return mail('A recovery code was used for your Mailsonar account', [
		`Somebody, probably you, used one of your recovery codes. ${left} are left; you can make new ones in Settings.`,
		`If this was not you, choose a new password right away: ${resetLink}`,
	]);
}

/** Sent to the new address of a person who wants to change it. */
export function newAddressMail(link: string): MailText {
	return mail('Confirm your new address for Mailsonar', [
		'Confirm that this is your new address. Until then nothing changes:',
		link,
		'The link works once, for 24 hours, in a browser where you are signed in.',
		NOT_YOU,
	]);
}

/** Sent to a new address that has an account of its own, which the page must not reveal. */
export function addressTakenMail(): MailText {
	return mail('This address already has a Mailsonar account', [
		'Somebody asked to use this address for another Mailsonar account. It already has an account, so nothing was changed.',
		NOT_YOU,
	]);
}

/** Sent to the present address when the person asks for another one. */
export function addressChangeAskedMail(resetLink: string): MailText {
	return mail('Your Mailsonar account will change its address', [
		'Somebody, probably you, asked to change the address of your account. It changes once the new address is confirmed.',
		`If this was not you, choose a new password at once, which also ends this request: ${resetLink}`,
	]);
}

/** Sent to the former address after the change. */
export function addressChangedMail(): MailText {
	return mail('Your Mailsonar account has a new address', [
		'The address of your account was changed, and other browsers were signed out. You no longer sign in with this one.',
		'If this was not you, reply to this email or write to us at once.',
	]);
}

/** Sent after the account was deleted. */
export function accountDeletedMail(): MailText {
	return mail('Your Mailsonar account is deleted', [
		'Your API keys no longer work. Your lists, results and personal data are deleted; what remains is a credit ledger without your name or address, and, for three months, a digest that shows that this address has had its trial credits.',
		'This is the last email from us.',
	]);
}

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
