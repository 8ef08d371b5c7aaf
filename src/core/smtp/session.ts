import { assert } from '../../lib/assert.ts';
import {
	COMMAND_TIMEOUT_MS,
	DETAIL_TIMEOUT_MS,
	GREETING_TIMEOUT_MS,
	SPENT_TIMEOUT_MS,
	TRANSCRIPT_LINES_MAX,
} from './limits.ts';
import { isPositive, RecipientQueue } from './recipient-queue.ts';
import { ReplyReader } from './reply-reader.ts';
import type { ReplyFault } from './reply-reader.ts';
import type { SmtpReply, Stage } from './reply.ts';
import type { RecipientTally } from './transaction-size.ts';

/** What one connection may be asked. Both sides of each number are a server's patience, not a rule of SMTP. */
export interface ConnectionLimits {
	/** Recipients of one transaction, invented ones included. */
	readonly recipientsPerTransaction: number;
	/** After so many refused recipients nothing more is asked. */
	readonly rejections: number;
	/** RSET commands: one before each transaction but the first. */
	readonly resets: number;
}

/** What one conversation is to find out. */
export interface SessionPlan {
	/** Our name in EHLO: the egress address's PTR name. */
	readonly heloName: string;
	/** Our envelope sender, without angle brackets. */
	readonly mailFrom: string;
	/** The addresses asked about, as `local@a-label`. Asked first: nothing later may harm their answers. */
	readonly targets: readonly string[];
	/** Addresses that surely do not exist, asked with the first targets; an accepted one means catch-all. */
	readonly randoms: readonly string[];
	/** Further randoms, asked only when all of `randoms` were accepted (the deep check). */
	readonly confirmingRandoms: readonly string[];
	/** Ask those also when `randoms` were refused: where a catch-all is in question, one refusal is no proof either. */
	readonly confirmsRefusals: boolean;
	/** A target has a non-ASCII local part (RFC 6531 §3.3). */
	readonly needsSmtputf8: boolean;
	/** `never` after a server showed that it can't take a group of commands. */
	readonly pipelining: 'when_offered' | 'never';
	/** Longest wait for one reply in milliseconds, where the mail operator is known to need more than usual, else null. */
	readonly commandTimeoutMs: number | null;
	readonly limits: ConnectionLimits;
	/** What the server said of other targets just before. */
	readonly tally: RecipientTally;
}

/** How a conversation ended. `complete`: every target has its answer. */
export type SessionEnd =
	| { readonly kind: 'complete' }
	/** Greeting, EHLO or MAIL was refused (4xx or 5xx). */
	| { readonly kind: 'refused'; readonly reply: SmtpReply }
	| { readonly kind: 'smtputf8_missing' }
	/** The connection has seen as much as it may, or as the server wants: other targets need another one. */
	| { readonly kind: 'limit' }
	| { readonly kind: 'closed' }
	| { readonly kind: 'timeout' }
	| { readonly kind: 'fault'; readonly fault: ReplyFault };

export interface RecipientReply {
	readonly recipient: string;
	/** Null: not asked, or not answered before the end. */
	readonly reply: SmtpReply | null;
}

export interface SessionReport {
	/** Our envelope sender. */
	readonly sender: string;
	readonly end: SessionEnd;
	/** How far the conversation came. */
	readonly stage: Stage;
	readonly targets: readonly RecipientReply[];
	readonly randoms: readonly RecipientReply[];
	/** Commands were sent as a group (RFC 2920). */
	readonly pipelined: boolean;
	/** EHLO keywords, upper case; empty after HELO. */
	readonly keywords: ReadonlySet<string>;
	/** `C: …` and `S: …` lines in order. */
	readonly transcript: readonly string[];
	/** Times that we had to wait for the server: the cost in round trips after connecting. */
	readonly roundTrips: number;
	/** What the server said of targets so far, those of the plan included. */
	readonly tally: RecipientTally;
	/** Recipients that the server takes in one transaction, as far as it showed. */
	readonly perTransaction: number;
}

type Command =
	| { readonly verb: 'ehlo' | 'helo' | 'mail' | 'rset' }
	| { readonly verb: 'rcpt'; readonly recipient: string };

const encoder = new TextEncoder();

/**
 * One SMTP conversation up to the RCPT answers (RFC 5321 §3.3), without I/O: bytes in, bytes out, and how long to wait.
 * Many targets are asked about in several transactions, one after the other. It never sends DATA, VRFY or EXPN, and never QUIT in the same write as a question.
 */
export class SmtpSession {
	readonly #plan: SessionPlan;
	readonly #reader = new ReplyReader();
	readonly #queue: RecipientQueue;
	readonly #transcript: string[] = [];
	#keywords: ReadonlySet<string> = new Set();
	#stage: Stage = 'greeting';
	/** Commands on the wire whose replies are due, in order. */
	#awaiting: Command[] = [];
	/** Commands still to be sent. */
	#unsent: Command[] = [];
	#pipelined = false;
	#roundTrips = 0;
	#repliesHeard = 0;
	#end: SessionEnd | null = null;

	constructor(plan: SessionPlan) {
		assert(plan.targets.length > 0, 'a conversation asks about somebody');
		for (const word of [
			plan.heloName,
			plan.mailFrom,
			...plan.targets,
			...plan.randoms,
			...plan.confirmingRandoms,
		]) {
			// Last line of defence: the address parser refuses these long before.
			assert(!/[\r\n\0]/.test(word), 'no argument of an SMTP command holds a line end');
		}
		this.#plan = plan;
		this.#queue = new RecipientQueue(plan);
	}

	get ended(): boolean {
		return this.#end !== null;
	}

	/** Complete replies so far: what patience is counted by. */
	get repliesHeard(): number {
		return this.#repliesHeard;
	}

	/** How long to wait for the next reply, in milliseconds. */
	get patienceMs(): number {
		if (this.#stage === 'greeting') return GREETING_TIMEOUT_MS;
		if (this.#queue.isGroup && this.#queue.isSpent) return SPENT_TIMEOUT_MS;
		if (this.#queue.targetsAnswered && !this.#queue.someTargetAccepted) return DETAIL_TIMEOUT_MS;
		return this.#plan.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
	}

	/** Bytes arrived. Gives what is to be written now, empty when we go on listening or are done. */
	receive(bytes: Uint8Array): Uint8Array {
		let out = '';
		for (const reply of this.#reader.push(bytes)) {
			if (this.ended) {
				if (this.#end?.kind === 'complete') this.#heardTooMuch(reply);
				break;
			}
			this.#repliesHeard += 1;
			this.#note('S', `${reply.code} ${reply.lines.join(' / ')}`);
			// It was there before our next question was written, so it answers nothing, and neither would what follows it.
			if (out !== '') this.#heardTooMuch(reply);
			out = out === '' ? this.#step(reply) : this.#finish({ kind: 'fault', fault: 'not_smtp' });
		}
		if (!this.ended && this.#reader.fault !== null)
			this.#finish({ kind: 'fault', fault: this.#reader.fault });
		return encoder.encode(this.ended ? '' : out);
	}

	/** The connection ended, or our patience did. Answers that are in stay (they are final). */
	giveUp(how: 'closed' | 'timeout'): void {
		if (this.ended) return;
		this.#note('S', how === 'closed' ? '(closed the connection)' : '(no answer in time)');
		if (this.#queue.targetsAnswered) this.#finish({ kind: 'complete' });
		else this.#finish({ kind: this.#queue.isGroup && this.#queue.isSpent ? 'limit' : how });
	}

	/**
	 * Written when the conversation ends, never waited for (RFC 5321 §4.1.1.10 only asks that it be sent). Empty before
	 * the server has greeted: postscreen holds every word against us that comes before its greeting.
	 */
	farewell(): Uint8Array {
		return encoder.encode(this.#repliesHeard === 0 ? '' : 'QUIT\r\n');
	}

	report(): SessionReport {
		if (this.#end === null) throw new Error('The conversation is still going on');
		const answer = (recipient: string): RecipientReply => ({
			recipient,
			reply: this.#queue.answerTo(recipient),
		});
		const confirming = this.#queue.confirming ? this.#plan.confirmingRandoms : [];
		const randoms = [...this.#plan.randoms, ...confirming];
		return {
			sender: this.#plan.mailFrom,
			end: this.#end,
			stage: this.#stage,
			targets: this.#plan.targets.map(answer),
			randoms: randoms.map(answer),
			pipelined: this.#pipelined,
			keywords: this.#keywords,
			transcript: this.#transcript,
			roundTrips: this.#roundTrips,
			tally: this.#queue.tally,
			perTransaction: this.#queue.perTransaction,
		};
	}

	#step(reply: SmtpReply): string {
		if (this.#stage === 'greeting') return this.#greeted(reply);
		const command = this.#awaiting.shift();
		// Nobody asked. RFC 5321 §3.8 lets a server say 421 at any time; the close that follows tells us.
		if (command === undefined) return '';
		// A greeting and a goodbye answer no question: read as such, they would shift every reply that follows.
		if (reply.code === 220 || reply.code === 221) return this.#finish({ kind: 'fault', fault: 'not_smtp' });
		switch (command.verb) {
			case 'ehlo':
				return this.#ehloAnswered(reply);
			case 'helo':
				return isPositive(reply) ? this.#startEnvelope() : this.#refuse(reply);
			case 'rset':
				// Exim's 554 for too many of them, or a 421: the connection is over, and nobody was asked about.
				return isPositive(reply) ? this.#sendNext() : this.#finish({ kind: 'limit' });
			case 'mail':
				if (!isPositive(reply)) return this.#refuse(reply);
				this.#stage = 'rcpt';
				return this.#sendNext();
			case 'rcpt':
				if (this.#queue.answer(command.recipient, reply) === 'over') return this.#enough();
				return this.#sendNext();
		}
	}

	#greeted(reply: SmtpReply): string {
		this.#roundTrips += 1;
		if (reply.code === 220) {
			this.#stage = 'ehlo';
			return this.#send([{ verb: 'ehlo' }]);
		}
		if (reply.code >= 400) return this.#refuse(reply);
		return this.#finish({ kind: 'fault', fault: 'not_smtp' });
	}

	#ehloAnswered(reply: SmtpReply): string {
		// RFC 5321 §4.1.1.1: a server without extensions says 500 or 502 and must be greeted with HELO.
		if (reply.code === 500 || reply.code === 502) return this.#send([{ verb: 'helo' }]);
		if (!isPositive(reply)) return this.#refuse(reply);
		this.#keywords = new Set(
			reply.lines.slice(1).map((line) => (line.trim().split(/[\s=]/)[0] ?? '').toUpperCase()),
		);
		return this.#startEnvelope();
	}

	#startEnvelope(): string {
		if (this.#plan.needsSmtputf8 && !this.#keywords.has('SMTPUTF8'))
			return this.#finish({ kind: 'smtputf8_missing' });
		this.#pipelined = this.#plan.pipelining === 'when_offered' && this.#keywords.has('PIPELINING');
		return this.#openTransaction([]);
	}

	#openTransaction(before: readonly Command[]): string {
		const recipients = this.#queue.open();
		if (recipients.length === 0) return this.#enough();
		this.#stage = 'mail';
		this.#unsent = [...before, { verb: 'mail' }, ...recipients.map(toRcpt)];
		return this.#sendNext();
	}

	/** The whole group at once where the server takes it, else the next command once the last is answered. */
	#sendNext(): string {
		if (this.#awaiting.length > 0) return '';
		this.#leaveNeedless();
		if (this.#unsent.length === 0) this.#unsent = this.#queue.confirm().map(toRcpt);
		if (this.#unsent.length === 0) return this.#openTransaction([{ verb: 'rset' }]);
		return this.#send(this.#pipelined ? this.#unsent.splice(0) : this.#unsent.splice(0, 1));
	}

	/**
	 * One by one, an invented recipient costs a round trip, which is not spent where every target was refused; in a group
	 * it is on its way. Nor is anybody asked whom the connection has no room for.
	 */
	#leaveNeedless(): void {
		const [next] = this.#unsent;
		if (next?.verb !== 'rcpt') return;
		if (!this.#queue.isSpent && !this.#queue.isNeedless(next.recipient)) return;
		const unsent = this.#unsent.splice(0);
		this.#queue.putBack(unsent.flatMap((command) => (command.verb === 'rcpt' ? [command.recipient] : [])));
	}

	/** Nothing more is asked by this connection. */
	#enough(): string {
		return this.#finish({ kind: this.#queue.targetsAnswered ? 'complete' : 'limit' });
	}

	/**
	 * More answers than questions: among several recipients, nobody can say any more whose is whose. With 421 a server
	 * says goodbye at any time (RFC 5321 §3.8).
	 */
	#heardTooMuch(reply: SmtpReply): void {
		if (!this.#queue.isGroup || reply.code === 421) return;
		this.#queue.forgetLast();
		this.#finish({ kind: 'fault', fault: 'not_smtp' });
	}

	#send(commands: readonly Command[]): string {
		this.#roundTrips += 1;
		const lines = commands.map((command) => this.#line(command));
		for (const line of lines) this.#note('C', line);
		this.#awaiting.push(...commands);
		return lines.map((line) => `${line}\r\n`).join('');
	}

	#line(command: Command): string {
		switch (command.verb) {
			case 'ehlo':
				return `EHLO ${this.#plan.heloName}`;
			case 'helo':
				return `HELO ${this.#plan.heloName}`;
			case 'rset':
				return 'RSET';
			case 'mail':
				return `MAIL FROM:<${this.#plan.mailFrom}>${this.#plan.needsSmtputf8 ? ' SMTPUTF8' : ''}`;
			case 'rcpt':
				return `RCPT TO:<${command.recipient}>`;
		}
	}

	#refuse(reply: SmtpReply): string {
		return this.#finish({ kind: 'refused', reply });
	}

	#finish(end: SessionEnd): string {
		this.#end = end;
		return '';
	}

	#note(who: 'C' | 'S', text: string): void {
		if (this.#transcript.length < TRANSCRIPT_LINES_MAX) this.#transcript.push(`${who}: ${text}`);
	}
}

function toRcpt(recipient: string): Command {
	return { verb: 'rcpt', recipient };
}
