import { domainOf } from '../core/address/parse-address.ts';
import type { Exchange, RecipientReply, Said, SessionReport } from '../core/smtp/session.ts';
import { escaped } from '../core/verification/evidence.ts';
import type { TimedStep } from '../core/verification/evidence.ts';
import type { Reading } from '../core/verification/interpret-session.ts';
import type { Interpretation } from '../core/verification/finding.ts';
import { isAddress } from '../lib/ip-address.ts';

const STEPS = { banner: 'banner', ehlo: 'ehlo', helo: 'ehlo', starttls: 'tls', mail: 'mail' } as const;

/**
 * The steps of a conversation that ended at `at` (epoch ms), for the people who asked: printable, and nothing of ours in
 * them. The replies up to MAIL as they came, those to RCPT as we read them, and what we made of it all.
 */
export function stepsOf(
	at: number,
	host: string,
	report: SessionReport,
	{ targets, classes }: Reading,
): readonly TimedStep[] {
	const mask = maskOf(report);
	const stepFor = (
		step: TimedStep['step'],
		when: number,
		{ code, enhanced, text }: Said,
	): TimedStep & { text: string } => ({
		step,
		at: when,
		host,
		...(code === null ? {} : { code }),
		...(enhanced === null ? {} : { enhanced }),
		// Each line may repeat the enhanced status.
		text: mask(enhanced === null ? text : text.replaceAll(`${enhanced} `, '')),
	});
	const early = report.exchanges.flatMap((exchange) => {
		const step = stepOf(exchange);
		return step === null ? [] : [stepFor(step, exchange.at, exchange)];
	});
	const rcpt = (one: RecipientReply, isTarget: boolean): TimedStep[] => {
		const reading = classes.get(one);
		if (one.reply === null || reading === undefined) return [];
		const { code, enhanced, lines } = one.reply;
		const { rule, likelihood } = reading;
		// The last reply counts where the recipient was put off before.
		const when = report.exchanges.findLast(({ to }) => isRcpt(to) && to.recipient === one.recipient)?.at;
		const step = stepFor('rcpt', when ?? at, { code, enhanced, text: lines.join(' / ') });
		return [
			{
				...step,
				text: isTarget ? step.text : `(invented recipient) ${step.text}`,
				rule,
				source: likelihood === null ? 'reply-rules' : 'reply-words',
				...(likelihood === null ? {} : { likelihood: Math.round(likelihood * 100) / 100 }),
			},
		];
	};
	const end =
		report.end.kind === 'complete' ? '' : ` The conversation ended at ${report.stage}: ${report.end.kind}.`;
	return [
		...early,
		...report.targets.flatMap((one) => rcpt(one, true)),
		...report.invented.flatMap((one) => rcpt(one, false)),
		...targets.slice(0, 1).map(({ interpretation }) => ({
			step: 'rule' as const,
			at,
			host,
			...(interpretation.rule === null ? {} : { rule: interpretation.rule, source: 'reply-rules' }),
			text: `${conclusionOf(interpretation)}${end}`,
		})),
	];
}

/** Null: a reply that the steps do not show, or show with what we read in it. */
function stepOf({ to, code, text }: Exchange): TimedStep['step'] | null {
	if (code === null && text.includes('TLS')) return 'tls';
	if (isRcpt(to)) return code === null ? 'rcpt' : null;
	return to === 'rset' ? null : STEPS[to];
}

function isRcpt(to: Exchange['to']): to is { readonly recipient: string } {
	return typeof to !== 'string';
}

const TOOK: Readonly<Record<Interpretation['invented'], string>> = {
	rejected: 'It took this address and refused an invented one, so its yes counts.',
	accepted: 'It took this address and an invented one too, so its yes says nothing.',
	mixed: 'It took this address, and some invented ones.',
	no_evidence: 'It took this address. We heard nothing about an invented one.',
};

/** The conclusion of a conversation about the address, for people. */
function conclusionOf({ target, invented }: Interpretation): string {
	switch (target.kind) {
		case 'accepted':
			return target.certainly
				? 'It took this address, and its yes is about this very mailbox.'
				: TOOK[invented];
		case 'rejected':
			return 'It refused this address.';
		case 'full':
			return 'It knows this mailbox, and says that it is full.';
		case 'unknown':
			return `It did not say whether this address exists (${target.why}).`;
	}
}

// Dotted or dashed, as in names of hosts; and IPv6, of which a clock's hours and minutes are not one.
const ADDRESSES = /\b\d{1,3}(?:[.-]\d{1,3}){3}\b|(?<![\w:])[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*/giu;

/** Replaces our sender, our host's name and every IP address: a server repeats what it knows of us. */
function maskOf({ sender, heloName }: SessionReport): (text: string) => string {
	const ours = [sender, heloName, domainOf(sender)].filter((name) => name.length > 3);
	// The longest first: a sender contains its domain.
	const names = ours.toSorted((a, b) => b.length - a.length).map(escaped);
	const pattern = new RegExp(names.join('|') || '(?!)', 'giu');
	return (text) => text.replaceAll(pattern, '[ours]').replaceAll(ADDRESSES, hidden);
}

function hidden(found: string): string {
	const bare = found.replace(/[.:]$/u, '');
	return [bare, bare.replaceAll('-', '.'), found].some(isAddress) ? '[address]' : found;
}
