import type { Stats } from './summary.ts';

/** A rule about the figures of `ops stats`. */
interface Alert {
	/** As in the table of docs/runbook.md, which says why and what to do. */
	readonly name: string;
	readonly value: (stats: Stats) => number;
	/** Rings from this value on. */
	readonly from: number;
	readonly unit: 'times' | 'share' | 'ms';
}

/** The rules that `ops alerts` evaluates, over the last hour unless another time is given. */
export const ALERTS: readonly Alert[] = [
	{ name: 'ours to blame', unit: 'share', from: 0.05, value: (one) => share(one.unknownBy.ours, one, 20) },
	{
		name: 'nobody answers',
		unit: 'share',
		from: 0.4,
		value: (one) => share(one.byStatus.unknown, one, 1_000),
	},
	{ name: 'parts wait', unit: 'ms', from: 60_000, value: ({ queueAges }) => slowest(queueAges) },
	{ name: 'charged late', unit: 'ms', from: 30_000, value: ({ settleLags }) => slowest(settleLags) },
	{ name: 'a prober is away', unit: 'times', from: 2, value: awayMost },
	{ name: 'questions not taken', unit: 'share', from: 0.01, value: (one) => share(refused(one), one, 100) },
	{ name: 'turned away', unit: 'times', from: 1, value: listed },
	{ name: 'a job is stuck', unit: 'times', from: 1, value: (one) => lines(one, /^job_(?:stuck|damaged) /) },
	{ name: 'requests fail', unit: 'share', from: 0.02, value: failed },
	{ name: 'slow answers', unit: 'ms', from: 15_000, value: ({ requests }) => slowest(verifyIn(requests)) },
	{ name: 'mails stay', unit: 'times', from: 1, value: ({ mails }) => sum(mails) - (mails['sent'] ?? 0) },
	{ name: 'errors', unit: 'times', from: 20, value: (one) => lines(one, /\(error\)$/) },
	{ name: 'a bug', unit: 'times', from: 1, value: (one) => lines(one, /^unexpected_error /) },
	{ name: 'a part fails', unit: 'times', from: 5, value: (one) => lines(one, /^part_failed /) },
	{
		name: 'an account fails',
		unit: 'times',
		from: 10,
		value: (one) => lines(one, /^account_(?:call|alarm)_failed /),
	},
	{ name: 'the cron fails', unit: 'times', from: 1, value: (one) => lines(one, /^cron_failed /) },
	{ name: 'money', unit: 'times', from: 1, value: (one) => lines(one, /^purchase_/) },
	{ name: 'misconfigured', unit: 'times', from: 1, value: (one) => lines(one, /^misconfigured /) },
];

/** An alert that rings, in words for a pager. */
export interface Ringing {
	readonly alert: string;
	readonly value: string;
	readonly from: string;
}

/** The alerts that ring for these figures. */
export function ringing(stats: Stats): readonly Ringing[] {
	return ALERTS.flatMap(({ name, value, from, unit }) => {
		const is = value(stats);
		return is < from ? [] : [{ alert: name, value: inUnit(is, unit), from: inUnit(from, unit) }];
	});
}

function inUnit(value: number, unit: Alert['unit']): string {
	if (unit === 'share') return `${(100 * value).toFixed(1)} %`;
	return unit === 'ms' ? `${Math.round(value)} ms` : String(Math.round(value));
}

/** A share of all verifications; 0 where they are too few to say anything. */
function share(count: number, { verifications }: Stats, least: number): number {
	return verifications < least ? 0 : count / verifications;
}

function sum(counts: Readonly<Record<string, number>>): number {
	return Object.values(counts).reduce((total, count) => total + count, 0);
}

function slowest(times: readonly { readonly p95: number }[]): number {
	return Math.max(0, ...times.map(({ p95 }) => p95));
}

function verifyIn(requests: Stats['requests']): Stats['requests'] {
	return requests.filter(({ route, status }) => route === 'POST /v1/verify' && status === '200');
}

function failed({ requests }: Stats): number {
	const count = (rows: Stats['requests']): number => rows.reduce((total, one) => total + one.count, 0);
	const all = count(requests);
	return all < 100 ? 0 : count(requests.filter(({ status }) => status.startsWith('5'))) / all;
}

function awayMost({ probers }: Stats): number {
	return Math.max(0, ...probers.map(({ states }) => sum(states) - (states['works'] ?? 0)));
}

function refused({ probers }: Stats): number {
	return probers.reduce((total, { refusals }) => total + sum(refusals), 0);
}

function listed({ pauses }: Stats): number {
	return pauses.filter(({ why }) => why === 'listed').reduce((total, { times }) => total + times, 0);
}

function lines({ logLines }: Stats, pattern: RegExp): number {
	return sum(Object.fromEntries(Object.entries(logLines).filter(([line]) => pattern.test(line))));
}
