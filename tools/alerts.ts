import { rowOf, SUB_STATUSES, statusOf } from '../src/core/verification/sub-status.ts';
import type { SubStatus } from '../src/core/verification/sub-status.ts';
import type { Row, Stats } from './stats.ts';

type Figures = Stats['figures'];

/** A rule about the figures of `ops stats`: its name in docs/runbook.md, from which value on it rings, and the value. */
type Alert = readonly [string, 'times' | 'share' | 'ms', number, (figures: Figures) => number];

const VERIFIED = { method: 'POST', route: '/v1/verify', status: '200' };
const ours = (word: SubStatus): boolean => rowOf(word).fault === 'ours';
const unknown = (word: SubStatus): boolean => statusOf(word) === 'unknown';

/** The rules that `ops alerts` evaluates, over the last hour unless another time is given. */
export const ALERTS: readonly Alert[] = [
	['ours to blame', 'share', 0.05, (all) => share(outcomes(all, ours), all, 20)],
	['nobody answers', 'share', 0.4, (all) => share(outcomes(all, unknown), all, 1_000)],
	['parts wait', 'ms', 60_000, ({ queue_age: rows }) => slowest(rows)],
	['charged late', 'ms', 30_000, ({ settle_lag: rows }) => slowest(rows)],
	['a prober is away', 'times', 2, awayMost],
	['questions not taken', 'share', 0.01, (all) => share(sum(all.prober_refusal), all, 100)],
	['turned away', 'times', 1, ({ operator_pause: rows }) => sum(of(rows, { why: 'listed' }), 'times')],
	['a job is stuck', 'times', 1, logged(/^job_(?:stuck|damaged)$/)],
	['requests fail', 'share', 0.02, failed],
	['slow answers', 'ms', 15_000, ({ request: rows }) => slowest(of(rows, VERIFIED))],
	['mails stay', 'times', 1, ({ mail }) => sum(mail.filter(({ outcome }) => outcome !== 'sent'))],
	['errors', 'times', 20, ({ log_line: rows }) => sum(of(rows, { level: 'error' }))],
	['a bug', 'times', 1, logged(/^unexpected_error$/)],
	['a part fails', 'times', 5, logged(/^part_failed$/)],
	['an account fails', 'times', 10, logged(/^account_(?:call|alarm)_failed$/)],
	['the cron fails', 'times', 1, logged(/^cron_failed$/)],
	['money', 'times', 1, logged(/^purchase_/)],
	['misconfigured', 'times', 1, logged(/^misconfigured$/)],
];
/** The alerts that ring for these figures, each in a line for a pager. */
export function ringing({ figures }: Stats): readonly string[] {
	return ALERTS.flatMap(([name, unit, from, value]) => {
		const is = value(figures);
		return is < from ? [] : [`${name}: ${inUnit(is, unit)} (rings from ${inUnit(from, unit)})`];
	});
}

function inUnit(value: number, unit: Alert[1]): string {
	if (unit === 'share') return `${(100 * value).toFixed(1)} %`;
	return unit === 'ms' ? `${Math.round(value)} ms` : String(Math.round(value));
}

function of(rows: readonly Row[], words: Readonly<Record<string, string>>): readonly Row[] {
	return rows.filter((row) => Object.entries(words).every(([name, word]) => row[name] === word));
}

function sum(rows: readonly Row[], figure: 'total' | 'times' = 'total'): number {
	return rows.reduce((total, row) => total + Number(row[figure]), 0);
}

function outcomes({ outcome }: Figures, matches: (word: SubStatus) => boolean): number {
	return sum(outcome.filter(({ subStatus }) => isKnown(subStatus) && matches(subStatus)));
}

/** A newer Worker may have noted a word that this checkout does not know. */
function isKnown(word: unknown): word is SubStatus {
	return typeof word === 'string' && Object.hasOwn(SUB_STATUSES, word);
}

/** A share of all verifications; 0 where they are too few to say anything. */
function share(count: number, { outcome }: Figures, least: number): number {
	const all = sum(outcome);
	return all < least ? 0 : count / all;
}

function slowest(rows: readonly Row[]): number {
	return Math.max(0, ...rows.map(({ p95 }) => Number(p95)));
}

function failed({ request: rows }: Figures): number {
	const all = sum(rows);
	return all < 100 ? 0 : sum(rows.filter(({ status }) => String(status).startsWith('5'))) / all;
}

function awayMost({ prober_state: rows }: Figures): number {
	const away = Map.groupBy(
		rows.filter(({ state }) => state !== 'works'),
		({ prober }) => prober,
	);
	return Math.max(0, ...[...away.values()].map((some) => sum(some, 'times')));
}

function logged(event: RegExp): Alert[3] {
	return ({ log_line: rows }) => sum(rows.filter((row) => event.test(String(row['event']))));
}
