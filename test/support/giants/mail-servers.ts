import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import type { BudgetOverrides } from '../../../src/core/turns/budget.ts';
import { orderByRendezvous } from '../../../src/core/egress/ways.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import type { Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import { REPLY_MS, SlowConnection } from '../unit/slow-connection.ts';
import { HAD_ENOUGH, OperatorLimits } from './operator-limits.ts';

// Names that begin otherwise have no mailbox.
export const MAILBOX = 'ada.';

/** The mail world's view of one operator, or host, and one source address. */
export interface SeenFrom {
	readonly operator: OperatorName | null;
	readonly limits: OperatorLimits;
	/** Recipients and new connections by minute since the epoch. */
	readonly recipients: Map<number, number>;
	readonly connections: Map<number, number>;
}

/** All mail hosts: each operator has the limits of its row, for each source address. */
export class GiantMailServers implements Dialer {
	readonly #clock: Clock;
	readonly #egresses: readonly { readonly label: string }[];
	readonly #budgets: BudgetOverrides;
	readonly #seen = new Map<string, SeenFrom>();

	constructor(clock: Clock, egresses: readonly string[], budgets: BudgetOverrides) {
		this.#budgets = budgets;
		this.#clock = clock;
		this.#egresses = egresses.map((label) => ({ label }));
	}

	get seen(): readonly SeenFrom[] {
		return [...this.#seen.values()];
	}

	egressesFor(key: string): readonly [string, ...string[]] {
		return orderByRendezvous(this.#egresses, key).map(({ label }) => label) as [string, ...string[]];
	}

	dial: Dialer['dial'] = async ({ hostName = '', egress }) => {
		const clock = this.#clock;
		const seen = this.#seenFrom(hostName, egress);
		await clock.sleep(REPLY_MS);
		countIn(seen.connections, clock.now());
		const connection = new SlowConnection(clock, (line) => replyTo(line, seen, clock.now()), {
			greeting: seen.limits.connects(clock.now()) ? `220 ${hostName} ESMTP` : HAD_ENOUGH,
			closesAfterMs: REPLY_MS,
			closes: () => seen.limits.closes(),
		});
		const identity = { heloName: 'probe.us.test', mailFrom: 'v@us.test' };
		return { kind: 'connected', connection, identity };
	};

	#seenFrom(host: string, egress: string): SeenFrom {
		const operator = findMailOperator([host])?.operator ?? null;
		const name = `${operator ?? host} by ${egress}`;
		let seen = this.#seen.get(name);
		if (seen === undefined) {
			const limits = new OperatorLimits(budgetOf(operator, this.#budgets));
			seen = { operator, limits, recipients: new Map(), connections: new Map() };
			this.#seen.set(name, seen);
		}
		return seen;
	}
}

function replyTo(line: string, { limits, recipients }: SeenFrom, now: number): string {
	if (line.startsWith('EHLO')) return '250-mx\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES';
	if (!line.startsWith('RCPT')) return '250 2.1.0 Ok';
	countIn(recipients, now);
	if (!limits.isAsked(now)) return HAD_ENOUGH;
	return line.includes(`<${MAILBOX}`) ? '250 2.1.5 Ok' : '550 5.1.1 No such user';
}

function countIn(minutes: Map<number, number>, now: number): void {
	const minute = Math.floor(now / 60_000);
	minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
}
