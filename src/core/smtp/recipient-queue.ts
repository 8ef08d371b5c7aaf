import { classifyReply } from './classify-reply.ts';
import { REJECTIONS_MAX, RESETS_MAX } from './limits.ts';
import type { SmtpReply } from './reply-reader.ts';
import type { Line, SessionPlan } from './session-plan.ts';

// Before a server has answered anything, one address in four is presumed bad.
const ASKED_PER_REFUSAL = 4;

/**
 * The recipients that a conversation still has to ask about, transaction by transaction, and the replies so far. A
 * recipient that the server takes no more in one transaction waits for the next.
 */
export class RecipientQueue {
	readonly answers = new Map<string, SmtpReply>();
	readonly #plan: SessionPlan;
	/** Recipients not asked about yet, or put off by the server, in their order. */
	#waiting: readonly string[];
	/** Invented recipients that are asked once the first is accepted. */
	#further: readonly string[];
	readonly #line: Line;
	/** An earlier conversation used this connection. */
	readonly #isWarm: boolean;
	/** Recipients of the open transaction, and how many of them have a reply. */
	#opened = 0;
	#received = 0;

	constructor(plan: SessionPlan, line: Line) {
		const { targets, invented, asksInvented } = plan;
		const first = asksInvented === 'all' ? invented : invented.slice(0, 1);
		this.#plan = plan;
		this.#waiting = asksInvented === 'first' ? [...first, ...targets] : [...targets, ...first];
		this.#further = invented.slice(first.length);
		this.#line = line;
		line.perTransaction = Math.min(plan.perTransaction, line.perTransaction);
		this.#isWarm = line.transactions > 0;
	}

	/** Several targets share the conversation, so "too many recipients" is about us, not about a target. */
	get isGroup(): boolean {
		return this.#plan.targets.length > 1;
	}

	/** The connection is of no more use. */
	get isUsedUp(): boolean {
		return this.isSpent || this.#line.transactions > RESETS_MAX;
	}

	/** The server has refused as many recipients as we allow on one connection: it would slow down further replies. */
	get isSpent(): boolean {
		return this.#line.errors >= REJECTIONS_MAX;
	}

	get targetsAnswered(): boolean {
		return this.#plan.targets.every((target) => this.answers.has(target));
	}

	get someTargetAccepted(): boolean {
		return this.#plan.targets.some((target) => this.#isAccepted(target));
	}

	/** Opens a transaction and returns its recipients. Empty: no recipient is left, or the connection is used up. */
	open(): readonly string[] {
		this.#received = 0;
		if (this.isUsedUp || this.#waiting.every((one) => this.isUseless(one))) return [];
		this.#line.transactions += 1;
		const size = Math.min(
			this.#line.perTransaction,
			ASKED_PER_REFUSAL * (REJECTIONS_MAX - this.#line.errors),
		);
		const recipients = this.#waiting.slice(0, size);
		this.#waiting = this.#waiting.slice(size);
		this.#opened = recipients.length;
		return recipients;
	}

	/**
	 * Further invented recipients to add to the open transaction, returned once; empty where none is needed, or where
	 * they wait for the next transaction.
	 */
	confirm(): readonly string[] {
		const { invented, deep } = this.#plan;
		const further = this.#further;
		const [first = ''] = invented;
		const isWorthIt = this.#isAccepted(first) || (deep === 'always' && this.answers.has(first));
		if (this.isSpent || !this.someTargetAccepted || !isWorthIt) return [];
		this.#further = [];
		if (this.#opened + further.length > this.#line.perTransaction) {
			this.#waiting = [...this.#waiting, ...further];
			return [];
		}
		this.#opened += further.length;
		return further;
	}

	/** Records a reply. False: the server ends the connection, and the recipient has no answer. */
	take(recipient: string, reply: SmtpReply): boolean {
		if (reply.code >= 400) this.#line.errors += 1;
		const before = this.#received;
		this.#received += 1;
		if (!this.#mayBeTooMany(recipient, before) || !isAboutNumber(reply)) {
			this.answers.set(recipient, reply);
			return true;
		}
		this.#waiting = [...this.#waiting, recipient];
		if (reply.code === 421 || before === 0) return false;
		this.#line.perTransaction = Math.min(this.#line.perTransaction, before);
		return true;
	}

	/** Whether a reply for this recipient is useless: an invented one tells nothing once every target was refused. */
	isUseless(recipient: string): boolean {
		return !this.#plan.targets.includes(recipient) && this.targetsAnswered && !this.someTargetAccepted;
	}

	/**
	 * Whether a recipient may be one too many for the server. The first recipient of a connection can't be: "rate limited"
	 * is then its answer. Nor is an invented one asked again for the sake of one target that was refused.
	 *
	 * @param before how many recipients of the transaction have a reply
	 */
	#mayBeTooMany(recipient: string, before: number): boolean {
		if (this.answers.size === 0 && !this.#isWarm) return false;
		const isTarget = this.#plan.targets.includes(recipient);
		return this.isGroup || isTarget || (before > 0 && this.someTargetAccepted);
	}

	#isAccepted(recipient: string): boolean {
		const reply = this.answers.get(recipient);
		return reply !== undefined && isPositive(reply);
	}
}

export function isPositive(reply: SmtpReply): boolean {
	return reply.code >= 200 && reply.code < 300;
}

/** RFC 5321 §4.5.3.1.10: "too many recipients" is not about the recipient whose RCPT exceeded the limit. */
function isAboutNumber(reply: SmtpReply): boolean {
	if (reply.code < 400) return false;
	// RFC 5321 §3.8: the server closes the connection, for whatever reason.
	if (reply.code === 421) return true;
	return classifyReply({ stage: 'rcpt', reply, recipient: null, operator: null }).meaning === 'rate_limited';
}
