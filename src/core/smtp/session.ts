import { assert } from '../../lib/assert.ts';
import { classifyReply } from './classify-reply.ts';
import { COMMAND_TIMEOUT_MS, DETAIL_TIMEOUT_MS, GREETING_TIMEOUT_MS, SPENT_TIMEOUT_MS } from './limits.ts';
import { isPositive, RecipientQueue } from './recipient-queue.ts';
import { ReplyReader } from './reply-reader.ts';
import type { SmtpReply, Stage } from './reply-reader.ts';
import { keywordsOf, shortened, writtenDown } from './reply-text.ts';
import { newLine } from './session-plan.ts';
import type {
	Exchange,
	Line,
	RecipientReply,
	Said,
	SessionEnd,
	SessionPlan,
	SessionReport,
} from './session-plan.ts';

export type * from './session-plan.ts';

type Command =
	| { readonly verb: 'ehlo' | 'helo' | 'starttls' | 'mail' | 'rset' }
	| { readonly verb: 'rcpt'; readonly recipient: string };

const STEPS = { ehlo: 'ehlo', helo: 'ehlo', starttls: 'tls', mail: 'mail', rcpt: 'rcpt' } as const;

const encoder = new TextEncoder();

/**
 * One SMTP conversation up to the RCPT answers (RFC 5321 §3.3), without I/O: bytes in, bytes out, and how long to
 * wait. It asks about many targets in several transactions, one after the other. The session never sends DATA, VRFY
 * or EXPN, and never QUIT in the same write as a question.
 */
export class SmtpSession {
	readonly #plan: SessionPlan;
	#reader = new ReplyReader();
	#queue: RecipientQueue;
	readonly #line: Line;
	readonly #exchanges: Exchange[] = [];
	readonly #now: () => number;
	#stage: Stage = 'greeting';
	/** Commands on the wire whose replies are due, in order. */
	#awaiting: Command[] = [];
	/** Commands still to be sent. */
	#unsent: Command[] = [];
	#pipelined = false;
	/** Complete replies so far: `patienceMs` applies anew after each. */
	repliesHeard = 0;
	/** Recipients that the server was asked about so far, those that it has not answered included. */
	recipientsAsked = 0;
	#end: SessionEnd | null = null;
	/** The server accepts no more commands, or we can no longer tell which command its next reply answers. */
	#isBroken = false;

	/**
	 * @param line as an earlier conversation left the connection; null: a new connection
	 * @param now epoch milliseconds, for the report
	 */
	constructor(plan: SessionPlan, line: Line | null = null, now = () => 0) {
		assert(plan.targets.length > 0, 'a conversation has a target');
		const { heloName, mailFrom, targets, invented } = plan;
		// Last line of defence against injected commands: the address parser already refuses these characters.
		const words = [heloName, mailFrom, ...targets, ...invented].join('');
		assert(!/[\r\n\0]/.test(words), 'no argument of an SMTP command holds a line end');
		this.#plan = plan;
		this.#now = now;
		this.#line = line ?? newLine();
		this.#queue = new RecipientQueue(plan, this.#line);
		if (this.isGreeted) this.#stage = 'mail';
	}

	/** Returns the bytes to write before reading: none on a new connection, where the server greets first. */
	open(): Uint8Array {
		const { greeting } = this.#line;
		if (greeting !== null) this.#note(greeting);
		const commands = greeting === null ? '' : this.#startEnvelope();
		return encoder.encode(this.ended ? '' : commands);
	}

	/** The connection's state for the next conversation; null: the connection can't be used again. */
	get line(): Line | null {
		const isQuiet = this.#awaiting.length === 0 && this.#reader.isBetweenReplies;
		const isWhole =
			this.#end?.kind === 'complete' || this.#end?.kind === 'limit' || this.#end?.kind === 'smtputf8_missing';
		return isQuiet && isWhole && !this.#isBroken && !this.#queue.isUsedUp ? this.#line : null;
	}

	get ended(): boolean {
		return this.#end !== null;
	}

	/** The server waits for the TLS handshake: nothing may be read or written until the caller has called `handshook`. */
	get wantsHandshake(): boolean {
		return this.#line.tls === 'handshake' && !this.ended;
	}

	/**
	 * Takes the result of the TLS handshake and returns what to write next. Everything received before the handshake is
	 * discarded (RFC 3207 §4.2): the EHLO keywords, and bytes still in the buffer (CVE-2011-0411).
	 */
	handshook(how: 'secured' | 'failed' | 'timeout'): Uint8Array {
		assert(this.wantsHandshake, 'the session wants a handshake');
		this.#note(how === 'secured' ? '(speaks TLS from here on)' : `(TLS handshake ${how})`, 'tls');
		if (how !== 'secured') {
			this.#isBroken = true;
			return encoder.encode(this.#finish({ kind: 'tls_failed' }));
		}
		this.#line.tls = 'secured';
		this.#line.keywords = new Set();
		this.#line.transactions = 0;
		this.#reader = new ReplyReader();
		this.#queue = new RecipientQueue(this.#plan, this.#line);
		this.#stage = 'ehlo';
		return encoder.encode(this.#send([{ verb: 'ehlo' }]));
	}

	/** The server has greeted us, in this conversation or an earlier one over the connection. */
	get isGreeted(): boolean {
		return this.#line.greeting !== null;
	}

	/** An invented recipient was accepted. */
	get acceptsInvented(): boolean {
		return this.#plan.invented.some((one) => this.#queue.isAccepted(one));
	}

	/** How long to wait for the next reply, in milliseconds. */
	get patienceMs(): number {
		const { replyTimeoutMs } = this.#plan;
		if (this.#stage === 'greeting') return Math.max(GREETING_TIMEOUT_MS, replyTimeoutMs);
		if (this.#queue.isGroup && this.#queue.isSpent) return SPENT_TIMEOUT_MS;
		if (this.#queue.targetsAnswered && !this.#queue.someTargetAccepted) return DETAIL_TIMEOUT_MS;
		return Math.max(COMMAND_TIMEOUT_MS, replyTimeoutMs);
	}

	/** Takes the bytes that arrived and returns what to write next: empty while more replies are due, or at the end. */
	receive(bytes: Uint8Array): Uint8Array {
		let out = '';
		for (const reply of this.#reader.push(bytes)) {
			if (this.ended) {
				// What was on the wire by then has its replies still to come.
				if (this.#awaiting.shift() === undefined && this.#end?.kind === 'complete')
					this.#receivedTooMany(reply);
				continue;
			}
			this.repliesHeard += 1;
			this.#note(writtenDown(reply));
			// This reply arrived before our next command was sent, so neither it nor any later reply answers that command.
			if (out !== '') this.#receivedTooMany(reply);
			out = out === '' ? this.#step(reply) : this.#finish({ kind: 'fault' });
			if (this.wantsHandshake) break;
		}
		if (!this.ended && this.#reader.isFaulty) this.#finish({ kind: 'fault' });
		return encoder.encode(this.ended ? '' : out);
	}

	/** Ends the conversation when the connection closed or a reply took too long. Answers already received are kept. */
	giveUp(how: 'closed' | 'timeout'): void {
		if (this.ended) return;
		this.#isBroken = true;
		this.#note(how === 'closed' ? '(closed the connection)' : '(no answer in time)');
		// The server demanded TLS, and hung up or fell silent before STARTTLS could be completed.
		if (this.#line.tls === 'demanded') this.#finish({ kind: 'tls_failed' });
		else if (this.#queue.targetsAnswered) this.#finish({ kind: 'complete' });
		else this.#finish({ kind: this.#queue.isGroup && this.#queue.isSpent ? 'limit' : how });
	}

	report(): SessionReport {
		if (this.#end === null) throw new Error('The conversation is still going on');
		const answer = (recipient: string): RecipientReply => ({
			recipient,
			reply: this.#queue.answers.get(recipient) ?? null,
		});
		const { invented } = this.#plan;
		// Beside others, one that the time or the connection did not suffice for proves nothing.
		const answered = invented.filter((one) => this.#queue.answers.has(one));
		return {
			sender: this.#plan.mailFrom,
			end: this.#end,
			stage: this.#stage,
			targets: this.#plan.targets.map(answer),
			invented: (answered.length > 0 ? answered : invented.slice(0, 1)).map(answer),
			pipelined: this.#pipelined,
			secured: this.#line.tls === 'secured',
			exchanges: this.#exchanges,
			heloName: this.#plan.heloName,
			perTransaction: this.#line.perTransaction,
		};
	}

	#step(whole: SmtpReply): string {
		if (this.#stage === 'greeting') return this.#greeted(whole);
		const reply = shortened(whole);
		const command = this.#awaiting.shift();
		// No command is waiting for a reply. RFC 5321 §3.8 lets a server send 421 at any time; the close follows.
		if (command === undefined) return '';
		if (command.verb === 'starttls') return this.#starttlsAnswered(reply);
		// 220 and 221 answer none of these commands: taken as an answer, they would shift every reply that follows.
		if (reply.code === 220 || reply.code === 221) return this.#finish({ kind: 'fault' });
		// The server refuses the other pipelined commands for the same reason; STARTTLS goes out after their replies.
		if (this.#line.tls === 'demanded' || this.#demandsTls(reply)) return this.#meetDemand();
		switch (command.verb) {
			case 'ehlo':
				return this.#ehloAnswered(whole);
			case 'helo':
				return isPositive(reply) ? this.#startEnvelope() : this.#refuse(reply);
			case 'rset':
				// Exim's 554 for too many RSETs, or a 421: the connection is over, and the refusal is about no recipient.
				return isPositive(reply) ? this.#sendNext() : this.#over();
			case 'mail':
				if (!isPositive(reply)) return this.#queue.targetsAnswered ? this.#over() : this.#refuse(reply);
				this.#stage = 'rcpt';
				return this.#sendNext();
			case 'rcpt':
				return this.#queue.take(command.recipient, reply) ? this.#sendNext() : this.#over();
		}
	}

	#greeted(reply: SmtpReply): string {
		this.#line.greeting = writtenDown(reply);
		if (reply.code === 220) {
			this.#stage = 'ehlo';
			return this.#send([{ verb: 'ehlo' }]);
		}
		if (reply.code >= 400) return this.#refuse(shortened(reply));
		return this.#finish({ kind: 'fault' });
	}

	#ehloAnswered(reply: SmtpReply): string {
		// RFC 5321 §4.1.1.1: a server without extensions says 500 or 502 and must be greeted with HELO.
		if (reply.code === 500 || reply.code === 502) return this.#send([{ verb: 'helo' }]);
		if (!isPositive(reply)) return this.#refuse(shortened(reply));
		this.#line.keywords = keywordsOf(reply);
		return this.#startEnvelope();
	}

	/** The server refuses to go on without TLS: 530 (RFC 3207 §4.1), or words to that effect, or 4.7.29 or 5.7.29. */
	#demandsTls(reply: SmtpReply): boolean {
		if (isPositive(reply) || !this.#mayStartTls) return false;
		return (
			classifyReply({ stage: this.#stage, reply, recipient: null, operator: null }).meaning === 'tls_required'
		);
	}

	get #mayStartTls(): boolean {
		const { tls, keywords } = this.#line;
		return this.#plan.tls !== 'never' && tls === 'plain' && keywords.has('STARTTLS');
	}

	#meetDemand(): string {
		this.#line.tls = 'demanded';
		this.#unsent = [];
		return this.#awaiting.length > 0 ? '' : this.#send([{ verb: 'starttls' }]);
	}

	#starttlsAnswered(reply: SmtpReply): string {
		if (reply.code === 220) {
			this.#line.tls = 'handshake';
			return '';
		}
		// RFC 3207 §4: 454 when TLS is temporarily unavailable. If the server did not demand TLS, we continue without.
		const isDemanded = this.#line.tls === 'demanded';
		this.#line.tls = 'refused';
		return isDemanded ? this.#finish({ kind: 'tls_failed' }) : this.#startEnvelope();
	}

	#startEnvelope(): string {
		if (this.#plan.tls === 'when_offered' && this.#mayStartTls) return this.#send([{ verb: 'starttls' }]);
		const { keywords } = this.#line;
		if (this.#plan.needsSmtputf8 && !keywords.has('SMTPUTF8'))
			return this.#finish({ kind: 'smtputf8_missing' });
		this.#pipelined = this.#plan.pipelining === 'when_offered' && keywords.has('PIPELINING');
		return this.#openTransaction();
	}

	#openTransaction(): string {
		// RFC 5321 §4.1.1.5: every transaction but the first begins with RSET.
		const before: Command[] = this.#line.transactions === 0 ? [] : [{ verb: 'rset' }];
		const recipients = this.#queue.open();
		if (recipients.length === 0) return this.#enough();
		this.#stage = 'mail';
		this.#unsent = [...before, { verb: 'mail' }, ...recipients.map(toRcpt)];
		return this.#sendNext();
	}

	/** Sends all commands at once if the server supports pipelining, else the next one once the last is answered. */
	#sendNext(): string {
		if (this.#awaiting.length > 0) return '';
		const [next] = this.#unsent;
		// Without pipelining an invented recipient costs a round trip, and tells nothing if every target was refused. On a
		// spent connection we ask about no further recipient.
		if (next?.verb === 'rcpt' && (this.#queue.isSpent || this.#queue.isUseless(next.recipient)))
			this.#unsent = [];
		if (this.#unsent.length === 0) this.#unsent = this.#queue.confirm().map(toRcpt);
		if (this.#unsent.length === 0) return this.#openTransaction();
		return this.#send(this.#pipelined ? this.#unsent.splice(0) : this.#unsent.splice(0, 1));
	}

	/** The server ends this connection. */
	#over(): string {
		this.#isBroken = true;
		return this.#enough();
	}

	/** We ask nothing more on this connection. */
	#enough(): string {
		return this.#finish({ kind: this.#queue.targetsAnswered ? 'complete' : 'limit' });
	}

	/**
	 * Handles more replies than commands: none can be matched to its command any more, so a yes may be the one to MAIL. A
	 * 421 is harmless, since a server may send it at any time (RFC 5321 §3.8), and so is the goodbye of one that hangs up.
	 * Where the only target's refusal comes again, its lines were written as if each were a reply.
	 */
	#receivedTooMany(reply: SmtpReply): void {
		this.#isBroken = true;
		const refusal = this.#queue.isGroup ? null : this.#queue.answers.get(this.#plan.targets[0] ?? '');
		const isRepeated = reply.code >= 500 && reply.code === refusal?.code;
		if (reply.code === 421 || reply.code === 221 || isRepeated) return;
		this.#queue.answers.clear();
		this.#finish({ kind: 'fault' });
	}

	#send(commands: readonly Command[]): string {
		this.#awaiting.push(...commands);
		this.recipientsAsked += commands.filter(({ verb }) => verb === 'rcpt').length;
		return commands.map((command) => `${this.#lineOf(command)}\r\n`).join('');
	}

	#lineOf(command: Command): string {
		const { heloName, mailFrom, needsSmtputf8 } = this.#plan;
		if (command.verb === 'rcpt') return `RCPT TO:<${command.recipient}>`;
		if (command.verb === 'mail') return `MAIL FROM:<${mailFrom}>${needsSmtputf8 ? ' SMTPUTF8' : ''}`;
		const verb = command.verb.toUpperCase();
		return verb === 'EHLO' || verb === 'HELO' ? `${verb} ${heloName}` : verb;
	}

	#refuse(reply: SmtpReply): string {
		return this.#finish({ kind: 'refused', reply });
	}

	#finish(end: SessionEnd): string {
		this.#end = end;
		return '';
	}

	/** Notes a reply, or in our words what happened in its place, before it is matched to its command. */
	#note(reply: Said | string, step?: Exchange['step']): void {
		const [due] = this.#awaiting;
		if (due?.verb === 'rset') return;
		const words = typeof reply === 'string' ? { code: null, enhanced: null, text: reply } : reply;
		const recipient = due?.verb === 'rcpt' ? due.recipient : null;
		const stepOf = due === undefined ? 'banner' : STEPS[due.verb];
		this.#exchanges.push({ at: this.#now(), step: step ?? stepOf, recipient, ...words });
	}
}

function toRcpt(recipient: string): Command {
	return { verb: 'rcpt', recipient };
}
