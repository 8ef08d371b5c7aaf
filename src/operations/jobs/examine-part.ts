import { parseAddress } from '../../core/address/parse-address.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { DomainFacts } from '../../core/catchall/domain-facts.ts';
import { judgeUnasked } from '../../core/catchall/judge.ts';
import type { VerdictThresholds } from '../../core/catchall/judge.ts';
import type { ListFacts as SourceListFacts } from '../../core/catchall/list/list-facts.ts';
import type { MailRoute } from '../../core/dns/find-mail-exchangers.ts';
import { isWorthRetrying } from '../../core/jobs/deferral.ts';
import { giveUp as finalRowOf, toDeferredRow, toJudgedRow, toStoredRow } from '../../core/jobs/stored-row.ts';
import type { DeferredRow, PartRow } from '../../core/jobs/stored-row.ts';
import { assert } from '../../lib/assert.ts';
import { listFacts } from '../../engine/examine-address.ts';
import type { Findings, KnownInvented, Manner } from '../../engine/examination.ts';
import { nameSignals } from '../../engine/judge-catch-all.ts';
import type { Clock } from '../../engine/ports.ts';

/** An address of a part: its place in the cleaned list, and its spelling. */
export type Entry = readonly [index: number, email: string];

/** What a catch-all task knows beside its addresses. */
export interface Task {
	readonly sourceList: SourceListFacts | null;
}

export interface ExaminePartServices {
	readonly clock: Clock;
	/** Where the domain's mail goes. */
	readonly findRoute: (domain: string) => Promise<MailRoute>;
	/** About addresses of one domain, in their order; null: not reached in time. */
	readonly investigate: (
		addresses: readonly Address[],
		manner: Manner,
	) => Promise<readonly (Findings | null)[]>;
	readonly thresholds: VerdictThresholds;
}

interface Attempt {
	/** Whose job it is. */
	readonly accountId: string;
	/** Nothing may be deferred any more. */
	readonly last: boolean;
	/** Null: a bulk job, whose rows get no score. */
	readonly task: Task | null;
}

// What is not asked by then waits for the part's next attempt: a consumer must not be held by slow hosts.
const PART_BUDGET_MS = 90_000;
// A Worker may hold six connections.
const CONNECTIONS_MAX = 6;
// One mail host sees no more of us at a time, however many domains it serves.
const CONNECTIONS_PER_HOST_MAX = 3;

/** The addresses of one domain that have no row yet. */
interface Group {
	readonly domain: string;
	readonly entries: readonly Entry[];
	/** Null: not looked up yet. */
	readonly route: MailRoute | null;
	readonly knownInvented: KnownInvented | null;
}

/**
 * Asks about the addresses, domain by domain and six at a time. A slow host holds one place at a time, and after each
 * turn of its own the others come first.
 */
export async function examineEntries(
	services: ExaminePartServices,
	open: readonly Entry[],
	attempt: Attempt,
): Promise<ReadonlyMap<number, PartRow>> {
	const found = new Map<number, PartRow>();
	const deadline = services.clock.now() + PART_BUDGET_MS;
	const domains = new Map<string, Promise<DomainFacts>>();
	const queue = groupsOf(open);
	const busy = new Map<string, number>();
	const worker = async (): Promise<void> => {
		while (services.clock.now() < deadline) {
			const group = takeFree(queue, busy);
			// Whoever keeps the other hosts busy comes back for what waits for them.
			if (group === undefined) return;
			if (group.route === null) {
				queue.unshift({ ...group, route: await services.findRoute(group.domain) });
				continue;
			}
			const host = hostOf(group);
			busy.set(host, (busy.get(host) ?? 0) + 1);
			const { rows, rest } = await examineGroup(services, group, { ...attempt, domains });
			busy.set(host, (busy.get(host) ?? 1) - 1);
			for (const row of rows) found.set(row[0], row);
			if (rest !== null) queue.push(rest);
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS_MAX }, worker));
	return found;
}

function groupsOf(open: readonly Entry[]): Group[] {
	const byDomain = Map.groupBy(open, ([, email]) => addressOf(email).domain);
	return [...byDomain].map(([domain, entries]) => ({ domain, entries, route: null, knownInvented: null }));
}

/** The first group whose mail host has room for one more connection of ours. */
function takeFree(queue: Group[], busy: ReadonlyMap<string, number>): Group | undefined {
	const at = queue.findIndex(
		(group) => group.route === null || (busy.get(hostOf(group)) ?? 0) < CONNECTIONS_PER_HOST_MAX,
	);
	return at < 0 ? undefined : queue.splice(at, 1)[0];
}

function hostOf({ domain, route }: Group): string {
	return (route?.kind === 'hosts' ? route.hosts[0] : undefined) ?? domain;
}

/** One turn of a domain. `rest`: whom the mail host was not asked about in its time. */
async function examineGroup(
	{ clock, investigate }: ExaminePartServices,
	group: Group,
	attempt: Attempt & { readonly domains: Map<string, Promise<DomainFacts>> },
): Promise<{ readonly rows: readonly PartRow[]; readonly rest: Group | null }> {
	const { entries, route, knownInvented } = group;
	const addresses = entries.map(([, email]) => addressOf(email));
	const findings = await investigate(addresses, {
		asker: attempt.accountId,
		deep: attempt.task === null ? 'never' : 'always',
		patient: false,
		route,
		knownInvented,
		sourceList: attempt.task?.sourceList ?? null,
		domains: attempt.domains,
	});
	const rows = entries.flatMap(([index, email], at): PartRow[] => {
		const [address, finding] = [addresses[at], findings[at]];
		if (address === undefined || finding === undefined || finding === null) return [];
		const { lists, outcome, judgement } = finding;
		if (!attempt.last && isWorthRetrying(outcome.subStatus, outcome.replyCode))
			return [toDeferredRow(index, email, outcome.subStatus)];
		const row = toStoredRow(index, address, lists, outcome, clock.now());
		return [judgement === null ? row : toJudgedRow(row, judgement)];
	});
	const left = entries.filter((_, at) => (findings[at] ?? null) === null);
	const learnt = findings.find((finding) => (finding?.invented ?? null) !== null)?.invented ?? null;
	const rest = left.length === 0 ? null : { ...group, entries: left, knownInvented: knownInvented ?? learnt };
	return { rows, rest };
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
