import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import type { BudgetOverrides } from '../../../src/core/turns/budget.ts';
import { orderByRendezvous } from '../../../src/core/egress/ways.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import type { Connection, Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import type { ReadResult } from '../../../src/prober/dial/stream-connection.ts';
import { HAD_ENOUGH, OperatorLimits } from './operator-limits.ts';

/** The round trip to every mail server, also that of a connection. */
const REPLY_MS = 100;
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
		const seen = this.#seenFrom(hostName, egress);
		await this.#clock.sleep(REPLY_MS);
		const connection = new GiantConnection(this.#clock, seen, hostName);
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class GiantConnection implements Connection {
	readonly #clock: Clock;
	readonly #seen: SeenFrom;
	#ready = '';
	#wake: (() => void) | null = null;
	#hasHungUp = false;
	#isClosed = false;
	#saidFirst: Promise<void> = Promise.resolve();

	constructor(clock: Clock, seen: SeenFrom, host: string) {
		this.#clock = clock;
		this.#seen = seen;
		const now = clock.now();
		countIn(seen.connections, now);
		const isTaken = seen.limits.connects(now);
		this.#sayLater(isTaken ? `220 ${host} ESMTP\r\n` : `${HAD_ENOUGH}\r\n`, !isTaken);
	}

	async read(limitMs: number): Promise<ReadResult> {
		if (this.#ready === '' && !this.#hasHungUp && limitMs > 0) {
			const patience = new AbortController();
			const { promise: said, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			await Promise.race([said, this.#clock.sleep(limitMs, patience.signal)]);
			patience.abort();
		}
		if (this.#ready === '') return { kind: this.#hasHungUp ? 'closed' : 'timeout' };
		const bytes = encoder.encode(this.#ready);
		this.#ready = '';
		return { kind: 'bytes', bytes };
	}

	async write(bytes: Uint8Array): Promise<void> {
		let said = '';
		for (const line of decoder.decode(bytes).trimEnd().split('\r\n')) {
			if (line === 'QUIT') return;
			const reply = this.#replyTo(line);
			said += `${reply}\r\n`;
			if (reply === HAD_ENOUGH) return this.#sayLater(said, true);
		}
		this.#sayLater(said, false);
	}

	/** The server sees it half a round trip later. */
	secure(): Promise<'failed'> {
		return Promise.resolve('failed');
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		await this.#clock.sleep(REPLY_MS);
		this.#seen.limits.closes();
	}

	#replyTo(line: string): string {
		if (line.startsWith('EHLO')) return '250-mx\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES';
		if (!line.startsWith('RCPT')) return '250 2.1.0 Ok';
		const now = this.#clock.now();
		countIn(this.#seen.recipients, now);
		if (!this.#seen.limits.isAsked(now)) return HAD_ENOUGH;
		return line.includes(`<${MAILBOX}`) ? '250 2.1.5 Ok' : '550 5.1.1 No such user';
	}

	/** Replies come in the order of what they answer. */
	#sayLater(text: string, hangsUp: boolean): void {
		const due = this.#clock.sleep(REPLY_MS);
		this.#saidFirst = this.#say(this.#saidFirst, due, text, hangsUp);
	}

	async #say(before: Promise<void>, due: Promise<void>, text: string, hangsUp: boolean): Promise<void> {
		await Promise.all([before, due]);
		this.#ready += text;
		this.#hasHungUp ||= hangsUp;
		this.#wake?.();
	}
}

function countIn(minutes: Map<number, number>, now: number): void {
	const minute = Math.floor(now / 60_000);
	minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
}
