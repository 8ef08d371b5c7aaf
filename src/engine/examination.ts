import type { DomainFacts } from '../core/catchall/domain-facts.ts';
import type { InventedReading } from '../core/catchall/evidence.ts';
import type { Judgement, VerdictThresholds } from '../core/catchall/judge.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { DeepCheck } from '../core/smtp/session.ts';
import type { InventedFinding } from '../core/verification/interpret-session.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import type { JudgePorts } from './judge-catch-all.ts';
import type { LookedUpMail } from './look-up-mail.ts';
import type { Clock, DomainMemory, Resolver } from './ports.ts';
import type { ProbePorts } from './probe.ts';
import type { QuestionClass } from './question.ts';

export interface ExaminePorts extends ProbePorts, JudgePorts {
	readonly resolver: Resolver;
	readonly domainMemory: DomainMemory;
	readonly clock: Clock;
	/** The list of disposable domains in use. */
	readonly disposable: { has(domain: string): Promise<boolean> };
}

export interface ExamineSettings {
	/** Time for all network work on one address, in milliseconds. */
	readonly budgetMs: number;
	readonly thresholds: VerdictThresholds;
}

/** How an address is examined. */
export interface Manner {
	/** What a mail host holds against us while it is asked for an account counts for others only within limits. */
	readonly asker: Asker;
	/**
	 * Where the deeper check runs. `never`: a bulk job, which leaves it to a task. `catch_all`: a single call, where the
	 * domain takes everybody. `always`: a task, whose every address gets a score.
	 */
	readonly deep: DeepCheck;
	/** Who waits for the answer. */
	readonly class: QuestionClass;
	/** What DNS says of the domain's mail, as looked up a moment ago or just now; null: to be looked up. */
	readonly mail: LookedUpMail | Promise<LookedUpMail> | null;
	/** What the domain said to invented recipients a moment ago; null: to be found out. */
	readonly knownInvented: KnownInvented | null;
	/** What the task's source list says as a whole; null: none, or not a task. */
	readonly sourceList: SourceListFacts | null;
	/** The facts of domains that were looked up a moment ago, for the next address of the same. */
	readonly domains: Map<string, Promise<DomainFacts>> | null;
}

/** What a domain said to invented recipients. */
export interface KnownInvented {
	readonly finding: InventedFinding;
	readonly readings: readonly InventedReading[];
}

/** What was found out about one address, before it is rendered. */
export interface Findings {
	readonly lists: ListFacts;
	readonly outcome: Outcome;
	/** What the domain says to invented recipients, where its best host answered; for the next address of the domain. */
	readonly invented: KnownInvented | null;
	/** Where the deep check ran. */
	readonly judgement: Judgement | null;
	/** The mail host whose reply decided; left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
	/** Our own capacity for its mail host is used up until then (epoch ms): it was not asked. */
	readonly postponedUntil?: number;
	/** Our way out by which nobody could be reached: whose fault it is, it alone does not tell. */
	readonly unreachedBy?: string;
}
