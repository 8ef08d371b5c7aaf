import { domainOf } from '../core/address/parse-address.ts';
import type { SessionReport } from '../core/smtp/session.ts';
import type { TimedStep } from '../core/verification/evidence.ts';
import type { Interpretation } from '../core/verification/finding.ts';
import type { Reading } from '../core/verification/interpret-session.ts';
import { isAddress } from '../lib/ip-address.ts';

/**
 * The steps of a conversation that ended at `at` (epoch ms), for the people who asked: printable, and nothing of ours in
 * them. The replies as they came, those to RCPT with what we read in them, and what we made of it all.
 */
export function stepsOf(
	at: number,
	host: string,
	report: SessionReport,
	{ targets, classes }: Reading,
): readonly TimedStep[] {
	const mask = maskOf(report);
	const steps = report.exchanges.flatMap(({ recipient, code, enhanced, text, ...exchange }): TimedStep[] => {
		// Each line may repeat the enhanced status.
		const words = mask(enhanced === null ? text : text.replaceAll(`${enhanced} `, ''));
		const said = { ...exchange, host, code: code ?? undefined, enhanced: enhanced ?? undefined, text: words };
		if (recipient === null || code === null) return [said];
		const isTarget = report.targets.some((one) => one.recipient === recipient);
		const asked = [...report.targets, ...report.invented].find((one) => one.recipient === recipient);
		const reading = asked && classes.get(asked);
		const last = report.exchanges.findLast((one) => one.recipient === recipient && one.code !== null);
		// The last reply counts where the recipient was put off before.
		if (reading === undefined || last?.at !== exchange.at) return [];
		const { rule, likelihood } = reading;
		const byWords = likelihood === null ? null : Math.round(likelihood * 100) / 100;
		return [
			{
				...said,
				text: isTarget ? words : `(invented recipient) ${words}`,
				rule,
				source: byWords === null ? 'reply-rules' : 'reply-words',
				likelihood: byWords ?? undefined,
			},
		];
	});
	const { end, stage } = report;
	const ended = end.kind === 'complete' ? '' : ` The conversation ended at ${stage}: ${end.kind}.`;
	const conclusion = targets.slice(0, 1).map(({ interpretation }): TimedStep => {
		const { rule } = interpretation;
		const source = rule === null ? {} : { rule, source: 'reply-rules' };
		return { step: 'rule', at, host, ...source, text: `${conclusionOf(interpretation)}${ended}` };
	});
	return [...steps, ...conclusion];
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
	const names = ours.toSorted((a, b) => b.length - a.length);
	// Also dashed where it is dotted.
	const patterns = names.map((name) => name.replaceAll(/[^\p{L}\p{N}]/gu, '.'));
	const pattern = new RegExp(patterns.join('|') || '(?!)', 'giu');
	return (text) => text.replaceAll(pattern, '[ours]').replaceAll(ADDRESSES, hidden);
}

function hidden(found: string): string {
	const bare = found.replace(/[.:]$/u, '');
	return [bare, bare.replaceAll('-', '.'), found].some(isAddress) ? '[address]' : found;
}
