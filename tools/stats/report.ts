import { STATUSES } from '../../src/core/verification/sub-status.ts';
import { textTable } from '../../src/lib/text.ts';
import { printable } from './analytics.ts';
import type { Stats } from './summary.ts';

const WHOSE = {
	ours: 'ours: capacity, addresses, code',
	theirs: "the recipient's side",
	chosen: 'nobody was to be asked',
} as const;

// Routes by status: enough for all that are used much.
const REQUESTS_TOP = 25;

/** The figures as tables for people. */
export function statsReport(stats: Stats): string {
	const { verifications: all } = stats;
	const head = `The last ${stats.hours} h: ${whole(all)} verifications`;
	const tables = [
		['STATUS', 'ADDRESSES', 'SHARE', ...STATUSES.map((one) => [one, ...shared(stats.byStatus[one], all)])],
		['DECIDED BY', 'ADDRESSES', 'SHARE', ...rowsOf(stats.byStage, all)],
		[
			'UNKNOWN IS',
			'ADDRESSES',
			'SHARE',
			...(['ours', 'theirs', 'chosen'] as const).map((who) => [
				WHOSE[who],
				...shared(stats.unknownBy[who], all),
			]),
			['free answers', ...shared(stats.freeAnswers, all)],
		],
		[
			'OPERATOR',
			'ANSWERS',
			'UNKNOWN',
			'SHARE',
			'OURS',
			'MOSTLY',
			...stats.operators.map((one) => [
				one.operator,
				whole(one.answers),
				...shared(one.unknown, one.answers),
				whole(one.ours),
				one.mostly,
			]),
		],
		[
			'ASKED AGAIN',
			'WHY',
			'ANSWERS',
			...stats.deferrals.map(({ operator, why, count }) => [operator, why, whole(count)]),
		],
		['WAITED IN THE QUEUE', 'PARTS', 'P50', 'P95', ...stats.queueAges.map(timesRow)],
		['SETTLED AFTER THE ANSWER', 'TIMES', 'P50', 'P95', ...stats.settleLags.map(timesRow)],
		[
			'PROBER',
			'SEEN',
			'QUESTIONS NOT TAKEN',
			...stats.probers.map(({ prober, states, refusals }) => [prober, listed(states), listed(refusals)]),
		],
		[
			'TURNED AWAY BY',
			'PROBER',
			'WHY',
			'SEEN',
			...stats.pauses.map(({ operator, prober, why, times }) => [operator, prober, why, whole(times)]),
		],
		[
			'REQUEST',
			'STATUS',
			'TIMES',
			'P50',
			'P95',
			'WAITED FOR DNS',
			'PROBER',
			'ACCOUNT',
			...stats.requests
				.slice(0, REQUESTS_TOP)
				.map((one) => [
					one.route,
					one.status,
					whole(one.count),
					...[one.p50, one.p95, one.dnsMs, one.proberMs, one.accountMs].map(seconds),
				]),
		],
		['MAIL', 'TIMES', ...Object.entries(stats.mails).map(([word, n]) => [word, whole(n)])],
		['LOGGED', 'TIMES', ...Object.entries(stats.logLines).map(([word, n]) => [word, whole(n)])],
	].flatMap(tableOf);
	return [head, ...tables].join('\n\n');
}

/** Words are the head, lists are rows. A table without rows is left out. */
function tableOf(lines: readonly (string | readonly string[])[]): readonly string[] {
	const head = lines.filter((line) => typeof line === 'string');
	const rows = lines.filter((line) => typeof line !== 'string');
	if (rows.length === 0) return [];
	return [textTable([head, ...rows].map((row) => row.map(printable)))];
}

function rowsOf(counts: Readonly<Record<string, number>>, all: number): readonly (readonly string[])[] {
	return Object.entries(counts).map(([word, count]) => [word, ...shared(count, all)]);
}

function shared(count: number, all: number): readonly [string, string] {
	return [whole(count), all === 0 ? '-' : `${((100 * count) / all).toFixed(1)} %`];
}

function timesRow({ of, times, p50, p95 }: Stats['queueAges'][number]): readonly string[] {
	return [of, whole(times), seconds(p50), seconds(p95)];
}

function listed(counts: Readonly<Record<string, number>>): string {
	const parts = Object.entries(counts).map(([word, count]) => `${word} ${whole(count)}`);
	return parts.length === 0 ? '-' : parts.join(', ');
}

function whole(count: number): string {
	return Math.round(count).toLocaleString('en');
}

function seconds(ms: number): string {
	return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
