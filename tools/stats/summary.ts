import { isFreeAnswer } from '../../src/core/credits/free-answers.ts';
import { STATUSES, SUB_STATUSES, statusOf, unknownOf } from '../../src/core/verification/sub-status.ts';
import type { Status, SubStatus } from '../../src/core/verification/sub-status.ts';
import type { Answers, Row } from './analytics.ts';

type Counts = Readonly<Record<string, number>>;

/** How long something took, in milliseconds. */
interface Times {
	readonly of: string;
	readonly times: number;
	readonly p50: number;
	readonly p95: number;
}

/** The figures of `ops stats`. Counts are of addresses, unless a field says otherwise. */
export interface Stats {
	readonly hours: number;
	readonly verifications: number;
	readonly byStatus: Readonly<Record<Status, number>>;
	readonly byStage: Counts;
	/** The unknown ones by fault: `fault` in SUB_STATUSES. */
	readonly unknownBy: Readonly<Record<'ours' | 'theirs' | 'chosen', number>>;
	/** Unknown, and it cost us a question. */
	readonly freeAnswers: number;
	/** Operators by their unknown answers, most first. */
	readonly operators: readonly {
		readonly operator: string;
		readonly answers: number;
		readonly unknown: number;
		readonly ours: number;
		/** The most frequent reason. */
		readonly mostly: string;
	}[];
	/** Asked again, by reason; most first. */
	readonly deferrals: readonly { readonly operator: string; readonly why: string; readonly count: number }[];
	readonly queueAges: readonly Times[];
	readonly settleLags: readonly Times[];
	/** `states`: how often it was seen so; `refusals`: questions that it did not take, by why. */
	readonly probers: readonly {
		readonly prober: string;
		readonly states: Counts;
		readonly refusals: Counts;
	}[];
	/** How often, of every ten minutes, an operator was seen to turn a prober away. */
	readonly pauses: readonly {
		readonly prober: string;
		readonly operator: string;
		readonly why: string;
		readonly times: number;
	}[];
	/** Requests by route and status, most first: how long they took, and what they waited for on average. */
	readonly requests: readonly {
		readonly route: string;
		readonly status: string;
		readonly count: number;
		readonly p50: number;
		readonly p95: number;
		readonly dnsMs: number;
		readonly proberMs: number;
		readonly accountMs: number;
	}[];
	/** `sent`, or why a mail was not sent. */
	readonly mails: Counts;
	/** Errors and warnings in the log. */
	readonly logLines: Counts;
}

const TOP = 10;

/** The figures of some hours, from the rows that Analytics Engine gave. */
export function summarise(answers: Answers, hours: number): Stats {
	const outcomes = answers.outcomes.map((row) => ({
		operator: text(row, 'operator'),
		stage: text(row, 'stage'),
		subStatus: text(row, 'subStatus'),
		count: number(row, 'total'),
	}));
	const known = outcomes.flatMap(({ subStatus, ...rest }) =>
		isSubStatus(subStatus) ? [{ ...rest, subStatus, status: statusOf(subStatus) }] : [],
	);
	const unknown = known.filter(({ status }) => status === 'unknown');
	const faultOf = (subStatus: SubStatus) => unknownOf(subStatus)?.fault;
	const sum = (rows: readonly { readonly count: number }[]): number =>
		rows.reduce((total, { count }) => total + count, 0);
	const by = <T extends string>(
		words: readonly T[],
		matches: (row: (typeof known)[number], word: T) => boolean,
	) =>
		Object.fromEntries(words.map((word) => [word, sum(known.filter((row) => matches(row, word)))])) as Record<
			T,
			number
		>;
	const operators = [...Map.groupBy(known, ({ operator }) => operator)].map(([operator, rows]) => {
		const lost = rows.filter(({ status }) => status === 'unknown');
		const reasons = tally(lost.map(({ subStatus, count }) => [subStatus, count]));
		return {
			operator,
			answers: sum(rows),
			unknown: sum(lost),
			ours: sum(lost.filter(({ subStatus }) => faultOf(subStatus) === 'ours')),
			mostly: Object.keys(reasons)[0] ?? '–',
		};
	});
	return {
		hours,
		verifications: sum(outcomes),
		byStatus: by(STATUSES, ({ status }, word) => status === word),
		byStage: tally(outcomes.map(({ stage, count }) => [stage, count])),
		unknownBy: by(
			['ours', 'theirs', 'chosen'],
			({ status, subStatus }, word) => status === 'unknown' && faultOf(subStatus) === word,
		),
		freeAnswers: sum(unknown.filter(({ subStatus }) => isFreeAnswer(subStatus))),
		operators: operators
			.filter((one) => one.unknown > 0)
			.toSorted((a, b) => b.unknown - a.unknown)
			.slice(0, TOP),
		deferrals: answers.deferrals
			.map((row) => ({
				operator: text(row, 'operator'),
				why: `${text(row, 'subStatus')} (${text(row, 'kind')})`,
				count: number(row, 'total'),
			}))
			.toSorted((a, b) => b.count - a.count)
			.slice(0, TOP),
		queueAges: answers.queueAges.map((row) => timesOf(row, 'queue')),
		settleLags: answers.settleLags.map((row) => timesOf(row, 'class')),
		probers: probersOf(answers),
		pauses: answers.pauses
			.map((row) => ({
				prober: text(row, 'prober'),
				operator: text(row, 'operator'),
				why: text(row, 'why'),
				times: number(row, 'times'),
			}))
			.toSorted((a, b) => b.times - a.times)
			.slice(0, TOP),
		requests: answers.requests
			.map((row) => ({
				route: `${text(row, 'method')} ${text(row, 'route')}`,
				status: text(row, 'status'),
				count: number(row, 'total'),
				p50: number(row, 'p50'),
				p95: number(row, 'p95'),
				dnsMs: number(row, 'dnsMs'),
				proberMs: number(row, 'proberMs'),
				accountMs: number(row, 'accountMs'),
			}))
			.toSorted((a, b) => b.count - a.count),
		mails: tally(
			answers.mails.map((row) => {
				const outcome = text(row, 'outcome');
				return [outcome === 'sent' ? outcome : `${outcome}: ${text(row, 'code')}`, number(row, 'total')];
			}),
		),
		logLines: tally(
			answers.logLines.map((row) => [`${text(row, 'event')} (${text(row, 'level')})`, number(row, 'total')]),
		),
	};
}

function probersOf({ states, refusals }: Answers): Stats['probers'] {
	const names = [...new Set([...states, ...refusals].map((row) => text(row, 'prober')))].toSorted();
	const of = (rows: readonly Row[], prober: string) => rows.filter((row) => text(row, 'prober') === prober);
	return names.map((prober) => ({
		prober,
		states: tally(of(states, prober).map((row) => [text(row, 'state'), number(row, 'times')])),
		refusals: tally(of(refusals, prober).map((row) => [text(row, 'why'), number(row, 'total')])),
	}));
}

function timesOf(row: Row, name: string): Times {
	return {
		of: text(row, name),
		times: number(row, 'times'),
		p50: number(row, 'p50'),
		p95: number(row, 'p95'),
	};
}

/** Sums by word, the largest first. */
function tally(pairs: readonly (readonly [word: string, count: number])[]): Counts {
	const sums = new Map<string, number>();
	for (const [word, count] of pairs) sums.set(word, (sums.get(word) ?? 0) + count);
	return Object.fromEntries([...sums].toSorted(([, a], [, b]) => b - a));
}

function isSubStatus(word: string): word is SubStatus {
	return Object.hasOwn(SUB_STATUSES, word);
}

function text(row: Row, name: string): string {
	return String(row[name] ?? '');
}

function number(row: Row, name: string): number {
	const value = Number(row[name] ?? 0);
	return Number.isFinite(value) ? value : 0;
}
