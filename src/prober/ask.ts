import { sharedWording, wordingOf } from '../core/catchall/reply-difference.ts';
import { usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../core/dns/find-mail-exchangers.ts';
import { findMailOperator, speaksForOf } from '../core/mail-operators/operators.ts';
import type { MailOperator, OperatorName } from '../core/mail-operators/operators.ts';
import { RECIPIENTS_PER_TRANSACTION } from '../core/smtp/limits.ts';
import type { RecipientReply, SessionPlan } from '../core/smtp/session.ts';
import type { Pause } from '../core/turns/pause.ts';
import { finished } from '../core/verification/evidence.ts';
import type { TimedStep } from '../core/verification/evidence.ts';
import type { Asked, Question } from '../wire/prober.ts';
import type { Finding, Heard } from '../core/verification/finding.ts';
import type { Clock } from '../lib/time.ts';
import { CONVERSATION_MS_MIN } from './conversation.ts';
import type { ConversationRequest, Conversed } from './conversation.ts';
import { stepsOf } from './steps.ts';
import type { Conversations } from './turns/turns.ts';

export interface AskPorts {
	readonly clock: Clock;
	readonly conversations: Conversations;
	/** Which addresses of mail hosts may be dialled, for any asker. */
	readonly addressPolicy: AddressPolicy;
}

/** A question under way, and the notes about it. */
interface Asking extends AskPorts {
	readonly question: Question;
	readonly foundCatchAll: (() => void) | undefined;
	/** The steps to the answer, where the asker wants them. */
	readonly steps: TimedStep[];
	/** The recipients that mail hosts replied to, invented ones included. */
	recipients: number;
}

/** One mail host of the domain. */
interface Visit {
	/** The targets that no host of better preference had an answer for. */
	readonly targets: readonly string[];
	readonly name: string;
	/** The operator that runs it; null: none that we know. */
	readonly operator: MailOperator | null;
	/** Where it may be dialled. */
	readonly addresses: readonly string[];
	/** No host of better preference was asked before. */
	readonly isBest: boolean;
}

/** The questions of one conversation with the host. */
interface Attempt extends Pick<SessionPlan, 'targets' | 'pipelining' | 'tls' | 'perTransaction'> {
	/**
	 * Beside several targets, time may not suffice for the invented recipient, by which all of them are judged. A single
	 * target comes first, so that no earlier refusal affects its answer.
	 */
	readonly asksInventedFirst: boolean;
	/** The host's replies to invented recipients so far. */
	readonly known: readonly RecipientReply[];
	/** How many conversations brought no answer. */
	readonly stalls: number;
}

const ADDRESSES_PER_HOST_MAX = 2;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;
// A host that twice says nothing of anybody will not say more of the next.
const STALLS_MAX = 2;

/**
 * Asks a domain's mail hosts, best preference first, while those before did not serve us and there is time (RFC 5321 §5.1);
 * and a single question that was put off at first contact once more.
 *
 * @param foundCatchAll called as soon as a host accepts an invented recipient, or if it is known to
 */
export async function ask(ports: AskPorts, question: Question, foundCatchAll?: () => void): Promise<Asked> {
	const { clock, addressPolicy } = ports;
	const steps: TimedStep[] = [];
	const asking: Asking = { ...ports, question, foundCatchAll, steps, recipients: 0 };
	let answers: readonly (Finding | null)[] = [];
	for (const isAgain of [false, true]) {
		const found = new Map<string, Finding | null>();
		// The mailboxes that the next host may be asked about.
		let open = question.targets;
		const settle = (rest: Finding): void => open.forEach((target) => void found.set(target, rest));
		settle({ kind: 'unroutable' });
		let dialled = 0;
		for (const [rank, host] of question.hosts.entries()) {
			if (open.length === 0) break;
			const isLate = question.deadline - clock.now() < CONVERSATION_MS_MIN;
			if (dialled === 0 && (isLate || host.failed)) settle({ kind: 'dns_error' });
			if (isLate) break;
			const addresses = usableAddresses(host.addresses, addressPolicy).slice(0, ADDRESSES_PER_HOST_MAX);
			if (addresses.length === 0) continue;
			if (dialled === 0) settle({ kind: 'no_connect', tried: 0 });
			dialled += 1;
			// The operator of this very host: another host of the domain may be another's, with other habits.
			const operator = question.implicit ? null : findMailOperator([host.name]);
			const visit = { targets: open, name: host.name, operator, addresses, isBest: rank === 0 };
			const heard = await askHost(asking, visit);
			heard?.forEach((answer, target) => void found.set(target, answer));
			if (heard !== null) open = open.filter((target) => isForTheNext(heard.get(target) ?? null));
		}
		answers = question.targets.map((target, at) => {
			const answer = found.get(target) ?? null;
			if (isAgain && answer?.kind !== 'heard') return answers[at] ?? null;
			return answer?.kind === 'no_connect' ? { ...answer, tried: dialled } : answer;
		});
		const hasTime = clock.now() + ASK_AGAIN_AFTER_MS + CONVERSATION_MS_MIN <= question.deadline;
		if (isAgain || question.class !== 'single' || !hasTime || !answers.every(isWorthAskingAgain)) break;
		const why = 'short greylisting lets the same caller in by then';
		steps.push({ step: 'rule', at: clock.now(), rule: 'wait', text: `${ASK_AGAIN_AFTER_MS} ms: ${why}` });
		// The same invented recipients: who greylists by recipient knows these then, and would turn new ones away again.
		await clock.sleep(ASK_AGAIN_AFTER_MS);
	}
	const evidence = question.explain === true ? finished(steps) : [];
	return { answers, evidence, recipients: asking.recipients };
}

/** The host did not serve us for this target; another may. */
function isForTheNext(answer: Finding | null): boolean {
	return answer?.kind === 'heard' && answer.interpretation.advice === 'next_host';
}

function isWorthAskingAgain(answer: Finding | null): boolean {
	if (answer?.kind !== 'heard') return false;
	const { advice, target, replyCode } = answer.interpretation;
	if (advice === 'ask_again_soon') return true;
	// A greeting of 4xx by every host is postscreen or load, as short-lived as a deferral. Silence and nonsense are not,
	// and who limits or blocks us is not asked more often for it.
	const isAboutUs =
		target.kind === 'unknown' && (target.why === 'rate_limited' || target.why === 'probe_blocked');
	return advice === 'next_host' && replyCode !== null && !isAboutUs;
}

/**
 * The answers of one host, in one conversation where it takes our manners, else in as few as it takes to learn what it
 * takes. A target without an answer is null: another question asks about it. Null: no address takes a connection.
 */
async function askHost(asking: Asking, visit: Visit): Promise<ReadonlyMap<string, Finding | null> | null> {
	const { clock, conversations, question, steps } = asking;
	const { operator, addresses, targets } = visit;
	const answers = new Map<string, Finding | null>(targets.map((target) => [target, null]));
	let attempt: Attempt | null = {
		targets,
		pipelining: 'when_offered',
		tls: operator?.tls ?? 'when_demanded',
		perTransaction: operator?.perTransaction ?? RECIPIENTS_PER_TRANSACTION,
		asksInventedFirst: true,
		known: [],
		stalls: 0,
	};
	let isHeard = false;
	for (let at = 0; at < addresses.length && attempt !== null;) {
		if (question.deadline - clock.now() < (isHeard ? CONVERSATION_MS_MIN : 1)) break;
		const address = addresses[at] ?? '';
		const request: ConversationRequest = requestOf(asking, visit, address, attempt);
		const conversed = await conversations.hold(request);
		const now = clock.now();
		if (conversed.kind === 'paused' || conversed.kind === 'busy') {
			if (conversed.kind === 'paused')
				steps.push({ step: 'rule', at: now, rule: 'paused', host: visit.name, text: conversed.why });
			const stopped = stoppedBy(conversed, request.operator, question);
			for (const target of attempt.targets) answers.set(target, stopped);
			return answers;
		}
		const isWarm = conversed.kind === 'held' && conversed.warm;
		const outcome =
			conversed.kind === 'no_connection' ? conversed.why : isWarm ? 'connected before' : 'connected';
		steps.push({ step: 'connect', at: now, text: `${address}: ${outcome}` });
		if (conversed.kind === 'held') {
			isHeard = true;
			attempt = hearOut(asking, visit, attempt, conversed, answers);
		} else if (isHeard) {
			// It was there a moment ago and had enough of us: its other addresses are no way around that.
			break;
		} else at += 1;
	}
	// The time was up before others of the group could be asked again.
	if (attempt !== null && targets.length > 1 && question.deadline - clock.now() < CONVERSATION_MS_MIN)
		for (const target of attempt.targets) answers.set(target, null);
	return isHeard ? answers : null;
}

/** The conversation that an attempt asks for. */
function requestOf(
	{ clock, question, foundCatchAll }: Asking,
	{ name, operator: row, isBest }: Visit,
	address: string,
	{ targets, pipelining, tls, perTransaction, asksInventedFirst, known }: Attempt,
): ConversationRequest {
	const { deep, deadline } = question;
	const operator = row?.operator ?? null;
	const slowestReplyMs = row?.slowestReplyMs ?? null;
	// Providers that say yes to all, or that hold a second recipient against the first, get the one question.
	const onlyTarget = row?.routeClass === 'blind' || row?.perTransaction === 1;
	const invented = onlyTarget || known.length > 0 ? null : question.invented;
	const plan = {
		targets,
		invented: invented === null ? [] : [invented.first],
		furtherInvented: invented === null || deep === 'never' ? [] : invented.further,
		asksInventedFirst: asksInventedFirst && targets.length > 1,
		deep,
		needsSmtputf8: question.needsSmtputf8,
		pipelining,
		tls,
		// A slow operator has the time that it needs for a reply, where the asker has that time.
		replyTimeoutMs: slowestReplyMs === null ? null : Math.min(slowestReplyMs, deadline - clock.now()),
		perTransaction,
	};
	return { ...question, address, hostName: name, operator, isBest, plan, known, foundCatchAll };
}

/**
 * The answer about targets while the host is left alone. A list waits for an operator that many of its addresses are
 * at: that is our decision, and no answer of the recipient's. A caller hears why, and so does a list about a single host
 * or domain: one that always limits us must not keep a small job open for a day. Another host of the same domain would be
 * a way around the block.
 */
export function stoppedBy(
	conversed: Extract<Conversed, { kind: 'busy' }> | ({ readonly kind: 'paused' } & Pause),
	operator: OperatorName | null,
	{ class: urgency }: Pick<Question, 'class'>,
): Extract<Finding, { kind: 'paused' | 'postponed' }> {
	if (conversed.kind === 'busy') return { kind: 'postponed', until: conversed.until };
	const { why, until, ofDomain } = conversed;
	const isOfMany = operator !== null && speaksForOf(operator) !== 'itself' && ofDomain !== true;
	const waits = urgency !== 'single' && isOfMany;
	return waits ? { kind: 'postponed', until } : { kind: 'paused', why };
}

/**
 * Notes the answers of a conversation, and returns what is to be asked in another one; null: nothing.
 *
 * @param answers those of the host so far
 */
function hearOut(
	asking: Asking,
	{ targets, name, isBest }: Visit,
	attempt: Attempt,
	{ report, reading }: Extract<Conversed, { kind: 'held' }>,
	answers: Map<string, Finding | null>,
): Attempt | null {
	const { clock, question, steps } = asking;
	const { pipelining, asksInventedFirst, stalls } = attempt;
	const now = clock.now();
	const invented = sharedWording(report.invented);
	const heard = reading.targets.map(({ interpretation, ...target }): Heard => ({
		kind: 'heard',
		host: name,
		viaBackup: !isBest,
		interpretation,
		readings: reading.readings,
		words: { target: wordingOf(target), invented },
		secured: report.secured,
	}));
	const isStumble = ({ interpretation: { advice } }: Heard): boolean =>
		pipelining === 'when_offered' && advice === 'ask_in_lockstep';
	const stumbles = heard.some(isStumble);
	const learns = !stumbles && report.invented.some(({ reply }) => reply !== null);
	const known = learns ? report.invented : attempt.known;
	asking.recipients += [...report.targets, ...report.invented].filter(({ reply }) => reply !== null).length;
	if (question.explain === true) steps.push(...stepsOf(now, name, report, reading));
	const isMute = report.targets.every(({ reply }) => reply === null);
	if (!isMute) for (const target of attempt.targets) answers.set(target, null);
	const open = new Set(attempt.targets);
	for (const [at, one] of heard.entries()) {
		const { recipient = '', reply = null } = report.targets[at] ?? {};
		if (reply !== null) answers.set(recipient, one);
		if (reply !== null && !isStumble(one)) open.delete(recipient);
	}
	if (open.size === 0) return null;
	const again = (changes: Partial<Attempt>): Attempt => {
		const { perTransaction } = report;
		return { ...attempt, perTransaction, known, targets: [...open], ...changes };
	};
	const leftMs = question.deadline - now;
	// Later ones were cut short by us: that is no fact about them. But each question has one answer at least.
	if (isMute && leftMs <= 0 && open.size < targets.length) return null;
	// Where no other conversation can be held, this one decides.
	if (isMute) for (const { recipient } of report.targets) answers.set(recipient, heard[0] ?? null);
	// It seems not to take groups of commands.
	if (stumbles) return again({ pipelining: 'never' });
	// The handshake was our wish: the server may well serve us without.
	if (report.end.kind === 'tls_failed' && attempt.tls === 'when_offered') return again({ tls: 'never' });
	// The turn, or the connection, sufficed for some.
	if (!isMute) return again({ stalls: 0 });
	// The invented recipient came first, and the server hung up on it, or left the targets no time.
	if (learns) return again({});
	const isAtRcpt = report.stage === 'rcpt';
	const cameFirst = asksInventedFirst && report.targets.length > 1 && report.invented.length > 0;
	// Perhaps the server is silent about it alone.
	if (cameFirst && isAtRcpt && leftMs >= CONVERSATION_MS_MIN)
		return again({ asksInventedFirst: false, stalls: stalls + 1 });
	// Before RCPT it is about us and holds for all; at RCPT it may be one mailbox that takes the server's time.
	if (!isAtRcpt || (stalls + 1 >= STALLS_MAX && leftMs > 0)) return null;
	open.delete(attempt.targets[0] ?? '');
	return open.size === 0 ? null : again({ stalls: stalls + 1 });
}
