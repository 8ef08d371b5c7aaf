import { isFreeProvider } from '../core/lists/domain-kinds.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import { mailHostOf } from '../core/politeness/mail-host.ts';
import type { MailHost } from '../core/politeness/mail-host.ts';
import type { Question } from '../engine/question.ts';
import type { Dialer, StandingMemory } from './ports.ts';

/** What is done while an operator refuses one of our source addresses. Changing addresses makes most of them angrier. */
export type Failover = 'wait' | 'move';

/** By operator, and for all others. */
export interface FailoverRule {
	readonly otherwise: Failover;
	readonly of: Readonly<Partial<Record<OperatorName, Failover>>>;
}

export const ALWAYS_WAIT: FailoverRule = { otherwise: 'wait', of: {} };

interface WayOutPorts {
	readonly dialer: Pick<Dialer, 'egressesFor'>;
	readonly standing: StandingMemory;
	readonly failover?: FailoverRule;
}

/**
 * A mail host by the way out that serves a question. A domain keeps its way out, since servers greylist strangers; where
 * half of a list lies in one domain of a large operator, its mailboxes go by all of them.
 */
export function wayOutTo(
	{ dialer, standing, failover = ALWAYS_WAIT }: WayOutPorts,
	host: string,
	operator: OperatorName | null,
	{ domain, targets }: Pick<Question, 'domain' | 'targets'>,
): MailHost {
	const [mailbox = domain] = targets;
	const key = operator !== null && isFreeProvider(domain) ? mailbox : domain;
	const [first, ...others] = dialer.egressesFor(key);
	const preferred = mailHostOf(host, operator, first);
	if (operator === null || !standing.pace(preferred).isTrying) return preferred;
	if ((failover.of[operator] ?? failover.otherwise) === 'wait') return preferred;
	const welcome = others
		.map((egress) => mailHostOf(host, operator, egress))
		.find((by) => standing.pace(by).share === 1 && !standing.pace(by).isTrying);
	return welcome ?? preferred;
}
