import { classifyReply } from './classify-reply.ts';
import { CONNECTION_LIMITS, transactionSize } from './limits.ts';
import type { RecipientTally } from './limits.ts';
import type { SmtpReply } from './reply-reader.ts';
import type { ConnectionLimits, LineState, SessionPlan } from './session-plan.ts';

type Recipients = Pick<
	SessionPlan,
	'targets' | 'invented' | 'furtherInvented' | 'asksInventedFirst' | 'deep' | 'limits' | 'tally'
>;

/**
 * The recipients that a conversation still has to ask about, transaction by transaction, and the replies so far. The
 * invented recipients go with the first targets, or into a later transaction if the server takes no more in this one.
 */
export class RecipientQueue {
	readonly #plan: Recipients;
	readonly #limits: ConnectionLimits;
	readonly #answers = new Map<string, SmtpReply>();
	/** Targets not asked about yet, or put off by the server. */
	#targets: readonly string[];
	/** Invented recipients, likewise. */
	#invented: readonly string[];
	#confirming = false;
	#perTransaction: number;
	#tally: RecipientTally;
	/** An earlier conversation used this connection. */
	readonly #isWarm: boolean;
	#transactions: number;
	#errors: number;
	/** Recipients of the open transaction, in the order in which their replies arrive. */
	#current: readonly string[] = [];
	#previous: readonly string[] = [];
	#received = 0;

	constructor(plan: Recipients, line: LineState | null) {
		this.#isWarm = line !== null;
		this.#transactions = line?.transactions ?? 0;
		this.#errors = line?.errors ?? 0;
		this.#plan = plan;
		this.#limits = plan.limits;
		this.#targets = plan.targets;
		this.#invented = plan.invented;
		this.#perTransaction = plan.limits.recipientsPerTransaction;
		this.#tally = plan.tally;
	}

	/** Several targets share the conversation, so "too many recipients" is about us, not about a target. */
	get isGroup(): boolean {
		return this.#plan.targets.length > 1;
	}

	/** The connection's use so far; null: it can't be used any further. */
	get used(): Pick<LineState, 'transactions' | 'errors'> | null {
		const isUsedUp = this.isSpent || this.#transactions > CONNECTION_LIMITS.resets;
		return isUsedUp ? null : { transactions: this.#transactions, errors: this.#errors };
	}

	get tally(): RecipientTally {
		return this.#tally;
	}

	get perTransaction(): number {
		return this.#perTransaction;
	}

	/**
	 * Whether the server has refused as many recipients as we allow on one connection: it would slow down further
	 * replies.
	 */
	get isSpent(): boolean {
		return this.#errors >= this.#limits.rejections;
	}

	get targetsAnswered(): boolean {
		return this.#plan.targets.every((target) => this.#answers.has(target));
	}

	get someTargetAccepted(): boolean {
		return this.#plan.targets.some((target) => this.#isAccepted(target));
	}

	answerTo(recipient: string): SmtpReply | null {
		return this.#answers.get(recipient) ?? null;
	}

	/** Opens a transaction and returns its recipients. Empty: no recipient is left, or the connection is used up. */
	open(): readonly string[] {
		this.#previous = this.#current;
		this.#current = [];
		this.#received = 0;
		// RFC 5321 §4.1.1.5: every transaction but the first begins with RSET.
		if (this.isSpent || this.#transactions > this.#limits.resets || !this.#hasMore()) return [];
		this.#transactions += 1;
		const confirmations = this.#confirming ? 0 : this.#plan.furtherInvented.length;
		const invented = this.#invented.slice(0, this.#perTransaction);
		const size = transactionSize({
			most: Math.max(1, this.#perTransaction - invented.length - confirmations),
			errorsLeft: this.#limits.rejections - this.#errors - invented.length,
			tally: this.#tally,
		});
		const targets = this.#targets.slice(0, size);
		const [first, then] = this.#plan.asksInventedFirst === true ? [invented, targets] : [targets, invented];
		const fits = first.length === 0 || first.length + then.length <= this.#perTransaction;
		this.#current = fits ? [...first, ...then] : first;
		const isLeft = (recipient: string): boolean => !this.#current.includes(recipient);
		this.#targets = this.#targets.filter(isLeft);
		this.#invented = this.#invented.filter(isLeft);
		return this.#current;
	}

	/**
	 * Further invented recipients to add to the open transaction, returned once; empty where none is needed, or where
	 * they wait for the next transaction.
	 */
	confirm(): readonly string[] {
		if (this.#confirming || this.isSpent || !this.someTargetAccepted || !this.#shouldConfirm()) return [];
		this.#confirming = true;
		const { furtherInvented } = this.#plan;
		if (this.#current.length + furtherInvented.length > this.#perTransaction) {
			this.#invented = furtherInvented;
			return [];
		}
		this.#current = [...this.#current, ...furtherInvented];
		return furtherInvented;
	}

	/** Records a reply. `over`: the server ends the connection, and the recipient has no answer. */
	answer(recipient: string, reply: SmtpReply): 'taken' | 'over' {
		if (reply.code >= 400) this.#errors += 1;
		const before = this.#received;
		this.#received += 1;
		const isTarget = this.#plan.targets.includes(recipient);
		if (this.#mayBeTooMany(isTarget, before) && isAboutNumber(reply)) {
			this.#putOff(recipient);
			if (reply.code === 421 || before === 0) return 'over';
			this.#perTransaction = Math.min(this.#perTransaction, before);
			return 'taken';
		}
		this.#answers.set(recipient, reply);
		if (isTarget) {
			const { asked, rejected } = this.#tally;
			this.#tally = { asked: asked + 1, rejected: rejected + (reply.code >= 400 ? 1 : 0) };
		}
		return 'taken';
	}

	/** Puts back recipients of the open transaction that were never sent. */
	putBack(recipients: readonly string[]): void {
		for (const recipient of recipients) this.#putOff(recipient);
		this.#current = this.#current.filter((recipient) => !recipients.includes(recipient));
	}

	/**
	 * Whether a reply for this recipient is useless: an invented one tells us nothing unless some target was
	 * accepted, or may be yet.
	 */
	isUseless(recipient: string): boolean {
		if (this.#plan.targets.includes(recipient) || this.someTargetAccepted) return false;
		return this.targetsAnswered || this.#plan.asksInventedFirst !== true;
	}

	/** Forgets the replies of the last two transactions, when they can no longer be matched to recipients. */
	forgetLast(): void {
		for (const recipient of [...this.#previous, ...this.#current]) this.#answers.delete(recipient);
	}

	#hasMore(): boolean {
		return this.#targets.length > 0 || (this.#invented.length > 0 && this.someTargetAccepted);
	}

	/**
	 * Whether a recipient may be one too many for the server. The first recipient of a connection can't be: "rate limited"
	 * is then its answer. Nor is an invented one asked again for the sake of one target that was refused.
	 *
	 * @param before how many recipients of the transaction were answered before it
	 */
	#mayBeTooMany(isTarget: boolean, before: number): boolean {
		if (this.isGroup || (isTarget && this.#isWarm)) return this.#answers.size > 0 || this.#isWarm;
		return before > 0 && (isTarget || this.someTargetAccepted);
	}

	#putOff(recipient: string): void {
		if (this.#plan.targets.includes(recipient)) this.#targets = [...this.#targets, recipient];
		else this.#invented = [...this.#invented, recipient];
	}

	#shouldConfirm(): boolean {
		const { invented, furtherInvented, deep } = this.#plan;
		if (furtherInvented.length === 0 || invented.length === 0) return false;
		const isRefused = (one: string): boolean => this.#answers.has(one) && !this.#invented.includes(one);
		return invented.every((one) => this.#isAccepted(one) || (deep === 'always' && isRefused(one)));
	}

	#isAccepted(recipient: string): boolean {
		const reply = this.#answers.get(recipient);
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
	const read = classifyReply({ stage: 'rcpt', reply, recipient: null, operator: null });
	return read.meaning === 'rate_limited';
}
