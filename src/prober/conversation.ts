import { OPERATORS } from '../core/mail-operators/operators.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import type { OperatorRow } from '../core/mail-operators/operator-row.ts';
import { COMMAND_TIMEOUT_MS } from '../core/smtp/limits.ts';
import { isPositive } from '../core/smtp/recipient-queue.ts';
import type { RecipientReply, SessionPlan, SessionReport, SmtpSession } from '../core/smtp/session.ts';
import type { Decided } from '../core/turns/guesses.ts';
import type { Pause, Refusal } from '../core/turns/pause.ts';
import type { Party } from '../core/turns/who.ts';
import type { Interpretation } from '../core/verification/finding.ts';
import { interpretInvented, readInvented, readSession } from '../core/verification/interpret-session.ts';
import type { Reading } from '../core/verification/interpret-session.ts';
import type { Clock } from '../lib/time.ts';
import { DAY_MS } from '../lib/time.ts';
import type { Question } from '../wire/prober.ts';
import type { Connection, Dialled, SenderIdentity } from './dial/egress-dialer.ts';
import type { ProberMemory } from './memory.ts';

export const CONNECT_TIMEOUT_MS = 8_000;
// Less than this is not enough for a conversation on a real path.
export const CONVERSATION_MS_MIN = 2_000;

/** Recipients to be asked about at one address of a mail host. */
export interface ConversationRequest
	extends Party, Pick<Question, 'domain' | 'class' | 'fresh' | 'since' | 'behind' | 'deadline'> {
	/** The address of the mail host. */
	readonly address: string;
	/** The mail host's name. */
	readonly hostName: string;
	/** The operator that runs the host; null: none that we know. */
	readonly operator: OperatorName | null;
	/** It is the domain's best host: what it says to invented recipients is a fact about the domain. */
	readonly isBest: boolean;
	readonly plan: Omit<SessionPlan, keyof SenderIdentity>;
	/** What the host said to invented recipients before. */
	readonly known?: readonly RecipientReply[];
	/**
	 * Called as soon as a host is known as a catch-all, and perhaps again. Only the answer counts, and another host may give
	 * it: what is begun by this may be in vain.
	 */
	readonly foundCatchAll?: (() => void) | undefined;
}

export type Conversed =
	| {
			readonly kind: 'held';
			readonly report: SessionReport;
			readonly reading: Reading;
			readonly egress: string;
			/** The connection had been opened for another question. */
			readonly warm: boolean;
	  }
	| Extract<Dialled, { kind: 'no_connection' }>
	/** The host, or its operator, blocked or slowed us lately. */
	| ({ readonly kind: 'paused' } & Pause)
	/** Our own capacity for the host is used up until then (epoch ms). */
	| { readonly kind: 'busy'; readonly until: number };

/**
 * Leads one SMTP conversation over an open connection to its end, and leaves the connection as it is then. `deadline`
 * (epoch ms) bounds the whole of it, however the server drips its bytes.
 *
 * @param heard called when something was said
 */
export async function carryOn(
	clock: Clock,
	connection: Connection,
	session: SmtpSession,
	deadline: number,
	heard: () => void = () => {},
): Promise<void> {
	let toWrite = session.open();
	let repliesHeard = -1;
	let patienceEnds = 0;
	heard();
	for (;;) {
		if (toWrite.length > 0) await connection.write(toWrite);
		if (session.ended) return;
		// Counted per reply, not per read: a byte a second is no answer.
		if (session.repliesHeard > repliesHeard) patienceEnds = clock.now() + session.patienceMs;
		({ repliesHeard } = session);
		const read = await connection.read(Math.max(0, Math.min(patienceEnds, deadline) - clock.now()));
		if (read.kind !== 'bytes') return session.giveUp(read.kind);
		toWrite = session.receive(read.bytes);
		heard();
		if (session.wantsHandshake) {
			const limitMs = Math.max(0, Math.min(COMMAND_TIMEOUT_MS, deadline - clock.now()));
			toWrite = session.handshook(await connection.secure(limitMs));
		}
	}
}

// A domain that became a catch-all makes a false "deliverable" out of a remembered refusal: that is believed for a day.
const KEPT_MS: Readonly<Record<Interpretation['invented'], number>> = {
	accepted: 7 * DAY_MS,
	rejected: DAY_MS,
	mixed: 0,
	no_evidence: 0,
};

/** The plan without what is known of the domain already. `finish` reads the report, and remembers what is new. */
export function planFor(
	{ clock, memory }: { readonly clock: Clock; readonly memory: Pick<ProberMemory, 'find' | 'keep'> },
	{ plan, known = [], isBest, operator, domain }: ConversationRequest,
) {
	const found = isBest ? (memory.find(domain, clock.now()) ?? []) : [];
	const finding = interpretInvented(readInvented(found, null, operator).readings);
	// Who greylists by recipient (RFC 6647 §2.3) lets these in by now, and would put new ones off. A task doubts refusals.
	const names = finding === 'rejected' ? [] : found.map(({ recipient }) => recipient);
	const invented = plan.invented.map((one, at) => names[at] ?? one);
	// The deep check compares words within one conversation, so it asks a catch-all again.
	const isEnough =
		(finding === 'rejected' && plan.deep !== 'always') || (finding === 'accepted' && invented.length <= 1);
	const remembered = known.length > 0 || !isEnough ? known : found;
	const finish = (report: SessionReport): Reading => {
		const reading = readSession(report, operator, remembered);
		const says = interpretInvented(reading.readings);
		const isPutOff = reading.readings.some((one) => one === 'greylisted' || one === 'temporary');
		const isUnclear = says === 'no_evidence' && finding === 'no_evidence';
		const keptMs = isUnclear && isPutOff ? DAY_MS : KEPT_MS[says];
		if (isBest && keptMs > 0 && reading.invented === report.invented)
			memory.keep(domain, report.invented, clock.now() + keptMs);
		return reading;
	};
	// A domain that is known to take every recipient: its yes needs no waiting for, so all are asked at once, after the
	// targets. Five of them before these would leave them no time at a slow server.
	const asksInvented = finding === 'accepted' ? 'all' : plan.asksInvented;
	return { plan: { ...plan, invented: isEnough ? [] : invented, asksInvented }, remembered, finish };
}

/** An open connection. */
export interface Open {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	/** The last one that was held over it; null: none yet. */
	readonly session: SmtpSession | null;
}

/**
 * Says goodbye out of courtesy, and closes without waiting for the answer (RFC 5321 §4.1.1.10 only requires that QUIT be
 * sent). Nothing is said before the greeting: postscreen penalises clients that talk first.
 */
export async function hangUp({ connection, session }: Pick<Open, 'connection' | 'session'>): Promise<void> {
	try {
		if (session?.isGreeted === true) await connection.write(QUIT);
	} finally {
		await connection.close();
	}
}

const QUIT = new TextEncoder().encode('QUIT\r\n');

/** Whether the host that greeted us is known as a catch-all: it accepted an invented recipient, now or lately. */
export function showsCatchAll(
	session: SmtpSession,
	{ invented }: ConversationRequest['plan'],
	remembered: readonly RecipientReply[],
): boolean {
	const now = invented.map((one) => session.answerTo(one));
	const replies = [...now, ...remembered.map(({ reply }) => reply)];
	return session.isGreeted && replies.some((reply) => reply !== null && isPositive(reply));
}

// Rules of `core/smtp/reply-rules.ts` that recognise a block list by its name or wording.
const SAYS_LISTED: ReadonlySet<string | null> = new Set(['blocked.dns_list', 'blocked.listed']);

/**
 * Reads a conversation as news about us. `served`: the host answered about a mailbox, so it does not block us. `refusal`: it
 * refused us, after that if it served us; a host that refuses to relay says that it does not have the domain. `isDeferring`:
 * postscreen answers truly to those who come again, but the connection that it put off stays put off (4.3.2).
 */
export function observe(
	report: SessionReport,
	reading: Reading,
	operator: OperatorName | null,
	domain: string,
) {
	const heard = reading.targets.filter(({ reply }, at) => reply !== null || at === 0);
	const decided: Decided = heard
		.filter(({ interpretation: { target } }) => target.kind !== 'unknown')
		.map(({ recipient, interpretation: { target } }) => [
			recipient,
			target.kind !== 'rejected' || target.why !== 'rejected_email',
		]);
	const served = decided.length > 0;
	const isDeferring = heard.some(({ interpretation: { advice } }) => advice === 'ask_again_soon');
	const last = heard.at(-1);
	const why = last === undefined ? null : reasonOf(last.interpretation, served);
	if (last === undefined || why === null) return { served, refusal: null, decided, isDeferring };
	// Once a recipient was answered, what follows may be about him.
	const stage = report.targets.some(({ reply }) => reply !== null) ? 'rcpt' : report.stage;
	const row: OperatorRow | null = operator === null ? null : OPERATORS[operator];
	const { enhanced, lines } = last.reply ?? (report.end.kind === 'refused' ? report.end.reply : SILENCE);
	const isOwnWord = row?.sourceStatuses?.test(`${enhanced ?? ''} ${lines.join(' ')}`) === true;
	const refusal: Refusal = {
		why,
		stage,
		domain,
		isOwnWord,
		listed: SAYS_LISTED.has(last.interpretation.rule),
	};
	return { served, refusal, decided, isDeferring };
}

const SILENCE = { enhanced: null, lines: [] };

function reasonOf({ target, rule }: Interpretation, served: boolean): Refusal['why'] | null {
	if (target.kind !== 'unknown') return null;
	if (target.why === 'probe_blocked' || target.why === 'rate_limited') return target.why;
	return rule?.startsWith('relay.') === true && !served ? 'unavailable_smtp' : null;
}
