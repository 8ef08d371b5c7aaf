import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import type { Budget } from '../../../src/core/mail-operators/operator-row.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import type { BudgetOverrides } from '../../../src/core/turns/budget.ts';
import { orderByRendezvous } from '../../../src/core/egress/ways.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import type { Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import { REPLY_MS, slowConnection, US } from '../unit/fake-connection.ts';

// Names that begin otherwise have no mailbox.
export const MAILBOX = 'ada.';
// So long an operator refuses a source address that went too far, as traffic.md's operators do.
const ANGRY_MS = 10 * MINUTE_MS;
const HAD_ENOUGH = '421 4.7.28 Our system has detected an unusual rate of unsolicited mail';

/** Moments in their order. */
class Moments {
	readonly #all: number[] = [];
	#first = 0;

	/** Adds one. Returns how many there were in the sixty seconds before it. */
	add(now: number): number {
		this.#all.push(now);
		while ((this.#all[this.#first] ?? now) <= now - MINUTE_MS) this.#first += 1;
		return this.#all.length - this.#first;
	}

	/** How many there were in the whole minutes before. */
	before(until: number): number {
		const minute = until - (until % MINUTE_MS);
		return this.#all.filter((at) => at < minute).length;
	}
}

/** One operator's, or mail host's, view of one source address, and its limits. */
export class Seen {
	readonly operator: OperatorName | null;
	readonly recipients = new Moments();
	readonly connections = new Moments();
	/** How often it became angry, and how much it refused then. */
	angers = 0;
	refused = 0;
	readonly #limits: Budget;
	#day = { day: 0, recipients: 0 };
	#open = 0;
	#angryUntil = 0;

	constructor(operator: OperatorName | null, limits: Budget) {
		this.operator = operator;
		this.#limits = limits;
	}

	/** Counts a connection. False: the host refuses it. */
	connects(now: number): boolean {
		this.#open += 1;
		const { connections, connectionsPerMinute } = this.#limits;
		return this.#bears(this.connections.add(now) > connectionsPerMinute || this.#open > connections, now);
	}

	closes(): void {
		this.#open -= 1;
	}

	/** Counts a recipient. False: the host refuses it. */
	isAsked(now: number): boolean {
		const day = Math.floor(now / DAY_MS);
		if (day !== this.#day.day) this.#day = { day, recipients: 0 };
		this.#day.recipients += 1;
		const { recipientsPerMinute, recipientsPerDay } = this.#limits;
		const lately = this.recipients.add(now);
		return this.#bears(lately > recipientsPerMinute || this.#day.recipients > recipientsPerDay, now);
	}

	#bears(isTooMuch: boolean, now: number): boolean {
		if (isTooMuch) {
			if (now >= this.#angryUntil) this.angers += 1;
			this.#angryUntil = now + ANGRY_MS;
		}
		const isAngry = now < this.#angryUntil;
		if (isAngry) this.refused += 1;
		return !isAngry;
	}
}

/** All mail hosts: each operator has the limits of its row, for each source address. */
export function giantMailServers(clock: Clock, egresses: readonly string[], budgets: BudgetOverrides) {
	const labels = egresses.map((label) => ({ label }));
	/** By operator, or host, and source address. */
	const seenBy = new Map<string, Seen>();
	const dialer: Dialer = {
		egressesFor: (key) => orderByRendezvous(labels, key).map(({ label }) => label) as [string, ...string[]],
		async dial({ hostName = '', egress }) {
			const operator = findMailOperator([hostName])?.operator ?? null;
			const name = `${operator ?? hostName} by ${egress}`;
			const seen = seenBy.get(name) ?? new Seen(operator, budgetOf(operator, budgets));
			seenBy.set(name, seen);
			await clock.sleep(REPLY_MS);
			const close = async (): Promise<void> => {
				await clock.sleep(REPLY_MS);
				seen.closes();
			};
			const greeting = seen.connects(clock.now()) ? `220 ${hostName} ESMTP` : HAD_ENOUGH;
			const answer = (line: string): string => replyTo(line, seen, clock.now());
			const connection = slowConnection(clock, answer, { greeting, close });
			return { kind: 'connected', connection, identity: US };
		},
	};
	return { ...dialer, seen: (): readonly Seen[] => [...seenBy.values()] };
}

function replyTo(line: string, seen: Seen, now: number): string {
	if (line.startsWith('EHLO')) return '250-mx\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES';
	if (!line.startsWith('RCPT')) return '250 2.1.0 Ok';
	if (!seen.isAsked(now)) return HAD_ENOUGH;
	return line.includes(`<${MAILBOX}`) ? '250 2.1.5 Ok' : '550 5.1.1 No such user';
}
