import { inCredits } from '../credits/price.ts';
import { share } from '../../lib/share.ts';
import { escapeMarkup, inOneLine, thousands } from '../../lib/text.ts';
import type { RowCounts } from './stored-row.ts';

/** The figures of an ended list. */
export interface EndedList {
	readonly name: string | null;
	readonly status: string;
	readonly accepted: number;
	readonly counts: RowCounts;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
}

/** A mail as text and as HTML. */
export interface RichMail {
	readonly subject: string;
	readonly text: string;
	readonly html: string;
}

/** A list's name for a mail, or null if it contains an address: third parties handle mail. */
export function mailableName(name: string | null): string | null {
	const plain = inOneLine(name ?? '');
	return plain === '' || plain.includes('@') ? null : plain;
}

/** Sent to the owner when a list ends. It holds figures and no address. `link`: the list's page; null: not configured. */
export function listDoneMail(list: EndedList, link: string | null): RichMail {
	const name = mailableName(list.name);
	const quoted = name === null ? 'Your list' : `“${name}”`;
	const isFailed = list.status === 'failed';
	const subject = isFailed ? `${quoted} could not be finished` : `${quoted} is done`;
	const paragraphs = isFailed ? whenFailed() : whenDone(list);
	const after = 'You get this email because you asked for it when you started the list, or on its page.';
	const text = [
		`${subject}.`,
		...paragraphs,
		...(link === null ? [] : [`${LINK_WORDS}: ${link}`]),
		after,
		'Mailsonar',
	];
	const html = [
		`<p><strong>${escapeMarkup(subject)}.</strong></p>`,
		...paragraphs.map((words) => `<p>${escapeMarkup(words)}</p>`),
		...(link === null ? [] : [`<p><a href="${escapeMarkup(link)}">${LINK_WORDS}</a></p>`]),
		`<p style="color:#667085">${after}<br>Mailsonar</p>`,
	];
	return {
		subject,
		text: `${text.join('\n\n')}\n`,
		html: `<!doctype html><html lang="en"><body style="font:16px/24px system-ui,sans-serif">${html.join('')}</body></html>`,
	};
}

const LINK_WORDS = 'See the results';

function whenDone({ accepted, counts, creditsUsed, creditsRefunded }: EndedList): readonly string[] {
	const { deliverable, undeliverable, risky, unknown } = counts;
	return [
		`${share(deliverable, accepted)} are safe to send: ${thousands(deliverable)} of ${thousands(accepted)} addresses are deliverable. ${thousands(risky)} are risky, ${thousands(undeliverable)} undeliverable, and ${thousands(unknown)} unknown.`,
		`${inCredits(creditsUsed)} ${creditsUsed === 1 ? 'was' : 'were'} used and ${thousands(creditsRefunded)} refunded.`,
	];
}

function whenFailed(): readonly string[] {
	return ['It stopped on our side and cost nothing: all its credits are available again.'];
}
