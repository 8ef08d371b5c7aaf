import { domainOf } from '../core/address/parse-address.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import type { RecipientReply, SessionReport } from '../core/smtp/session.ts';
import { escaped, finished } from '../core/verification/evidence.ts';
import type { TimedStep } from '../core/verification/evidence.ts';
import type { Interpretation } from '../core/verification/interpret-session.ts';
import { readRecipient, readTarget, withInvented } from '../core/verification/read-recipient.ts';
import { isAddress } from '../lib/ip-address.ts';

/** A step of the prober's work, and when it ended (epoch ms). */
export type Step = { readonly at: number } & (
	| { readonly step: 'dial'; readonly address: string; readonly outcome: string }
	| {
			readonly step: 'conversation';
			/** Name of the mail host. */
			readonly host: string;
			readonly report: SessionReport;
			readonly interpretation: Interpretation;
			readonly operator: OperatorName | null;
			/** The host's replies to invented recipients that were known by then. */
			readonly invented: readonly RecipientReply[];
	  }
	| { readonly step: 'wait'; readonly ms: number; readonly why: string }
	| { readonly step: 'paused'; readonly host: string; readonly why: string }
);

type Conversation = Extract<Step, { step: 'conversation' }>;

/** The recipients that mail hosts replied to, invented ones included. */
export function recipientsIn(steps: readonly Step[]): number {
	const reports = steps.filter((step) => step.step === 'conversation').map(({ report }) => report);
	const recipients = reports.flatMap(({ targets, invented }) => [...targets, ...invented]);
	return recipients.filter(({ reply }) => reply !== null).length;
}

/** The steps as evidence for the people who asked: printable, and nothing of ours in it. */
export function explained(steps: readonly Step[]): readonly TimedStep[] {
	const mask = maskOf(steps.flatMap((step) => (step.step === 'conversation' ? [step.report] : [])));
	return finished(steps.flatMap((step) => stepsOf(step, mask)));
}

function stepsOf(step: Step, mask: (text: string) => string): readonly TimedStep[] {
	const { at } = step;
	switch (step.step) {
		case 'dial':
			return [{ step: 'connect', at, text: `${step.address}: ${step.outcome}` }];
		case 'wait':
			return [{ step: 'rule', at, rule: 'wait', text: `${step.ms} ms: ${step.why}` }];
		case 'paused':
			return [{ step: 'rule', at, rule: 'paused', host: step.host, text: step.why }];
		case 'conversation':
			return conversationSteps(step, mask);
	}
}

const STAGES: Readonly<Record<string, 'ehlo' | 'tls' | 'mail' | 'rcpt'>> = {
	EHLO: 'ehlo',
	HELO: 'ehlo',
	STARTTLS: 'tls',
	MAIL: 'mail',
	RCPT: 'rcpt',
};

/** The replies up to MAIL as the transcript has them, those to RCPT as we read them, and what we made of it all. */
function conversationSteps(
	{ at, host, report, interpretation, operator, invented: known }: Conversation,
	mask: (text: string) => string,
): readonly TimedStep[] {
	const steps: TimedStep[] = [];
	const rcptAt = new Map<string, number>();
	const awaited: string[] = [];
	for (const [line, text] of report.transcript.entries()) {
		const when = report.times[line] ?? at;
		if (text.startsWith('C: ')) {
			awaited.push(text.slice(3));
			continue;
		}
		const reply = text.slice(3);
		const isNote = reply.startsWith('(');
		const words = isNote ? (awaited[0] ?? '') : (awaited.shift() ?? 'banner');
		const [command = ''] = words.split(' ');
		if (command === 'RCPT' && !isNote) {
			// The last reply counts where the recipient was put off before.
			rcptAt.set(words, when);
			continue;
		}
		const step = reply.includes('TLS') && isNote ? 'tls' : command === 'banner' ? 'banner' : STAGES[command];
		if (step !== undefined) steps.push({ step, at: when, host, ...readReply(mask(reply)) });
	}
	const answers = withInvented(report, known);
	const rcpt = (one: RecipientReply, isTarget: boolean): TimedStep[] => {
		if (one.reply === null) return [];
		const { code, enhanced, lines } = one.reply;
		const { rule, likelihood } = isTarget
			? readTarget(one, answers, operator)
			: readRecipient(one, report.sender, operator);
		const text = mask(withoutStatus(lines.join(' / '), enhanced));
		return [
			{
				step: 'rcpt',
				at: rcptAt.get(`RCPT TO:<${one.recipient}>`) ?? at,
				host,
				code,
				...(enhanced === null ? {} : { enhanced }),
				text: isTarget ? text : `(invented recipient) ${text}`,
				rule,
				source: likelihood === null ? 'reply-rules' : 'reply-words',
				...(likelihood === null ? {} : { likelihood: Math.round(likelihood * 100) / 100 }),
			},
		];
	};
	steps.push(
		...report.targets.flatMap((one) => rcpt(one, true)),
		...report.invented.flatMap((one) => rcpt(one, false)),
	);
	const { rule } = interpretation;
	const end =
		report.end.kind === 'complete' ? '' : ` The conversation ended at ${report.stage}: ${report.end.kind}.`;
	const text = `${conclusionOf(interpretation)}${end}`;
	return [
		...steps,
		{ step: 'rule', at, host, ...(rule === null ? {} : { rule, source: 'reply-rules' }), text },
	];
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

/** A reply of the transcript: `550 5.1.1 no such user`. */
function readReply(reply: string): Pick<TimedStep, 'code' | 'enhanced' | 'text'> {
	const [, code, rest = ''] = /^(\d{3}) ?(.*)$/su.exec(reply) ?? [];
	if (code === undefined) return { text: reply };
	const enhanced = /^[245]\.\d{1,3}\.\d{1,3}\b/u.exec(rest)?.[0];
	const text = withoutStatus(rest, enhanced ?? null);
	return { code: Number(code), ...(enhanced === undefined ? {} : { enhanced }), text };
}

/** The words of a reply, each line of which may repeat the enhanced status. */
function withoutStatus(text: string, enhanced: string | null): string {
	return enhanced === null ? text : text.replaceAll(`${enhanced} `, '');
}

// Dotted or dashed, as in names of hosts; and IPv6, of which a clock's hours and minutes are not one.
const ADDRESSES = /\b\d{1,3}(?:[.-]\d{1,3}){3}\b|(?<![\w:])[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*/giu;

/** Replaces our sender, our host's name and every IP address: a server repeats what it knows of us. */
function maskOf(reports: readonly SessionReport[]): (text: string) => string {
	const senders = reports.map(({ sender }) => sender);
	const hellos = reports.flatMap(({ transcript }) =>
		transcript.flatMap((line) => /^C: (?:EHLO|HELO) (\S+)/u.exec(line)?.[1] ?? []),
	);
	const names = [...hellos, ...reports.map(({ heloName }) => heloName)];
	const domains = senders.map(domainOf);
	const ours = [...new Set([...senders, ...names, ...domains])].filter((name) => name.length > 3);
	// The longest first: a sender contains its domain.
	const words = ours.toSorted((a, b) => b.length - a.length).map((name) => escaped(name));
	const pattern = words.length === 0 ? null : new RegExp(words.join('|'), 'giu');
	return (text) => {
		const unnamed = pattern === null ? text : text.replaceAll(pattern, '[ours]');
		return unnamed.replaceAll(ADDRESSES, (found) => (isIp(found) ? '[address]' : found));
	};
}

function isIp(found: string): boolean {
	const bare = found.replace(/[.:]$/u, '');
	return isAddress(bare) || isAddress(bare.replaceAll('-', '.')) || isAddress(found);
}
