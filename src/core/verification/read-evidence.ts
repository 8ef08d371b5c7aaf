import { domainOf } from '../address/parse-address.ts';
import { isAddress } from '../../lib/ip-address.ts';
import { visible } from '../../lib/text.ts';
import { MODEL } from '../catchall/table.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';
import { escaped, STEPS_MAX, TEXT_MAX } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { readRecipient, readTarget, withInvented } from './read-recipient.ts';
import { SUB_STATUSES } from './sub-status.ts';
import type { TraceEvent } from './trace.ts';

/** A step of the trace, and when it happened (epoch ms). */
export interface TimedEvent {
	readonly event: TraceEvent;
	readonly at: number;
}

type Step = Omit<Evidence, 'at_ms'> & { readonly at: number };

/** The steps of an examination that began at this time (epoch ms), in order. */
export function evidenceOf(events: readonly TimedEvent[], begun: number): readonly Evidence[] {
	const mask = maskOf(events.flatMap(({ event }) => (event.step === 'conversation' ? [event.report] : [])));
	const steps = events.flatMap((timed) => stepsOf(timed, mask));
	// The beginning and the end tell most.
	const kept =
		steps.length <= STEPS_MAX ? steps : [...steps.slice(0, STEPS_MAX / 2), ...steps.slice(-STEPS_MAX / 2)];
	return kept.map(({ at, text, host, ...step }) => ({
		...step,
		at_ms: Math.max(0, Math.round(at - begun)),
		...(host === undefined ? {} : { host: printable(host) }),
		...(text === undefined ? {} : { text: printable(text) }),
	}));
}

function stepsOf({ event, at }: TimedEvent, mask: (text: string) => string): readonly Step[] {
	switch (event.step) {
		case 'address':
		case 'lists':
			return event.step === 'lists'
				? [{ step: 'list', at, text: listWords(event.facts), source: 'lists' }]
				: [];
		case 'route': {
			const { route, operator } = event;
			const rule =
				operator === null ? {} : { rule: `operator.${operator.operator}`, source: 'mail-operators' };
			if (route.kind !== 'hosts') return [{ step: 'dns', at, text: route.kind, ...rule }];
			const text = route.implicit ? 'no MX: the domain itself' : `MX ${route.hosts.join(', ')}`;
			return [{ step: 'dns', at, text, ...rule }];
		}
		case 'host':
			return [{ step: 'dns', at, host: event.host, text: event.found }];
		case 'dial':
			return [{ step: 'connect', at, text: `${event.address}: ${event.outcome}` }];
		case 'wait':
			return [{ step: 'rule', at, rule: 'wait', text: `${event.ms} ms: ${event.why}` }];
		case 'paused':
			return [{ step: 'rule', at, rule: 'paused', host: event.host, text: event.why }];
		case 'conversation':
			return conversationSteps(event, at, mask);
		case 'score':
			return [{ step: 'score', at, text: `${event.score} of 100: ${event.verdict}`, source: MODEL }];
		case 'decision':
			return [{ step: 'rule', at, rule: event.subStatus, text: SUB_STATUSES[event.subStatus].reason }];
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
	{ host, report, interpretation, operator, invented: known }: Extract<TraceEvent, { step: 'conversation' }>,
	at: number,
	mask: (text: string) => string,
): readonly Step[] {
	const steps: Step[] = [];
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
	const rcpt = (one: RecipientReply, isTarget: boolean): Step[] => {
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
	const { target, invented, rule } = interpretation;
	const why = target.kind === 'unknown' || target.kind === 'rejected' ? ` (${target.why})` : '';
	const end =
		report.end.kind === 'complete' ? '' : `; the conversation ended at ${report.stage}: ${report.end.kind}`;
	const text = `target ${target.kind}${why}; invented recipients: ${invented}${end}`;
	return [
		...steps,
		{ step: 'rule', at, host, ...(rule === null ? {} : { rule, source: 'reply-rules' }), text },
	];
}

/** A reply of the transcript: `550 5.1.1 no such user`. */
function readReply(reply: string): Pick<Step, 'code' | 'enhanced' | 'text'> {
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

function listWords(facts: Extract<TraceEvent, { step: 'lists' }>['facts']): string {
	const words = [
		facts.disposable ? 'disposable domain' : null,
		facts.freeEmail ? 'free provider' : null,
		facts.roleAccount ? 'role account' : null,
		facts.noReply ? 'no-reply' : null,
		facts.suggestedDomain === null ? null : `probably meant ${facts.suggestedDomain}`,
	].filter((word) => word !== null);
	return words.join(', ') || 'nothing known';
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

/** Spelt out where it would not show, and cut off. */
function printable(text: string): string {
	const safe = visible(text).replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?');
	if (safe.length <= TEXT_MAX) return safe;
	// No half of a surrogate pair is left at the end.
	return Array.from(safe.slice(0, TEXT_MAX))
		.join('')
		.replace(/[\uD800-\uDBFF]$/u, '');
}
