import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { PART_OF_LISTS } from '../../../src/core/turns/gate.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import type { BudgetOverrides } from '../../../src/core/turns/budget.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import type { FinalRow } from '../../../src/core/jobs/stored-row.ts';
import { HORIZON_MS } from '../../../src/core/jobs/open-row.ts';
import type { Usage } from '../billing.ts';
import { randomFrom } from '../random.ts';
import type { GiantJob } from './jobs.ts';
import { drawAddress, hostOf } from './lists.ts';
import { GiantMailServers } from './mail-servers.ts';
import type { SeenFrom } from './mail-servers.ts';
import { GiantService } from './service.ts';
import { virtualClock } from '../unit/virtual-clock.ts';
import type { VirtualClock } from '../unit/virtual-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
// Ten in the morning, UTC: the day's budgets begin anew before the lists' horizon.
const BEGIN = Date.UTC(2026, 10, 23, 10);

export interface DayOptions {
	readonly seed: number;
	readonly egresses: number;
	/** Lists, each of another account, all begun at once. */
	readonly lists: number;
	readonly listSize: number;
	readonly partsAtATime: number;
	/** The limits of operators, and those that we presume, where they differ from the operators' rows. */
	readonly budgets?: BudgetOverrides;
	/** Single calls, and lists of 49, each of accounts of their own. Both from the second minute on. */
	readonly calls: { readonly count: number; readonly everyMs: number };
	readonly small: { readonly count: number; readonly everyMs: number };
}

/** The outcome of a day. */
export interface Day {
	readonly options: DayOptions;
	readonly rows: number;
	/** The rows of the lists, by sub_status. */
	readonly told: ReadonlyMap<string, number>;
	/** The unknown ones, all of them our own doing: every mail host here knows its users. */
	readonly unknown: number;
	readonly unfinished: number;
	readonly hours: number;
	/** The one that decided when the lists were done comes first: others may be idle while their parts wait for its parts. */
	readonly used: readonly BudgetUsed[];
	/** How often an operator, or a host, had enough of a source address. */
	readonly angers: number;
	readonly refused: number;
	/** In milliseconds. */
	readonly smallMs: readonly number[];
	readonly smallUnknown: number;
	readonly callMs: readonly number[];
	readonly callsUnknown: number;
	readonly storedPerPart: number;
	/** The platform bills this for the lists. */
	readonly usage: Usage;
}

/** How much of an operator's budget was used by lists while there was something to ask. */
export interface BudgetUsed {
	readonly operator: OperatorName;
	readonly answered: number;
	/** Until nineteen of twenty of its addresses had an answer. */
	readonly backlogHours: number;
	/** The share of the lists' budget: recipients, or new connections where these are scarce. */
	readonly share: number;
	/** The least and the most that a source address asked, of the mean. */
	readonly spread: readonly [number, number];
}

interface Call {
	readonly email: string;
	readonly at: number;
	readonly ms: number;
	readonly isUnknown: boolean;
}

/** Lets a day pass: lists, small lists and callers beside them. */
export async function passDay(options: DayOptions): Promise<Day> {
	const random = randomFrom(options.seed);
	const time = virtualClock(BEGIN);
	const egresses = Array.from({ length: options.egresses }, (_, n) => `direct://192.0.2.${n + 1}`);
	const { partsAtATime, budgets = {} } = options;
	const servers = new GiantMailServers(time, egresses, budgets);
	const service = new GiantService({ time, servers, partsAtATime, budgets, random });
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
	const caller = async (): Promise<void> => {
		for (const [n, address] of called.entries()) {
			await time.sleep(options.calls.everyMs * 2 * random());
			void call(service, time, address, `acc_caller_${n % 7}`).then((one) => calls.push(one));
		}
	};
	let isCalling = true;
	void Promise.all([time.sleep(MINUTE_MS).then(later), time.sleep(MINUTE_MS).then(caller)])
		.then(() => time.sleep(MINUTE_MS))
		.then(() => (isCalling = false));
	const isDone = (): boolean =>
		!isCalling && [...lists, ...small].every(({ completedAt }) => completedAt !== null);
	await time.runUntil(BEGIN + HORIZON_MS + 10 * MINUTE_MS, isDone);
	return report({ options, servers, lists, small, calls });
}

async function call(
	service: GiantService,
	time: VirtualClock,
	address: string,
	accountId: string,
): Promise<Call> {
	const begun = time.now();
	const { result } = await service.verify(address, accountId);
	return { email: address, at: begun, ms: time.now() - begun, isUnknown: result.status === 'unknown' };
}

interface Passed {
	readonly options: DayOptions;
	readonly servers: GiantMailServers;
	readonly lists: readonly GiantJob[];
	readonly small: readonly GiantJob[];
	readonly calls: readonly Call[];
}

function report({ options, servers, lists, small, calls }: Passed): Day {
	const rows = lists.flatMap((job) => job.rows);
	const told = new Map<string, number>();
	for (const [, , subStatus] of rows) told.set(subStatus, (told.get(subStatus) ?? 0) + 1);
	const unknown = rows.filter(([, , subStatus]) => statusOf(subStatus) === 'unknown').length;
	const size = options.lists * options.listSize;
	const ended = Math.max(BEGIN, ...lists.map(({ completedAt }) => completedAt ?? BEGIN + HORIZON_MS));
	const parts = lists.reduce((sum, { parts: count }) => sum + count, 0);
	return {
		options,
		rows: size,
		told,
		unknown,
		unfinished: size - rows.length,
		hours: (ended - BEGIN) / 3_600_000,
		used: usedOf(servers.seen, rows, calls, options),
		angers: servers.seen.reduce((sum, { limits }) => sum + limits.times, 0),
		refused: servers.seen.reduce((sum, { limits }) => sum + limits.refused, 0),
		smallMs: small.map((job) => (job.completedAt ?? Infinity) - job.createdAt),
		smallUnknown: small
			.flatMap((job) => job.rows)
			.filter(([, , subStatus]) => statusOf(subStatus) === 'unknown').length,
		callMs: calls.map(({ ms }) => ms),
		callsUnknown: calls.filter(({ isUnknown }) => isUnknown).length,
		usage: usageOf(lists, { addresses: size, parts }),
		storedPerPart: lists.reduce((sum, { stored }) => sum + stored, 0) / Math.max(1, parts),
	};
}

// Rows that a call of the account writes. With one attempt a part that is what `test/worker/job-costs` counts.
const ROWS_OF = { opening: 1, claims: 1, renewals: 1, postponements: 1, settlements: 3, sending: 1 };
// The input, and the attempt before.
const READS_OF_CLAIM = 2;

function usageOf(
	lists: readonly GiantJob[],
	{ addresses, parts }: { readonly addresses: number; readonly parts: number },
): Usage {
	const all = (count: (job: GiantJob) => number): number => lists.reduce((sum, job) => sum + count(job), 0);
	const messages = all(({ calls }) => calls.messages);
	const calls = all((job) => sumOf(job, () => 1));
	// The Worker sends each part's first message, and the account's alarm the others.
	const alarms = Math.max(0, messages - parts);
	return {
		what: 'bulk',
		addresses,
		invocations: messages,
		objectRows:
			parts * ROWS_OF.opening + alarms * ROWS_OF.sending + all((job) => sumOf(job, (name) => ROWS_OF[name])),
		databaseRows: 0,
		objectRequests: calls + alarms,
		objectMs: 0,
		messages,
		bucketWrites: all(({ stored }) => stored),
		bucketReads: READS_OF_CLAIM * all((job) => job.calls.claims),
	};
}

const COUNTED = ['claims', 'renewals', 'postponements', 'settlements'] as const;

function sumOf({ calls }: GiantJob, each: (name: (typeof COUNTED)[number]) => number): number {
	return COUNTED.reduce((sum, name) => sum + calls[name] * each(name), 0);
}

// A list's last addresses at an operator are fewer than its source addresses.
const BACKLOG_SHARE = 0.95;
// An operator that is asked less than this has no backlog worth the name.
const BACKLOG_MS_MIN = 10 * MINUTE_MS;

function usedOf(
	seen: readonly SeenFrom[],
	rows: readonly FinalRow[],
	calls: readonly Call[],
	{ egresses, budgets }: DayOptions,
): readonly BudgetUsed[] {
	const answeredAt = new Map<OperatorName, number[]>();
	for (const [, email, , , , , , , , , , , , verifiedAt] of rows) {
		const operator = operatorOf(email);
		if (operator === null) continue;
		const known = answeredAt.get(operator) ?? [];
		known.push(verifiedAt);
		answeredAt.set(operator, known);
	}
	const all = [...answeredAt].flatMap(([operator, times]) => {
		times.sort((a, b) => a - b);
		const until = times[Math.floor(times.length * BACKLOG_SHARE)] ?? BEGIN;
		if (until - BEGIN < BACKLOG_MS_MIN) return [];
		const of = seen.filter((one) => one.operator === operator);
		const recipients = of.map((one) => countUntil(one.recipients, until));
		const connections = of.map((one) => countUntil(one.connections, until));
		const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
		const { recipientsPerMinute, recipientsPerDay, connectionsPerMinute } = budgetOf(operator, budgets);
		const forLists = (limit: number): number => Math.floor(limit * PART_OF_LISTS);
		const perDay = forLists(recipientsPerDay);
		const bearable = capacityUntil(until, forLists(recipientsPerMinute), perDay) * egresses;
		const dialable = capacityUntil(until, forLists(connectionsPerMinute), Infinity) * egresses;
		// These may use what lists may not.
		const called = calls.filter(({ email, at }) => at < until && operatorOf(email) === operator).length;
		const mean = sum(recipients) / egresses;
		const least = of.length < egresses ? 0 : Math.min(...recipients) / mean;
		return {
			operator,
			answered: times.length,
			backlogHours: (until - BEGIN) / 3_600_000,
			share: Math.max((sum(recipients) - called) / bearable, sum(connections) / dialable),
			spread: [least, Math.max(...recipients) / mean] as const,
		};
	});
	return all.toSorted((a, b) => b.backlogHours - a.backlogHours);
}

function operatorOf(email: string): OperatorName | null {
	return findMailOperator([hostOf(email.slice(email.lastIndexOf('@') + 1))])?.operator ?? null;
}

function countUntil(minutes: ReadonlyMap<number, number>, until: number): number {
	const last = Math.floor(until / MINUTE_MS);
	return [...minutes].reduce((sum, [minute, count]) => sum + (minute < last ? count : 0), 0);
}

/** The capacity of one source address at an operator from the day's begin on: so much a minute, and a day (UTC). */
function capacityUntil(until: number, perMinute: number, perDay: number): number {
	let sum = 0;
	for (let from = BEGIN; from < until;) {
		const to = Math.min(until, (Math.floor(from / DAY_MS) + 1) * DAY_MS);
		sum += Math.min(perDay, ((to - from) / MINUTE_MS) * perMinute);
		from = to;
	}
	return sum;
}
