import { isFreeProvider } from '../core/lists/domain-kinds.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import { mailHostOf } from '../core/politeness/mail-host.ts';
import type { MailHost } from '../core/politeness/mail-host.ts';
import type { Question } from '../engine/question.ts';
import type { Dialer, StandingMemory } from './ports.ts';

/** The way while an operator refuses one of our source addresses. Changing addresses makes most of them angrier. */
export type Failover = 'wait' | 'move';

/** When it would be a question's turn at an operator's host by its way out, epoch milliseconds. */
export type TurnAt = (
	host: MailHost,
	operator: OperatorName,
	of: Pick<Question, 'class' | 'asker' | 'isTrial' | 'owner' | 'targets'>,
) => number;

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
	/** Left out: by all alike. */
	readonly turnAt?: TurnAt;
}

// With the soonest of four out of many, none has much more to do than another, and little is to be compared.
const COMPARED = 4;
// Fewer are no conversation worth a connection.
const TARGETS_MIN = 20;

/**
 * A mail host by the way out that serves a question. A domain keeps its way out, since servers greylist strangers; where
 * half of a list lies in one domain of a large operator, its mailboxes go by all of them, and each by one that is free.
 */
export function wayOutTo(
	ports: WayOutPorts,
	host: string,
	operator: OperatorName | null,
	question: Pick<Question, 'domain' | 'targets' | 'class' | 'asker' | 'isTrial' | 'owner'>,
): MailHost {
	const { dialer, standing, failover = ALWAYS_WAIT, turnAt } = ports;
	const { domain, targets } = question;
	const [mailbox = domain] = targets;
	const isSpread = operator !== null && isFreeProvider(domain);
	const [first, ...others] = dialer.egressesFor(isSpread ? mailbox : domain);
	const preferred = mailHostOf(host, operator, first);
	const by = (egress: string): MailHost => mailHostOf(host, operator, egress);
	const isTrying = standing.pace(preferred).isTrying;
	if (!isTrying && isSpread && turnAt !== undefined) {
		// An address that is refused is no choice, and a question whose own address is refused waits: else it would be moving on.
		const open = others
			.slice(0, COMPARED - 1)
			.map(by)
			.filter((one) => !standing.pace(one).isTrying);
		const turns = [preferred, ...open].map((one) => ({ one, at: turnAt(one, operator, question) }));
		return turns.toSorted((a, b) => a.at - b.at)[0]?.one ?? preferred;
	}
	if (operator === null || !isTrying) return preferred;
	if ((failover.of[operator] ?? failover.otherwise) === 'wait') return preferred;
	const welcome = others.map(by).find((one) => {
		const { share, isTrying: isRefused } = standing.pace(one);
		return share === 1 && !isRefused;
	});
	return welcome ?? preferred;
}

/**
 * The targets of a question as they are asked side by side: those of a large operator's own domain by as many ways out
 * as there are, else all of them together. In their order.
 */
export function sideBySide(
	{ dialer }: Pick<WayOutPorts, 'dialer'>,
	operator: OperatorName | null,
	{ domain, targets }: Pick<Question, 'domain' | 'targets'>,
): readonly (readonly string[])[] {
	const most = Math.floor(targets.length / TARGETS_MIN);
	if (operator === null || most < 2 || !isFreeProvider(domain)) return [targets];
	const groups = Math.min(most, dialer.egressesFor(domain).length);
	const cut = (at: number): number => Math.floor((at * targets.length) / groups);
	return Array.from({ length: groups }, (_, at) => targets.slice(cut(at), cut(at + 1)));
}
