import { RECIPIENTS_PER_TRANSACTION } from '../../../src/core/smtp/limits.ts';
import type { Budget } from '../../../src/core/mail-operators/operator-row.ts';
import { ProberMemory } from '../../../src/prober/memory.ts';
import { Turns } from '../../../src/prober/turns/turns.ts';
import type { Dialer, Dialled } from '../../../src/prober/dial/egress-dialer.ts';
import type { ConversationRequest, Conversed } from '../../../src/prober/conversation.ts';
import { slowConnection, US } from './fake-connection.ts';
import type { FakeConnection } from './fake-connection.ts';
import { makePlan } from './smtp-plan.ts';
import { virtualClock } from './virtual-clock.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { randomFrom } from '../random.ts';

/** So much that only connections are scarce. */
const PLENTY: Partial<Budget> = {
	connectionsPerMinute: 60_000,
	recipientsPerMinute: 600_000,
	recipientsPerDay: 100_000_000,
	recipientsPerConnection: 100,
};

interface Server {
	/** The server's reply to a line of ours. Empty: silence; null: it hangs up; undefined: the usual reply. */
	readonly answers?: (line: string, connection: number) => string | null | undefined;
	/** The egresses for a domain, in their order; left out: one for all. */
	readonly egressesFor?: (domain: string) => readonly [string, ...string[]];
	/** The egress does not work, and dialling reports that. */
	readonly isOut?: (egress: string) => boolean;
	/** It takes its time over a goodbye. */
	readonly closesAfterMs?: number;
}

const usual = (line: string): string => {
	if (line.startsWith('EHLO')) return '250-mx\r\n250 PIPELINING';
	return line.includes('<good') || !line.startsWith('RCPT') ? '250 2.1.5 ok' : '550 5.1.1 no such user';
};

/** A dialer by `direct`, or by the egress of the domain. */
function makeDialer(clock: VirtualClock, server: Server) {
	const connections: FakeConnection[] = [];
	const dialled: string[] = [];
	const counts = { openMost: 0 };
	const failed = new Set<string>();
	const egressesFor: Dialer['egressesFor'] = (domain) => {
		const all = server.egressesFor?.(domain) ?? ['direct'];
		const [first, ...others] = all.filter((egress) => !failed.has(egress));
		return first === undefined ? all : [first, ...others];
	};
	const dial: Dialer['dial'] = async ({ address, egress }): Promise<Dialled> => {
		if (server.isOut?.(egress) === true) {
			failed.add(egress);
			return { kind: 'fault', fault: 'unavailable' };
		}
		failed.delete(egress);
		const number = dialled.push(address) - 1;
		const answer = (line: string): string | null => {
			const own = server.answers?.(line, number);
			return own === undefined ? usual(line) : own;
		};
		const { closesAfterMs } = server;
		const close = closesAfterMs === undefined ? undefined : () => clock.sleep(closesAfterMs);
		const connection = slowConnection(clock, answer, { close });
		connections.push(connection);
		const open = connections.filter(({ closed }) => !closed).length;
		counts.openMost = Math.max(counts.openMost, open);
		return { kind: 'connected', connection, identity: US };
	};
	const dialer: Dialer = { egressesFor, dial };
	return { dialer, connections, dialled, counts };
}

/** Turns at a mail server that takes a tenth of a second to answer, on a clock of their own. */
export function makeTurns(server: Server = {}, budget: Partial<Budget> = PLENTY, gatesMax?: number) {
	const clock = virtualClock();
	const { dialer, ...wayOut } = makeDialer(clock, server);
	const memory = new ProberMemory(':memory:', clock);
	const ends: string[] = [];
	const ports = {
		clock,
		random: randomFrom(1),
		dialer,
		memory,
		overrides: { all: budget },
		warm: ['all'],
		held: (egress: string, end: string) => void ends.push(`${end} by ${egress}`),
	};
	const turns = new Turns(ports, gatesMax);
	const plan = makePlan({ invented: [], perTransaction: RECIPIENTS_PER_TRANSACTION });
	const request = (name: string, changes: Partial<ConversationRequest> = {}): ConversationRequest => ({
		domain: 'x.test',
		address: '192.0.2.1',
		class: 'single',
		fresh: false,
		hostName: 'mx.zoho.com',
		asker: name,
		operator: 'zoho',
		isBest: true,
		deadline: clock.now() + 15_000,
		...changes,
		plan: { ...plan, targets: [`${name}@x.test`], ...changes.plan },
	});
	const ask = (name: string, changes: Partial<ConversationRequest> = {}): Promise<Conversed> =>
		turns.hold(request(name, changes));
	return { ...wayOut, dialer, clock, turns, memory, ask, request, ends };
}

/** The code of the reply about the first recipient; without a conversation, the kind of failure. */
export function codeOf(conversed: Conversed): number | string | null {
	return conversed.kind === 'held' ? (conversed.report.targets[0]?.reply?.code ?? null) : conversed.kind;
}
