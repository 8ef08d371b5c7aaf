import { visible } from '../../lib/text.ts';
import type { Address } from '../address/parse-address.ts';
import type { Breakdown } from '../catchall/breakdown.ts';
import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import type { Classification } from '../smtp/classify-reply.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';
import type { Interpretation } from './interpret-session.ts';
import { readRecipient, readTarget, withInvented } from './read-recipient.ts';
import type { CatchAllVerdict, ListFacts } from './render.ts';
import { SUB_STATUSES } from './sub-status.ts';
import type { SubStatus } from './sub-status.ts';

/** How far a verification has come. It names only steps that have happened. */
export type Progress =
	/** The domain's mail hosts are being looked up. */
	| { readonly at: 'domain' }
	/** The mail host of best preference, or one after it, is being asked about the mailbox. */
	| { readonly at: 'server'; readonly host: string }
	/** The conversation is over and we weigh its evidence; for a catch-all domain we look up more. */
	| { readonly at: 'mailbox'; readonly host: string; readonly replied: boolean };

/** The first step of every verification. */
export const AT_FIRST: Progress = { at: 'domain' };

/** The progress after this step of the trace, or null if the step doesn't change it. */
export function progressAfter(event: TraceEvent): Progress | null {
	switch (event.step) {
		case 'route': {
			const [host] = event.route.kind === 'hosts' ? event.route.hosts : [];
			return host === undefined ? null : { at: 'server', host };
		}
		case 'conversation':
			return { at: 'mailbox', host: event.host, replied: event.interpretation.replyCode !== null };
		case 'address':
		case 'lists':
		case 'host':
		case 'dial':
		case 'wait':
		case 'paused':
		case 'score':
		case 'decision':
			return null;
	}
}

/** One step on the way to a verdict. No step holds a key, a password or any other secret. */
export type TraceEvent =
	| { readonly step: 'address'; readonly address: Address }
	| { readonly step: 'lists'; readonly facts: ListFacts }
	| { readonly step: 'route'; readonly route: MailRoute; readonly operator: MailOperator | null }
	| {
			readonly step: 'host';
			readonly host: string;
			readonly found: string;
			readonly usable: readonly string[];
	  }
	| { readonly step: 'dial'; readonly address: string; readonly egress: string; readonly outcome: string }
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
	| {
			readonly step: 'score';
			readonly breakdown: Breakdown;
			readonly score: number;
			readonly verdict: CatchAllVerdict;
	  }
	| { readonly step: 'decision'; readonly subStatus: SubStatus };

/** Receives each step as it happens. */
export type Trace = (event: TraceEvent) => void;

/** Renders the steps as lines for people. */
export function explain(events: readonly TraceEvent[]): readonly string[] {
	// A server's replies may contain escape sequences, and characters that reorder the text on a screen.
	return events.flatMap(linesOf).map(visible);
}

function linesOf(event: TraceEvent): readonly string[] {
	switch (event.step) {
		case 'address':
			return addressLines(event.address);
		case 'lists':
			return [`Lists      ${listWords(event.facts)}`];
		case 'route':
			return routeLines(event.route, event.operator);
		case 'host':
			return [`Host       ${event.host}: ${event.found}; usable: ${event.usable.join(', ') || 'none'}`];
		case 'dial':
			return [`Connect    ${event.address} by ${event.egress}: ${event.outcome}`];
		case 'conversation':
			return conversationLines(event);
		case 'wait':
			return [`Wait       ${event.ms} ms: ${event.why}`];
		case 'paused':
			return [`Paused     ${event.host} is left alone for now: ${event.why}`];
		case 'score':
			return [
				...event.breakdown.explanations.map(
					({ signal, effect, text }) => `Signal     ${signal} ${effect < 0 ? '' : '+'}${effect}: ${text}`,
				),
				`Score      ${event.score} (${event.verdict}), from ${Math.round(event.breakdown.coverage * 100)} % of the evidence`,
			];
		case 'decision': {
			const { status, reason } = SUB_STATUSES[event.subStatus];
			return [`Verdict    ${status} / ${event.subStatus}: ${reason}`];
		}
	}
}

function addressLines({ email, domain, needsSmtputf8 }: Address): readonly string[] {
	return [`Address    ${email}, looked up as ${domain}${needsSmtputf8 ? ', needs SMTPUTF8' : ''}`];
}

function listWords(facts: ListFacts): string {
	const words = [
		facts.disposable ? 'disposable domain' : null,
		facts.freeEmail ? 'free provider' : null,
		facts.roleAccount ? 'role account' : null,
		facts.noReply ? 'no-reply' : null,
		facts.suggestedDomain === null ? null : `probably meant ${facts.suggestedDomain}`,
	].filter((word) => word !== null);
	return words.join(', ') || 'nothing known';
}

function routeLines(route: MailRoute, operator: MailOperator | null): readonly string[] {
	if (route.kind !== 'hosts')
		return [`DNS        ${route.kind}${'cause' in route ? ` (${route.cause})` : ''}`];
	const source = route.implicit ? 'no MX, the domain itself' : `MX ${route.hosts.join(', ')}`;
	const known =
		operator === null
			? 'operator unknown'
			: `operator ${operator.operator}, recipients ${operator.recipients}`;
	return [`DNS        ${source}`, `Operator   ${known}`];
}

function conversationLines({
	report,
	interpretation,
	operator,
	invented: known,
}: Extract<TraceEvent, { step: 'conversation' }>) {
	const answers = withInvented(report, known);
	const answered = [
		...report.targets.map((one) => readingLine(one, readTarget(one, answers, operator))),
		...report.invented.map((one) => readingLine(one, readRecipient(one, report.sender, operator))),
	];
	const { target, invented, advice, rule } = interpretation;
	const why = target.kind === 'unknown' || target.kind === 'rejected' ? ` ${target.why}` : '';
	return [
		...report.transcript.map((line) => `           ${line}`),
		`Ended      ${endWords(report)}, ${report.roundTrips} waits, ${report.pipelined ? 'pipelined' : 'one by one'}`,
		...answered,
		`Finding    target ${target.kind}${why}${rule === null ? '' : ` (rule ${rule})`}; invented ${invented}; ${advice}`,
	];
}

function endWords({ end, stage }: SessionReport): string {
	return end.kind === 'timeout' ? `no answer at ${stage} (timeout)` : `${end.kind} at ${stage}`;
}

function readingLine(
	{ recipient, reply }: RecipientReply,
	{ meaning, rule, likelihood }: Classification,
): string {
	if (reply === null) return `Reading    ${recipient}: not answered`;
	const source =
		likelihood === null
			? `rule ${rule}`
			: `no rule knows this wording; by its words it reads as: no such mailbox, likelihood ${likelihood.toFixed(2)}; rule ${rule}`;
	return `Reading    ${recipient}: ${meaning} (${source})`;
}
