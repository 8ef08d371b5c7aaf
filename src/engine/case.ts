import type { Address } from '../core/address/parse-address.ts';
import type { Judgement } from '../core/catchall/breakdown.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { SourceListFacts } from '../core/catchall/list/list-facts.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { MailOperator } from '../core/mail-operators/operators.ts';
import type { OutcomeKind } from '../core/outcomes/outcome.ts';
import type { DeepCheck } from '../core/smtp/session.ts';
import type { Party, Urgency } from '../core/turns/who.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import type { Trail } from '../core/verification/trail.ts';
import type { ExpiringMap } from '../lib/expiring-map.ts';
import type { ProberClient } from '../net/prober-client.ts';
import type { Clock } from '../lib/time.ts';
import type { LookedUpHost, LookedUpMail, LookUpPorts } from './look-up-mail.ts';

export interface ExaminePorts extends LookUpPorts {
	readonly clock: Clock;
	/** Holds the conversations with mail hosts, on a machine whose port 25 is open. */
	readonly prober: Pick<ProberClient, 'ask'>;
	/** Random lower-case letters, for recipients that surely do not exist. */
	readonly randomness: { word(length: number): string };
	/** The look-ups of the deeper check. Never throws: one that fails or is late (`deadline`: epoch ms) is not measured. */
	readonly examineDomain: (domain: string, deadline: number) => Promise<DomainFacts>;
	/** How domains last answered about invented recipients. Left out: none is remembered. */
	readonly catchAlls?: ExpiringMap<KnownCatchAll>;
}

/** How addresses are examined, and for whom: made once by who asks, and passed on whole. */
export interface How extends Party {
	/**
	 * When the deeper check runs. `never`: in a bulk job, which leaves it to a task. `catch_all`: in a single call, if the
	 * domain is a catch-all. `always`: in a task, whose every address gets a score.
	 */
	readonly deep: DeepCheck;
	/** How soon the answer is needed. */
	readonly class: Urgency;
	/** When the visit to the mail hosts began that this is a part of; epoch ms. Left out: now. */
	readonly since?: number;
	/** False: what needs a question to a mail host stays unknown (`free_limit`). */
	readonly mayAsk?: boolean;
	/** No mail host is asked: lists, DNS and what we remember of the domain decide. */
	readonly quick?: boolean;
	/** The trail tells what was heard of mail hosts. */
	readonly explain?: boolean;
	/** Each step is noted there as it happens. */
	readonly trail?: Trail;
	/** The DNS look-up of the domain's mail, done or under way; null: not begun. */
	readonly mail?: LookedUpMail | Promise<LookedUpMail> | null;
	/** Facts about the task's source list as a whole; null: none, or not a task. */
	readonly sourceList?: SourceListFacts | null;
	/** The outcome of the account's own messages to an address, if it reported one; null: it did not. */
	readonly ownOutcomeOf?: (address: Address) => OutcomeKind | null;
}

/** A single call about an address. */
export const ALONE = { class: 'single', deep: 'catch_all' } as const;

/** The mail of a domain, and the call about it: made once for all addresses of the domain that are examined together. */
export interface Case {
	readonly ports: ExaminePorts;
	readonly how: How;
	readonly domain: string;
	/** The outcome for all its addresses where no mail host is asked, whatever the route. Null: nothing keeps us from it. */
	readonly refused: Outcome | null;
	readonly route: MailRoute;
	/** Name servers of the domain or of its hosts answered that they fail. */
	readonly nameServersFail: boolean;
	/** The mail operator of the route as a whole. */
	readonly operator: MailOperator | null;
	/** Best preference first. Null: the route leads to no host, or to one that is not worth asking. */
	readonly hosts: readonly LookedUpHost[] | null;
	/** The domain, or each of its mail hosts, belongs to a disposable mail service. */
	readonly isDisposable: boolean;
	/** Epoch milliseconds: when the look-up of the hosts' addresses had ended, and by when there must be an answer. */
	readonly lookedUpAt: number;
	readonly deadline: number;
	/** Earlier findings about the domain, where its hosts are not asked; null: none. */
	readonly knownCatchAll: KnownCatchAll | null;
	/** Looks up the domain's facts, once for all its addresses. */
	readonly domainFacts: (deadline: number) => Promise<DomainFacts>;
	/** Asks an invented recipient first, once for all its addresses. */
	readonly control: (ask: () => Promise<Wording | null>) => Promise<Wording | null>;
}

/** The findings about one address, before they are rendered. */
export interface Conclusion {
	readonly lists: ListFacts;
	readonly outcome: Outcome;
	/** The deeper check's; null: it did not run. */
	readonly judgement: Judgement | null;
	/** The mail host whose reply decided, not always the domain's first. Left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
	/** The operator of the mail host that was asked, with its habits; left out: unknown. */
	readonly operator?: MailOperator | null;
	/** The mail host was not asked, because our capacity for it is used up until then (epoch ms). */
	readonly postponedUntil?: number;
	/** No host was reached because name servers answered that they fail (SERVFAIL), which may be over in minutes. */
	readonly nameServersFail?: boolean;
}

/** A domain's last answer to invented recipients, and its time (epoch ms). */
export interface KnownCatchAll {
	readonly catchAll: boolean;
	readonly at: number;
}
