import { CATCH_ALL_VERDICTS } from '../../verification/render.ts';
import { STATUSES } from '../../verification/sub-status.ts';
import type { Status, SubStatus } from '../../verification/sub-status.ts';
import { mayAnswerLater } from '../deferral.ts';
import { ScoreCounter } from '../task-verdicts.ts';
import type { ScoreCounts } from '../task-verdicts.ts';
import { flagsIn } from '../stored-row.ts';
import { catchAllOf, statusOfListed } from './listed-row.ts';
import type { ListedRow } from './listed-row.ts';
import { domainOf } from '../../address/parse-address.ts';

/** Rows with one reason. */
export interface ReasonCount {
	readonly reason: SubStatus;
	readonly count: number;
}

/** A domain or a mail operator, with the outcomes of its addresses. */
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
	/** The same for mail operators, by their words in results. */
	readonly operators: readonly Trouble[];
	readonly flags: Readonly<Record<'role' | 'free' | 'disposable' | 'catchAll', number>>;
	/** Scores of the catch-all addresses that were checked. */
	readonly scores: ScoreCounts;
	/** Unknown addresses that may have an answer later. */
	readonly mayAnswerLater: number;
	/** Catch-all addresses that a check decided. */
	readonly learntLater: number;
}

const MOST = 10;

type Tally = Record<Status, number>;

/** Collects the report of a list, row by row, in any order. */
export class ReportCounter {
	#total = 0;
	#mayAnswerLater = 0;
	#learntLater = 0;
	readonly #counts = newTally();
	readonly #reasons = new Map<SubStatus, number>();
	readonly #domains = new Parties();
	readonly #operators = new Parties();
	readonly #flags = { role: 0, free: 0, disposable: 0, catchAll: 0 };
	readonly #scores = new ScoreCounter();

	see(listed: ListedRow): void {
		const { row } = listed;
		const [, email, reason, , catchAll] = row;
		const status = statusOfListed(listed);
		this.#total += 1;
		this.#counts[status] += 1;
		countIn(this.#reasons, reason);
		if (listed.isLearnt) this.#learntLater += 1;
		if (mayAnswerLater(row)) this.#mayAnswerLater += 1;
		this.#domains.see(domainOf(email), status, reason);
		// A gateway answers for the mail server behind it.
		const operator = row[10] ?? row[9];
		if (operator !== null) this.#operators.see(operator, status, reason);
		const flags = flagsIn(row);
		if (flags.roleAccount) this.#flags.role += 1;
		if (flags.freeEmail) this.#flags.free += 1;
		if (flags.disposable) this.#flags.disposable += 1;
		if (catchAll === true) this.#flags.catchAll += 1;
		const scored = catchAllOf(listed);
		if (scored !== null) this.#scores.count(scored);
	}

	report(): Report {
		return {
			total: this.#total,
			counts: this.#counts,
			reasons: ranked(this.#reasons),
			domains: this.#domains.worst(),
			operators: this.#operators.worst(),
			flags: this.#flags,
			scores: this.#scores.counts,
			mayAnswerLater: this.#mayAnswerLater,
			learntLater: this.#learntLater,
		};
	}
}

/** The number of checked addresses on catch-all domains. */
export function scoredOf({ scores }: Pick<Report, 'scores'>): number {
	return CATCH_ALL_VERDICTS.reduce((sum, verdict) => sum + scores[verdict].reduce((a, b) => a + b, 0), 0);
}

/** Counts by name. A list of 50,000 may have as many domains, so the parties are kept small. */
class Parties {
	readonly #parties = new Map<string, { readonly counts: Tally; readonly reasons: Map<SubStatus, number> }>();

	see(name: string, status: Status, reason: SubStatus): void {
		let party = this.#parties.get(name);
		if (party === undefined) this.#parties.set(name, (party = { counts: newTally(), reasons: new Map() }));
		party.counts[status] += 1;
		if (status !== 'deliverable') countIn(party.reasons, reason);
	}

	worst(): readonly Trouble[] {
		return [...this.#parties]
			.flatMap(([name, { counts, reasons }]): Trouble[] => {
				const total = STATUSES.reduce((sum, status) => sum + counts[status], 0);
				const most = ranked(reasons)[0];
				return most === undefined ? [] : [{ name, total, counts, reason: most.reason }];
			})
			.toSorted((a, b) => troubleOf(b) - troubleOf(a) || (a.name < b.name ? -1 : 1))
			.slice(0, MOST);
	}
}

function troubleOf({ total, counts }: Trouble): number {
	return total - counts.deliverable;
}

function ranked(counts: ReadonlyMap<SubStatus, number>): readonly ReasonCount[] {
	return [...counts]
		.map(([reason, count]) => ({ reason, count }))
		.toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function countIn<K>(counts: Map<K, number>, key: K): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

function newTally(): Tally {
	return { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
}
