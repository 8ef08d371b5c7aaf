import { parseAddress } from '../core/address/parse-address.ts';
import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain-facts.ts';
import { judgeUnasked } from '../core/catchall/judge.ts';
import type { VerdictThresholds } from '../core/catchall/judge.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import { isWorthRetrying } from '../core/jobs/deferral.ts';
import { giveUp as finalRowOf, toDeferredRow, toJudgedRow, toStoredRow } from '../core/jobs/stored-row.ts';
import type { DeferredRow, PartRow } from '../core/jobs/stored-row.ts';
import { assert } from '../lib/assert.ts';
import { listFacts } from './examine-address.ts';
import type { Findings, KnownRandoms, Manner } from './examine-address.ts';
import { nameSignals } from './judge-catch-all.ts';
import type { Clock } from './ports.ts';

/** An address of a part: its place in the cleaned list, and its spelling. */
export type Entry = readonly [index: number, email: string];

/** What a catch-all task knows beside its addresses. */
export interface Task {
	readonly sourceList: SourceListFacts | null;
}

export interface ExaminePartServices {
	readonly clock: Clock;
	readonly investigate: (address: Address, manner: Manner) => Promise<Findings>;
	readonly thresholds: VerdictThresholds;
}

interface Attempt {
	/** Nothing may be deferred any more. */
	readonly last: boolean;
	/** Null: a bulk job, whose rows get no score. */
	readonly task: Task | null;
}

// What is not asked by then waits for the part's next attempt: a consumer must not be held by slow hosts.
const PART_BUDGET_MS = 90_000;
// A Worker may hold six connections.
const CONNECTIONS_MAX = 6;

/** Asks about the addresses, domain by domain and six at a time. One slow domain holds one place, not the others. */
export async function examineEntries(
	services: ExaminePartServices,
	open: readonly Entry[],
	attempt: Attempt,
): Promise<ReadonlyMap<number, PartRow>> {
	const found = new Map<number, PartRow>();
	const deadline = services.clock.now() + PART_BUDGET_MS;
	const known = new Map<string, Promise<DomainFacts>>();
	const domains = [...Map.groupBy(open, ([, email]) => email.slice(email.lastIndexOf('@') + 1)).values()];
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < domains.length && services.clock.now() < deadline) {
			const entries = domains[next] ?? [];
			next += 1;
			let knownRandoms: KnownRandoms | null = null;
			for (const [index, email] of entries) {
				if (services.clock.now() >= deadline) return;
				const manner: Manner = {
					deep: attempt.task === null ? 'never' : 'always',
					patient: false,
					knownRandoms,
					sourceList: attempt.task?.sourceList ?? null,
					domains: known,
				};
				const { row, randoms } = await examineEntry(services, { index, email, manner, last: attempt.last });
				knownRandoms ??= randoms;
				found.set(index, row);
			}
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS_MAX }, worker));
	return found;
}

async function examineEntry(
	{ clock, investigate }: ExaminePartServices,
	entry: {
		readonly index: number;
		readonly email: string;
		readonly manner: Manner;
		readonly last: boolean;
	},
): Promise<{ row: PartRow; randoms: KnownRandoms | null }> {
	const { index, email, manner, last } = entry;
	const address = addressOf(email);
	const { lists, outcome, randoms, judgement } = await investigate(address, manner);
	if (!last && isWorthRetrying(outcome.subStatus, outcome.replyCode))
		return { row: toDeferredRow(index, email, outcome.subStatus), randoms };
	const row = toStoredRow(index, address, lists, outcome, clock.now());
	return { row: judgement === null ? row : toJudgedRow(row, judgement), randoms };
}

/** What an address gets that never had a final answer: `unknown`, for the reason of its last deferral. */
export function abandonedRow(
	{ clock, thresholds }: ExaminePartServices,
	open: DeferredRow,
	task: Task | null,
): PartRow {
	const [, email, , why] = open;
	const address = addressOf(email);
	const row = finalRowOf(open, listFacts(address), clock.now());
	if (task === null) return row;
	return toJudgedRow(row, judgeUnasked(nameSignals(address, task.sourceList), why, thresholds));
}

function addressOf(email: string): Address {
	const parsed = parseAddress(email);
	assert(parsed.ok, 'an accepted address is well-formed');
	return parsed.address;
}
