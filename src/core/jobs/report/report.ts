import { assert } from '../../../lib/assert.ts';
import { CATCH_ALL_VERDICTS, statusOf, verdictOf } from '../../verification/sub-status.ts';
import type { Status, SubStatus } from '../../verification/sub-status.ts';
import { mayAnswerLater } from '../deferral.ts';
import type { ScoreCounts } from '../task-verdicts.ts';
import { scoreOf } from './listed-row.ts';
import type { ListedRow } from './listed-row.ts';
import { domainOf } from '../../address/parse-address.ts';

/** Rows with one reason. */
export interface ReasonCount {
	readonly reason: SubStatus;
	readonly count: number;
}

/** A domain, with the outcomes of its addresses. */
export interface Trouble {
	readonly name: string;
	readonly total: number;
	readonly counts: Readonly<Record<Status, number>>;
	/** The most frequent sub_status of its addresses that are not deliverable. */
	readonly reason: SubStatus;
}

/** Figures about a finished list as a whole. Counts are of addresses. */
export interface Report {
	readonly total: number;
	readonly counts: Readonly<Record<Status, number>>;
	/** Most frequent first. */
	readonly reasons: readonly ReasonCount[];
	/** The domains with the most addresses that are not deliverable, at most ten. */
	readonly domains: readonly Trouble[];
	/** Scores of the catch-all addresses that were checked. */
	readonly scores: ScoreCounts;
	/** Unknown addresses that may have an answer later. */
	readonly mayAnswerLater: number;
	/** Catch-all addresses that a check decided. */
	readonly learntLater: number;
}

const MOST = 10;

const zeros = (): number[] => Array.from({ length: 101 }, () => 0);

/** Counts by sub_status, from which the statuses follow. */
type Reasons = ReadonlyMap<SubStatus, number>;

/** Collects the report of a list, row by row, in any order. */
export class ReportCounter {
	#mayAnswerLater = 0;
	#learntLater = 0;
	/** Rows of each domain, by their reason. A list may have as many domains as addresses: too many for a map each. */
	readonly #domains = new Map<SubStatus, Map<string, number>>();
	readonly #scores = { valid: zeros(), invalid: zeros(), unknown: zeros() };

	see(listed: ListedRow): void {
		const { row } = listed;
		const [, email, reason] = row;
		let domains = this.#domains.get(reason);
		if (domains === undefined) this.#domains.set(reason, (domains = new Map()));
		addTo(domains, domainOf(email), 1);
		if (listed.isLearnt) this.#learntLater += 1;
		if (mayAnswerLater(row)) this.#mayAnswerLater += 1;
		const score = scoreOf(listed);
		if (score === null) return;
		const verdict = verdictOf(score);
		const before = this.#scores[verdict][score];
		assert(before !== undefined, 'a score is a whole number from 0 to 100');
		this.#scores[verdict][score] = before + 1;
	}

	report(): Report {
		const reasons = this.#reasonsBy((domains) => [...domains.values()].reduce((sum, rows) => sum + rows, 0));
		const failed = new Map<string, number>();
		for (const [reason, domains] of this.#domains)
			if (statusOf(reason) !== 'deliverable') for (const [name, rows] of domains) addTo(failed, name, rows);
		const most = [...failed].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MOST);
		return {
			...totalsOf(reasons),
			reasons: ranked(reasons),
			domains: most.map(([name]) =>
				troubleOf(
					name,
					this.#reasonsBy((domains) => domains.get(name) ?? 0),
				),
			),
			scores: this.#scores,
			mayAnswerLater: this.#mayAnswerLater,
			learntLater: this.#learntLater,
		};
	}

	#reasonsBy(rowsIn: (domains: ReadonlyMap<string, number>) => number): Reasons {
		return new Map([...this.#domains].map(([reason, domains]) => [reason, rowsIn(domains)]));
	}
}

function addTo(counts: Map<string, number>, name: string, rows: number): void {
	counts.set(name, (counts.get(name) ?? 0) + rows);
}

/** The number of checked addresses on catch-all domains. */
export function scoredOf({ scores }: Pick<Report, 'scores'>): number {
	return CATCH_ALL_VERDICTS.reduce((sum, verdict) => sum + scores[verdict].reduce((a, b) => a + b, 0), 0);
}

function troubleOf(name: string, reasons: Reasons): Trouble {
	const failed = ranked(reasons).find(({ reason }) => statusOf(reason) !== 'deliverable');
	assert(failed !== undefined, 'a domain in trouble has a reason');
	return { name, ...totalsOf(reasons), reason: failed.reason };
}

function totalsOf(reasons: Reasons): Pick<Report, 'total' | 'counts'> {
	const counts = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
	let total = 0;
	for (const [reason, count] of reasons) {
		counts[statusOf(reason)] += count;
		total += count;
	}
	return { total, counts };
}

function ranked(reasons: Reasons): readonly ReasonCount[] {
	return [...reasons]
		.map(([reason, count]) => ({ reason, count }))
		.toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
