import { passDay } from '../support/giants/day.ts';
import type { Day } from '../support/giants/day.ts';
import { PARTS_AT_A_TIME } from '../support/giants/service.ts';
import { dollarsPerMillion } from '../support/billing.ts';
import { percentile } from '../support/statistics.ts';
import type { Bench } from './report.ts';
import { table, verdict } from './report.ts';

// A whole day in minutes: the service's and the prober's own code, with sockets, storage and the clock played.

const CALLS = { count: 500, everyMs: 5_000 };
const SMALL = { count: 6, everyMs: 300_000 };
const DAYS = [
	{ egresses: 1, lists: 1, listSize: 50_000 },
	{ egresses: 10, lists: 5, listSize: 20_000 },
	{ egresses: 40, lists: 8, listSize: 20_000 },
] as const;
const QUICK = [{ egresses: 1, lists: 1, listSize: 5_000 }] as const;

const SMALL_MS_MAX = 30_000;
const CALL_GROWTH_MAX = 1.5;
const SHARE_MIN = 0.9;
/** By source addresses. */
const DOLLARS_MAX: Readonly<Record<number, number>> = { 1: 0.6, 10: 0.4, 40: 0.25 };

/** Lists of which half is at one operator, on whole days of a virtual clock. */
export const benchGiants: Bench = async ({ quick, say }) => {
	const rows: (readonly string[])[] = [];
	const shares: (readonly string[])[] = [];
	for (const of of quick ? QUICK : DAYS) {
		const options = { ...of, calls: CALLS, small: SMALL };
		const begun = performance.now();
		const idle = await passDay({ ...options, lists: 0, small: { count: 0, everyMs: 0 } });
		const day = await passDay(options);
		const seconds = (performance.now() - begun) / 1000;
		say(`giants: a day by ${of.egresses} source addresses took ${seconds.toFixed(0)} s`);
		rows.push(rowOf(day, idle, seconds));
		shares.push(scarcestOf(day));
	}
	return [
		`A day on a virtual clock, lists as people have them (45 % gmail.com, 20 % Outlook, 5 % iCloud, 15 % tenants of Microsoft 365 ` +
			`out of 20,000, 2 % of Google, 2 % behind a gateway, 11 % on hosts of their own; one in ten does not exist), ` +
			`${PARTS_AT_A_TIME} parts at a time, 100 ms a reply. Each operator has the limits of its row for each source address, and refuses ` +
			`everything for ten minutes once they are passed. Beside the lists: ${CALLS.count} single calls, one in ${CALLS.everyMs / 1000} s, and ${SMALL.count} lists of ` +
			`49 addresses, one in five minutes, each of another account.`,
		table([HEAD, ...rows]),
		'The scarcest budget, which decided when the lists were done, until nineteen of twenty of its addresses had an answer:',
		table([['source addresses', 'operator', 'answers', 'hours of backlog', 'used', ''], ...shares]),
	].join('\n\n');
};

const HEAD = [
	...['source addresses', 'lists', 'hours until done', '`unknown` by our doing', 'operators made angry'],
	...['49 addresses, slowest, s', 'p95 of calls, ms (idle)', 'attempts stored a part'],
	...['$ a million, CPU and object time left out', 'seconds it took here'],
];

function rowOf(day: Day, idle: Day, seconds: number): readonly string[] {
	const { options } = day;
	const slowest = Math.max(...day.smallMs);
	const [busyMs, idleMs] = [percentile(day.callMs, 0.95), percentile(idle.callMs, 0.95)];
	const dollars = dollarsPerMillion(day.usage, 0);
	const lost = day.unknown + day.unfinished + day.smallUnknown + day.callsUnknown;
	return [
		String(options.egresses),
		`${options.lists} × ${options.listSize.toLocaleString('en')}`,
		day.hours.toFixed(1),
		`${lost} ${verdict(lost === 0)}`,
		`${day.angers} ${verdict(day.angers === 0)}`,
		`${(slowest / 1000).toFixed(1)} ${verdict(slowest <= SMALL_MS_MAX)}`,
		`${busyMs} (${idleMs}) ${verdict(busyMs <= CALL_GROWTH_MAX * idleMs)}`,
		day.storedPerPart.toFixed(1),
		`${dollars.toFixed(2)} ${verdict(dollars <= (DOLLARS_MAX[options.egresses] ?? 0))}`,
		seconds.toFixed(0),
	];
}

function scarcestOf({ options, used: [scarcest] }: Day): readonly string[] {
	if (scarcest === undefined) return [String(options.egresses), '–', '–', '–', '–', ''];
	return [
		String(options.egresses),
		scarcest.operator,
		scarcest.answered.toLocaleString('en'),
		scarcest.backlogHours.toFixed(1),
		`${(scarcest.share * 100).toFixed(0)} %`,
		verdict(scarcest.share >= SHARE_MIN),
	];
}
