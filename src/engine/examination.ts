import type { Party } from '../core/turns/who.ts';
import type { Address } from '../core/address/parse-address.ts';
import type { Breakdown } from '../core/catchall/breakdown.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { Judgement } from '../core/catchall/judge.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import type { OwnOutcome } from '../core/outcomes/outcome.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { DeepCheck } from '../core/smtp/session.ts';
import type { InventedFinding } from '../core/verification/interpret-session.ts';
import type { ListFacts, Outcome, VerificationResult } from '../core/verification/render.ts';
import type { FactCache } from './domain/port.ts';
import type { JudgePorts } from './judge-catch-all.ts';
import type { LookedUpMail, LookUpPorts } from './look-up-mail.ts';
import type { DomainMemory, OptOuts, Prober, Randomness } from './ports.ts';
import type { QuestionClass } from './question.ts';

export interface ExaminePorts extends LookUpPorts, JudgePorts {
	readonly prober: Prober;
	readonly randomness: Randomness;
	readonly domainMemory: DomainMemory;
	/** Left out: no domain opted out. */
	readonly optOuts?: OptOuts;
	/** Findings of earlier examinations about domains. Left out: there is no memory. */
	readonly facts?: FactCache;
}

export interface ExamineSettings {
	/** Time for all network work on one address, in milliseconds. */
	readonly budgetMs: number;
}

/** How an address is examined. */
export interface Manner extends Party {
	/**
	 * When the deeper check runs. `never`: in a bulk job, which leaves it to a task. `catch_all`: in a single call, if the
	 * domain is a catch-all. `always`: in a task, whose every address gets a score.
	 */
	readonly deep: DeepCheck;
	/** False: what needs a question to a mail host stays unknown (`free_limit`). */
	readonly mayAsk?: boolean;
	/** No mail host is asked: lists, DNS and what we remember of the domain decide. Left out: false. */
	readonly quick?: boolean;
	/** The trace tells what was heard of mail hosts. Left out: it does not. */
	readonly explain?: boolean;
	/** How soon the answer is needed. */
	readonly class: QuestionClass;
	/** The DNS look-up of the domain's mail, done or under way; null: not begun. */
	readonly mail: LookedUpMail | Promise<LookedUpMail> | null;
	/** Facts about the task's source list as a whole; null: none, or not a task. */
	readonly sourceList: SourceListFacts | null;
	/** The outcome of the account's own messages to an address, if it reported one; null: it did not. */
	readonly ownOutcomeOf: (address: Address) => OwnOutcome | null;
	/** Facts of recently examined domains, shared with their next addresses; null: not shared. */
	readonly domains: Map<string, Promise<DomainFacts>> | null;
}

/** The findings about one address, before they are rendered. */
export interface Findings {
	readonly lists: ListFacts;
	readonly outcome: Outcome;
	/** The domain's answer to invented recipients, if its best host gave a clear one. */
	readonly invented: Extract<InventedFinding, 'accepted' | 'rejected'> | null;
	/** The deeper check's; null: it did not run. */
	readonly judgement: Judgement | null;
	/** The mail host whose reply decided; left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
	/** The operator of the mail host that was asked, with its habits; left out: unknown. */
	readonly operator?: MailOperator | null;
	/** The mail host was not asked, because our capacity for it is used up until then (epoch ms). */
	readonly postponedUntil?: number;
	/** No host was reached because name servers answered that they fail (SERVFAIL), which may be over in minutes. */
	readonly nameServersFail?: boolean;
}

/** The result for an address; on a catch-all domain, also the breakdown of its score. */
export interface Examined {
	readonly result: VerificationResult;
	readonly breakdown: Breakdown | null;
	/** The mail host whose reply decided, not always the domain's first. Left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
}
