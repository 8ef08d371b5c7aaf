import { SUB_STATUSES, statusOf, unknownOf } from '../src/core/verification/sub-status.ts';
import type { SubStatus } from '../src/core/verification/sub-status.ts';
import type { Row, Stats } from './stats.ts';

type Figures = Stats['figures'];

/** A rule about the figures of `ops stats`. */
interface Alert {
	/** As in the table of docs/runbook.md, which says why and what to do. */
	readonly name: string;
	readonly value: (figures: Figures) => number;
	/** Rings from this value on. */
	readonly from: number;
	readonly unit: 'times' | 'share' | 'ms';
}

const ours = (word: SubStatus): boolean => unknownOf(word)?.fault === 'ours';
const unknown = (word: SubStatus): boolean => statusOf(word) === 'unknown';

/** The rules that `ops alerts` evaluates, over the last hour unless another time is given. */
export const ALERTS: readonly Alert[] = [
	{ name: 'ours to blame', unit: 'share', from: 0.05, value: (all) => share(outcomes(all, ours), all, 20) },
	{
		name: 'nobody answers',
		unit: 'share',
		from: 0.4,
		value: (all) => share(outcomes(all, unknown), all, 1_000),
	},
	{ name: 'parts wait', unit: 'ms', from: 60_000, value: ({ queue_age: rows }) => slowest(rows) },
	{ name: 'charged late', unit: 'ms', from: 30_000, value: ({ settle_lag: rows }) => slowest(rows) },
	{ name: 'a prober is away', unit: 'times', from: 2, value: awayMost },
	{
		name: 'questions not taken',
		unit: 'share',
		from: 0.01,
		value: (all) => share(sum(all.prober_refusal), all, 100),
	},
	{
		name: 'turned away',
		unit: 'times',
		from: 1,
		value: ({ operator_pause: rows }) =>
			sum(
				rows.filter(({ why }) => why === 'listed'),
				'times',
			),
	},
	{ name: 'a job is stuck', unit: 'times', from: 1, value: logged(/^job_(?:stuck|damaged)$/) },
	{ name: 'requests fail', unit: 'share', from: 0.02, value: failed },
	{
		name: 'slow answers',
		unit: 'ms',
		from: 15_000,
		value: ({ request: rows }) =>
			slowest(
				rows.filter(({ route, method, status }) => `${method} ${route} ${status}` === 'POST /v1/verify 200'),
			),
	},
	{
		name: 'mails stay',
		unit: 'times',
		from: 1,
		value: ({ mail }) => sum(mail.filter(({ outcome }) => outcome !== 'sent')),
	},
	{
		name: 'errors',
		unit: 'times',
		from: 20,
		value: ({ log_line: rows }) => sum(rows.filter(({ level }) => level === 'error')),
	},
	{ name: 'a bug', unit: 'times', from: 1, value: logged(/^unexpected_error$/) },
	{ name: 'a part fails', unit: 'times', from: 5, value: logged(/^part_failed$/) },
	{ name: 'an account fails', unit: 'times', from: 10, value: logged(/^account_(?:call|alarm)_failed$/) },
	{ name: 'the cron fails', unit: 'times', from: 1, value: logged(/^cron_failed$/) },
	{ name: 'money', unit: 'times', from: 1, value: logged(/^purchase_/) },
	{ name: 'misconfigured', unit: 'times', from: 1, value: logged(/^misconfigured$/) },
];

/** The alerts that ring for these figures, each in a line for a pager. */
export function ringing({ figures }: Stats): readonly string[] {
	return ALERTS.flatMap(({ name, value, from, unit }) => {
		const is = value(figures);
		return is < from ? [] : [`${name}: ${inUnit(is, unit)} (rings from ${inUnit(from, unit)})`];
	});
}

function inUnit(value: number, unit: Alert['unit']): string {
	if (unit === 'share') return `${(100 * value).toFixed(1)} %`;
	return unit === 'ms' ? `${Math.round(value)} ms` : String(Math.round(value));
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

function logged(event: RegExp): Alert['value'] {
	return ({ log_line: rows }) => sum(rows.filter((row) => event.test(String(row['event']))));
}
