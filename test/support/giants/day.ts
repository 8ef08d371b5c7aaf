import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { PART_OF_LISTS } from '../../../src/core/turns/gate.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import type { BudgetOverrides } from '../../../src/core/turns/budget.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import type { FinalRow } from '../../../src/core/jobs/stored-row.ts';
import { HORIZON_MS } from '../../../src/core/jobs/open-row.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import type { Usage } from '../billing.ts';
import { randomFrom } from '../random.ts';
import { sum } from '../statistics.ts';
import type { GiantJob } from './jobs.ts';
import { drawAddress, hostOf } from './lists.ts';
import { giantMailServers } from './mail-servers.ts';
import type { Seen } from './mail-servers.ts';
import { giantService } from './service.ts';
import { virtualClock } from '../unit/virtual-clock.ts';

// Ten in the morning, UTC: the day's budgets begin anew before the lists' horizon.
const BEGIN = Date.UTC(2026, 10, 23, 10);

export interface DayOptions {
	readonly egresses: number;
	/** Lists, each of another account, all begun at once. */
	readonly lists: number;
	readonly listSize: number;
	/** The limits of operators, and those that we presume, where they differ from the operators' rows. */
	readonly budgets?: BudgetOverrides;
	/** Single calls, and lists of 49, each of accounts of their own. Both from the second minute on. */
	readonly calls: { readonly count: number; readonly everyMs: number };
	readonly small: { readonly count: number; readonly everyMs: number };
}

/** The outcome of a day. */
export type Day = Awaited<ReturnType<typeof passDay>>;

interface Call {
	readonly email: string;
	readonly at: number;
	readonly ms: number;
	readonly isUnknown: boolean;
}

/** Lets a day pass: lists, small lists and callers beside them. With the same options it is the same day. */
export async function passDay(options: DayOptions) {
	const random = randomFrom(1);
	const time = virtualClock(BEGIN);
	const egresses = Array.from({ length: options.egresses }, (_, n) => `direct://192.0.2.${n + 1}`);
	const { budgets = {} } = options;
	const servers = giantMailServers(time, egresses, budgets);
	const service = giantService(time, servers, budgets, random);
	let drawn = 0;
	const draw = (count: number): readonly string[] =>
		Array.from({ length: count }, () => drawAddress(random, (drawn += 1)));
	const lists = Array.from({ length: options.lists }, (_, n) =>
		service.begin(`acc_list_${n}`, draw(options.listSize)),
	);
	const small: GiantJob[] = [];
	const calls: Call[] = [];
	const smallLists = Array.from({ length: options.small.count }, () => draw(49));
	const called = draw(options.calls.count);
	const later = async (): Promise<void> => {
		for (const [n, addresses] of smallLists.entries()) {
			await time.sleep(options.small.everyMs);
			small.push(service.begin(`acc_small_${n}`, addresses));
		}
	};
	const call = async (email: string, accountId: string): Promise<void> => {
		const at = time.now();
		const { result } = await service.verify(email, accountId);
		calls.push({ email, at, ms: time.now() - at, isUnknown: result.status === 'unknown' });
	};
	const caller = async (): Promise<void> => {
		for (const [n, address] of called.entries()) {
			await time.sleep(options.calls.everyMs * 2 * random());
			void call(address, `acc_caller_${n % 7}`);
		}
	};
	let isCalling = true;
	void Promise.all([time.sleep(MINUTE_MS).then(later), time.sleep(MINUTE_MS).then(caller)])
		.then(() => time.sleep(MINUTE_MS))
		.then(() => (isCalling = false));
	const isDone = (): boolean =>
		!isCalling && [...lists, ...small].every(({ completedAt }) => completedAt !== null);
	await time.runUntil(BEGIN + HORIZON_MS + 10 * MINUTE_MS, isDone);

	const seen = servers.seen();
	const rows = lists.flatMap((job) => job.rows);
	const unknownOf = (some: readonly FinalRow[]): number =>
		some.filter(([, , subStatus]) => statusOf(subStatus) === 'unknown').length;
	const addresses = options.lists * options.listSize;
	const ended = Math.max(BEGIN, ...lists.map(({ completedAt }) => completedAt ?? BEGIN + HORIZON_MS));
	const parts = sum(lists.map((job) => job.parts));
	return {
		options,
		/** All of them our own doing: every mail host here knows its users. */
		unknown: unknownOf(rows),
		unfinished: addresses - rows.length,
		hours: (ended - BEGIN) / HOUR_MS,
		/** The one that decided when the lists were done comes first: others may be idle while their parts wait for its parts. */
		used: usedOf(seen, rows, calls, options),
		/** How often an operator, or a host, had enough of a source address. */
		angers: sum(seen.map(({ angers }) => angers)),
		refused: sum(seen.map(({ refused }) => refused)),
		smallMs: small.map((job) => (job.completedAt ?? Infinity) - job.createdAt),
		smallUnknown: unknownOf(small.flatMap((job) => job.rows)),
		callMs: calls.map(({ ms }) => ms),
		callsUnknown: calls.filter(({ isUnknown }) => isUnknown).length,
		/** The platform bills this for the lists. */
		usage: usageOf(lists, { addresses, parts }),
		storedPerPart: sum(lists.map(({ stored }) => stored)) / Math.max(1, parts),
	};
}

// Rows that a call of the account writes. With one attempt a part that is what `test/worker/verify-costs` counts.
const ROWS_OF = { opening: 1, claims: 1, renewals: 1, postponements: 1, settlements: 3, sending: 1 };
// The input, and the attempt before.
const READS_OF_CLAIM = 2;

function usageOf(
	lists: readonly GiantJob[],
	{ addresses, parts }: { readonly addresses: number; readonly parts: number },
): Usage {
	const all = (count: (job: GiantJob) => number): number => sum(lists.map(count));
	const messages = all(({ calls }) => calls.messages);
	const calls = all((job) => sum(COUNTED.map((name) => job.calls[name])));
	// The Worker sends each part's first message, and the account's alarm the others.
	const alarms = Math.max(0, messages - parts);
	return {
		addresses,
		invocations: messages,
		objectRows:
			parts * ROWS_OF.opening +
			alarms * ROWS_OF.sending +
			all((job) => sum(COUNTED.map((name) => job.calls[name] * ROWS_OF[name]))),
		databaseRows: 0,
		objectRequests: calls + alarms,
		objectMs: 0,
		messages,
		bucketWrites: all(({ stored }) => stored),
		bucketReads: READS_OF_CLAIM * all((job) => job.calls.claims),
	};
}

const COUNTED = ['claims', 'renewals', 'postponements', 'settlements'] as const;

// A list's last addresses at an operator are fewer than its source addresses.
const BACKLOG_SHARE = 0.95;
// An operator that is asked less than this has no backlog worth the name.
const BACKLOG_MS_MIN = 10 * MINUTE_MS;

/** How much of an operator's budget was used by lists while there was something to ask. */
function usedOf(
	seen: readonly Seen[],
	rows: readonly FinalRow[],
	calls: readonly Call[],
	{ egresses, budgets }: DayOptions,
) {
	const found = Map.groupBy(rows, ([, email]) => operatorOf(email));
	const all = [...found].flatMap(([operator, answered]) => {
		const times = answered
			.map(([, , , , , , , , , , , , , verifiedAt]) => verifiedAt)
			.toSorted((a, b) => a - b);
		const until = times[Math.floor(times.length * BACKLOG_SHARE)] ?? BEGIN;
		if (operator === null || until - BEGIN < BACKLOG_MS_MIN) return [];
		const of = seen.filter((one) => one.operator === operator);
		const recipients = of.map((one) => one.recipients.before(until));
		const connections = of.map((one) => one.connections.before(until));
		const { recipientsPerMinute, recipientsPerDay, connectionsPerMinute } = budgetOf(operator, budgets);
		const forLists = (limit: number): number => Math.floor(limit * PART_OF_LISTS);
		const bearable =
			capacityUntil(until, forLists(recipientsPerMinute), forLists(recipientsPerDay)) * egresses;
		const dialable = capacityUntil(until, forLists(connectionsPerMinute), Infinity) * egresses;
		// These may use what lists may not.
		const called = calls.filter(({ email, at }) => at < until && operatorOf(email) === operator).length;
		const mean = sum(recipients) / egresses;
		const least = of.length < egresses ? 0 : Math.min(...recipients) / mean;
		return {
			operator,
			answered: times.length,
			/** Until nineteen of twenty of its addresses had an answer. */
			backlogHours: (until - BEGIN) / HOUR_MS,
			/** Of the lists' budget: recipients, or new connections where these are scarce. */
			share: Math.max((sum(recipients) - called) / bearable, sum(connections) / dialable),
			/** The least and the most that a source address asked, of the mean. */
			spread: [least, Math.max(...recipients) / mean] as const,
		};
	});
	return all.toSorted((a, b) => b.backlogHours - a.backlogHours);
}

function operatorOf(email: string): OperatorName | null {
	return findMailOperator([hostOf(email.slice(email.lastIndexOf('@') + 1))])?.operator ?? null;
}

/** The capacity of one source address at an operator from the day's begin on: so much a minute, and a day (UTC). */
function capacityUntil(until: number, perMinute: number, perDay: number): number {
	let capacity = 0;
	for (let from = BEGIN; from < until;) {
		const to = Math.min(until, (Math.floor(from / DAY_MS) + 1) * DAY_MS);
		capacity += Math.min(perDay, ((to - from) / MINUTE_MS) * perMinute);
		from = to;
	}
	return capacity;
}
