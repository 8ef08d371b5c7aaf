import { sharedWording, wordingOf } from '../core/catchall/reply-difference.ts';
import { usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../core/dns/find-mail-exchangers.ts';
import { findMailOperator, speaksForOf } from '../core/mail-operators/operators.ts';
import type { MailOperator } from '../core/mail-operators/operators.ts';
import { RECIPIENTS_PER_TRANSACTION } from '../core/smtp/limits.ts';
import type { RecipientReply, SessionPlan } from '../core/smtp/session.ts';
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

/** A target without an answer is null: another question asks about it. */
type Answers = ReadonlyMap<string, Finding | null>;

const ADDRESSES_PER_HOST_MAX = 2;
// First contact with postscreen's deep tests ends in a 450; five seconds later the same caller is let in.
const ASK_AGAIN_AFTER_MS = 6_000;
// A host that twice says nothing of anybody will not say more of the next.
const STALLS_MAX = 2;

/**
 * Asks a domain's mail hosts; and a single question that was put off at first contact once more.
 *
 * @param foundCatchAll called as soon as a host accepts an invented recipient, or if it is known to
 */
export async function ask(ports: AskPorts, question: Question, foundCatchAll?: () => void): Promise<Asked> {
	const { clock } = ports;
	const steps: TimedStep[] = [];
	const asking: Asking = { ...ports, question, foundCatchAll, steps, recipients: 0 };
	let answers = await askHosts(asking);
	const hasTime = clock.now() + ASK_AGAIN_AFTER_MS + CONVERSATION_MS_MIN <= question.deadline;
	if (question.class === 'single' && hasTime && [...answers.values()].every(isWorthAskingAgain)) {
		const why = 'short greylisting lets the same caller in by then';
		steps.push({ step: 'rule', at: clock.now(), rule: 'wait', text: `${ASK_AGAIN_AFTER_MS} ms: ${why}` });
		// The same invented recipients: who greylists by recipient knows these then, and would turn new ones away again.
		await clock.sleep(ASK_AGAIN_AFTER_MS);
		const later = [...(await askHosts(asking))].filter(([, answer]) => answer?.kind === 'heard');
		answers = new Map([...answers, ...later]);
	}
	const evidence = question.explain === true ? finished(steps) : [];
	const inOrder = question.targets.map((target) => answers.get(target) ?? null);
	return { answers: inOrder, evidence, recipients: asking.recipients };
}

/** Asks the hosts, best preference first, while those before did not serve us and there is time (RFC 5321 §5.1). */
async function askHosts(asking: Asking): Promise<Answers> {
	const { clock, question, addressPolicy } = asking;
	const answers = new Map<string, Finding | null>();
	// The targets that no host of better preference had an answer for.
	let open = question.targets;
	const settle = (rest: Finding): void => open.forEach((target) => void answers.set(target, rest));
	settle({ kind: 'unroutable' });
	let dialled = 0;
	let isHeard = false;
	for (const [rank, host] of question.hosts.entries()) {
		if (open.length === 0) break;
		const isLate = question.deadline - clock.now() < CONVERSATION_MS_MIN;
		if (dialled === 0 && (isLate || host.failed)) settle({ kind: 'dns_error' });
		if (isLate) break;
		const addresses = usableAddresses(host.addresses, addressPolicy).slice(0, ADDRESSES_PER_HOST_MAX);
		if (addresses.length === 0) continue;
		dialled += 1;
		const heard = await new Visit(asking, host.name, rank === 0, open).ask(addresses);
		isHeard ||= heard !== null;
		if (!isHeard) settle({ kind: 'no_connect', tried: dialled });
		heard?.forEach((answer, target) => void answers.set(target, answer));
		if (heard !== null) open = open.filter((target) => isForTheNext(heard.get(target) ?? null));
	}
	return answers;
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

/** One mail host of the domain: one conversation where it takes our manners, else as few as it takes to learn these. */
class Visit {
	readonly #asking: Asking;
	readonly #name: string;
	/** No host of better preference was asked before. */
	readonly #isBest: boolean;
	/** The operator of this very host: another host of the domain may be another's, with other habits. */
	readonly #operator: MailOperator | null;
	readonly #answers: Map<string, Finding | null>;
	/** The targets that are still to be asked about. */
	#open: readonly string[];
	/** The host's replies to invented recipients so far. */
	#known: readonly RecipientReply[] = [];
	#pipelining: SessionPlan['pipelining'] = 'when_offered';
	#tls: SessionPlan['tls'];
	#perTransaction: number;
	/**
	 * Beside several targets, time may not suffice for the invented recipient, by which all of them are judged. A single
	 * target comes first, so that no earlier refusal affects its answer.
	 */
	#asksInventedFirst = true;
	/** How many conversations brought no answer. */
	#stalls = 0;

	constructor(asking: Asking, name: string, isBest: boolean, targets: readonly string[]) {
		this.#asking = asking;
		this.#name = name;
		this.#isBest = isBest;
		this.#operator = asking.question.implicit ? null : findMailOperator([name]);
		this.#answers = new Map(targets.map((target) => [target, null]));
		this.#open = targets;
		this.#tls = this.#operator?.tls ?? 'when_demanded';
		this.#perTransaction = this.#operator?.perTransaction ?? RECIPIENTS_PER_TRANSACTION;
	}

	/** Null: no address takes a connection. */
	async ask(addresses: readonly string[]): Promise<Answers | null> {
		const { clock, conversations, question, steps } = this.#asking;
		let isHeard = false;
		for (let at = 0; at < addresses.length;) {
			const leftMs = question.deadline - clock.now();
			// The time was up before others of the group could be asked again.
			if (isHeard && leftMs < CONVERSATION_MS_MIN && this.#answers.size > 1) this.#settle(null);
			if (leftMs < (isHeard ? CONVERSATION_MS_MIN : 1)) break;
			const address = addresses[at] ?? '';
			const conversed = await conversations.hold(this.#request(address));
			const now = clock.now();
			if (conversed.kind === 'paused' || conversed.kind === 'busy') {
				if (conversed.kind === 'paused')
					steps.push({ step: 'rule', at: now, rule: 'paused', host: this.#name, text: conversed.why });
				this.#settle(this.#stoppedBy(conversed));
				return this.#answers;
			}
			const isWarm = conversed.kind === 'held' && conversed.warm;
			const outcome =
				conversed.kind === 'no_connection' ? conversed.why : isWarm ? 'connected before' : 'connected';
			steps.push({ step: 'connect', at: now, text: `${address}: ${outcome}` });
			if (conversed.kind === 'held') {
				isHeard = true;
				if (!this.#hear(conversed)) break;
			} else if (isHeard) {
				// It was there a moment ago and had enough of us: its other addresses are no way around that.
				break;
			} else at += 1;
		}
		return isHeard ? this.#answers : null;
	}

	/**
	 * The answer about targets while the host is left alone. A list waits for an operator that many of its addresses are at:
	 * that is our decision, and no answer of the recipient's. A caller hears why, and so does a list about a single host or
	 * domain: one that always limits us must not keep a small job open for a day. Another host of the same domain would be
	 * a way around the block.
	 */
	#stoppedBy(conversed: Extract<Conversed, { kind: 'busy' | 'paused' }>): Finding {
		const { until } = conversed;
		if (conversed.kind === 'busy') return { kind: 'postponed', until };
		const operator = this.#operator?.operator ?? null;
		const isOfMany = operator !== null && speaksForOf(operator) !== 'itself' && conversed.ofDomain !== true;
		const waits = this.#asking.question.class !== 'single' && isOfMany;
		return waits ? { kind: 'postponed', until } : { kind: 'paused', why: conversed.why };
	}

	/** Answers what is open. */
	#settle(answer: Finding | null): void {
		for (const target of this.#open) this.#answers.set(target, answer);
	}

	/** The conversation with the host that comes next. */
	#request(address: string): ConversationRequest {
		const { clock, question, foundCatchAll } = this.#asking;
		const { deep, deadline, needsSmtputf8 } = question;
		const row = this.#operator;
		// Providers that say yes to all, or that hold a second recipient against the first, get the one question.
		const onlyTarget = row?.routeClass === 'blind' || row?.perTransaction === 1;
		const invented = onlyTarget || this.#known.length > 0 ? null : question.invented;
		const plan = {
			targets: this.#open,
			invented: invented === null ? [] : [invented.first, ...(deep === 'never' ? [] : invented.further)],
			asksInvented: this.#asksInventedFirst && this.#open.length > 1 ? ('first' as const) : undefined,
			deep,
			needsSmtputf8,
			pipelining: this.#pipelining,
			tls: this.#tls,
			// A slow operator has the time that it needs for a reply, where the asker has that time.
			replyTimeoutMs: Math.min(row?.slowestReplyMs ?? 0, deadline - clock.now()),
			perTransaction: this.#perTransaction,
		};
		const host = { address, hostName: this.#name, operator: row?.operator ?? null, isBest: this.#isBest };
		return { ...question, ...host, plan, known: this.#known, foundCatchAll };
	}

	/** Notes the answers of a conversation. Whether there is something to be asked in another one. */
	#hear({ report, reading }: Extract<Conversed, { kind: 'held' }>): boolean {
		const { clock, question, steps } = this.#asking;
		const now = clock.now();
		const leftMs = question.deadline - now;
		const { readings } = reading;
		const about = { kind: 'heard', host: this.#name, viaBackup: !this.#isBest, readings } as const;
		const invented = sharedWording(report.invented);
		const heard = reading.targets.map(({ interpretation, ...target }) => {
			const words = { target: wordingOf(target), invented };
			const answer: Heard = { ...about, interpretation, words, secured: report.secured };
			return { ...target, answer, stumbles: interpretation.advice === 'ask_in_lockstep' };
		});
		this.#asking.recipients += [...report.targets, ...report.invented].filter(isReplied).length;
		if (question.explain === true) steps.push(...stepsOf(now, this.#name, report, reading));
		const stumbles = heard.some((one) => one.stumbles);
		const learns = !stumbles && report.invented.some(isReplied);
		if (learns) this.#known = report.invented;
		const replied = heard.filter(isReplied);
		const isMute = replied.length === 0;
		// Later ones were cut short by us: that is no fact about them. But each question has one answer at least.
		if (isMute && leftMs <= 0 && this.#open.length < this.#answers.size) return false;
		if (!isMute) this.#settle(null);
		// Where no other conversation can be held, a mute one decides.
		for (const { recipient, answer } of isMute ? heard : replied) this.#answers.set(recipient, answer);
		const done = new Set(replied.filter((one) => !one.stumbles).map(({ recipient }) => recipient));
		this.#open = this.#open.filter((target) => !done.has(target));
		if (this.#open.length === 0) return false;
		this.#perTransaction = report.perTransaction;
		if (stumbles) {
			// It seems not to take groups of commands.
			this.#pipelining = 'never';
			return true;
		}
		if (report.end.kind === 'tls_failed' && this.#tls === 'when_offered') {
			// The handshake was our wish: the server may well serve us without.
			this.#tls = 'never';
			return true;
		}
		// The turn, or the connection, sufficed for some; or the invented recipient came first, and the server hung up on it,
		// or left the targets no time.
		if (!isMute) this.#stalls = 0;
		if (!isMute || learns) return true;
		this.#stalls += 1;
		const isAtRcpt = report.stage === 'rcpt';
		const cameFirst = this.#asksInventedFirst && heard.length > 1 && report.invented.length > 0;
		if (cameFirst && isAtRcpt && leftMs >= CONVERSATION_MS_MIN) {
			// Perhaps the server is silent about it alone.
			this.#asksInventedFirst = false;
			return true;
		}
		// Before RCPT it is about us and holds for all; at RCPT it may be one mailbox that takes the server's time.
		if (!isAtRcpt || (this.#stalls >= STALLS_MAX && leftMs > 0)) return false;
		this.#open = this.#open.slice(1);
		return this.#open.length > 0;
	}
}

function isReplied({ reply }: RecipientReply): boolean {
	return reply !== null;
}
