import { assert } from '../../lib/assert.ts';
import {
	COMMAND_TIMEOUT_MS,
	DETAIL_TIMEOUT_MS,
	GREETING_TIMEOUT_MS,
	TRANSCRIPT_LINES_MAX,
} from './limits.ts';
import { ReplyReader } from './reply-reader.ts';
import type { ReplyFault } from './reply-reader.ts';
import type { SmtpReply, Stage } from './reply.ts';

/** What one conversation is to find out. */
export interface SessionPlan {
	/** Our name in EHLO: the egress address's PTR name. */
	readonly heloName: string;
	/** Our envelope sender, without angle brackets. */
	readonly mailFrom: string;
	/** The addresses asked about, as `local@a-label`. Asked first: nothing later may harm their answers. */
	readonly targets: readonly string[];
	/** Addresses that surely do not exist, asked in the same flight; an accepted one means catch-all. */
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
}

/** How a conversation ended. `complete`: every target has its answer. */
export type SessionEnd =
	| { readonly kind: 'complete' }
	/** Greeting, EHLO or MAIL was refused (4xx or 5xx). */
	| { readonly kind: 'refused'; readonly reply: SmtpReply }
	| { readonly kind: 'smtputf8_missing' }
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
}

type Command =
	| { readonly verb: 'ehlo' | 'helo' | 'mail' }
	| { readonly verb: 'rcpt'; readonly recipient: string };

const encoder = new TextEncoder();

/**
 * One SMTP conversation up to the RCPT answers (RFC 5321 §3.3), without I/O: bytes in, bytes out, and how long to wait.
 * It never sends DATA, VRFY or EXPN, and never QUIT in the same write as a question.
 */
export class SmtpSession {
	readonly #plan: SessionPlan;
	readonly #reader = new ReplyReader();
	readonly #answers = new Map<string, SmtpReply>();
	readonly #transcript: string[] = [];
	#keywords: ReadonlySet<string> = new Set();
	#stage: Stage = 'greeting';
	/** Commands on the wire whose replies are due, in order. */
	#awaiting: Command[] = [];
	/** Commands still to be sent. */
	#unsent: Command[] = [];
	#pipelined = false;
	#confirming = false;
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
		if (this.#targetsAnswered() && !this.#someTargetAccepted()) return DETAIL_TIMEOUT_MS;
		return this.#plan.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
	}

	/** Bytes arrived. Gives what is to be written now, empty when we go on listening or are done. */
	receive(bytes: Uint8Array): Uint8Array {
		let out = '';
		for (const reply of this.#reader.push(bytes)) {
			if (this.ended) break;
			this.#repliesHeard += 1;
			this.#note('S', `${reply.code} ${reply.lines.join(' / ')}`);
			// It was there before our next question was written, so it answers nothing, and neither would what follows it.
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
		this.#finish(this.#targetsAnswered() ? { kind: 'complete' } : { kind: how });
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
			reply: this.#answers.get(recipient) ?? null,
		});
		const randoms = [...this.#plan.randoms, ...(this.#confirming ? this.#plan.confirmingRandoms : [])];
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
			case 'mail':
				if (!isPositive(reply)) return this.#refuse(reply);
				this.#stage = 'rcpt';
				return this.#sendNext();
			case 'rcpt':
				this.#answers.set(command.recipient, reply);
				return this.#recipientAnswered();
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
		this.#stage = 'mail';
		this.#pipelined = this.#plan.pipelining === 'when_offered' && this.#keywords.has('PIPELINING');
		const recipients = [...this.#plan.targets, ...this.#plan.randoms];
		this.#unsent = [
			{ verb: 'mail' },
			...recipients.map((recipient) => ({ verb: 'rcpt', recipient }) as const),
		];
		return this.#sendNext();
	}

	/** The whole group at once where the server takes it, else the next command once the last is answered. */
	#sendNext(): string {
		if (this.#awaiting.length > 0) return '';
		const group = this.#pipelined ? this.#unsent.splice(0) : this.#unsent.splice(0, 1);
		return group.length === 0 ? this.#finish({ kind: 'complete' }) : this.#send(group);
	}

	#recipientAnswered(): string {
		if (!this.#targetsAnswered()) return this.#sendNext();
		// Refused targets need no random; in lockstep it would cost a round trip, in a group it is on its way.
		if (!this.#someTargetAccepted() && this.#awaiting.length === 0) return this.#finish({ kind: 'complete' });
		if (this.#awaiting.length > 0 || this.#unsent.length > 0) return this.#sendNext();
		if (!this.#confirming && this.#shouldConfirm()) {
			this.#confirming = true;
			this.#unsent = this.#plan.confirmingRandoms.map((recipient) => ({ verb: 'rcpt', recipient }) as const);
		}
		return this.#sendNext();
	}

	#shouldConfirm(): boolean {
		const { randoms, confirmingRandoms, confirmsRefusals } = this.#plan;
		if (confirmingRandoms.length === 0 || randoms.length === 0) return false;
		return randoms.every(
			(random) => this.#isAccepted(random) || (confirmsRefusals && this.#answers.has(random)),
		);
	}

	#targetsAnswered(): boolean {
		return this.#plan.targets.every((target) => this.#answers.has(target));
	}

	#someTargetAccepted(): boolean {
		return this.#plan.targets.some((target) => this.#isAccepted(target));
	}

	#isAccepted(recipient: string): boolean {
		const reply = this.#answers.get(recipient);
		return reply !== undefined && isPositive(reply);
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

function isPositive(reply: SmtpReply): boolean {
	return reply.code >= 200 && reply.code < 300;
}
