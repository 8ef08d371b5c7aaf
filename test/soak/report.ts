import { percentile } from '../support/statistics.ts';
import { table } from '../bench/report.ts';
import { figuresOf } from './memory.ts';
import type { Life } from './memory.ts';
import type { EndpointFigures, Outage } from './requests.ts';

/** Latencies and statuses, endpoint by endpoint. */
export function endpointTable(endpoints: ReadonlyMap<string, EndpointFigures>): string {
	const rows = [...endpoints]
		.toSorted(([a], [b]) => a.localeCompare(b))
		.map(([endpoint, { latencies, statuses, excused }]) => {
			const told = [...statuses].toSorted(([a], [b]) => String(a).localeCompare(String(b)));
			return [
				endpoint,
				String(told.reduce((total, [, count]) => total + count, 0)),
				...[0.5, 0.95, 0.99].map((share) =>
					latencies.length === 0 ? '' : percentile(latencies, share).toFixed(0),
				),
				told.map(([status, count]) => `${status}: ${count}`).join(', '),
				String(excused),
			];
		});
	const head = ['endpoint', 'requests', 'p50, ms', 'p95, ms', 'p99, ms', 'answers', 'failed in a kill'];
	return table([head, ...rows]);
}

/** Memory, life by life. */
export function memoryTable(lives: readonly Life[]): string {
	const rows = lives.map((life) => {
		const { minutes, mbPerHour, fault } = figuresOf(life);
		const all = life.samples.map(({ mb }) => mb);
		return [
			`${life.owner} (${life.pid})`,
			minutes.toFixed(1),
			...[all[0] ?? 0, all.at(-1) ?? 0, Math.max(0, ...all)].map((mb) => mb.toFixed(0)),
			mbPerHour === null ? 'too short' : mbPerHour.toFixed(0),
			fault ?? '',
		];
	});
	const head = ['memory', 'minutes', 'first, MB', 'last, MB', 'most, MB', 'after 2 min, MB an hour', ''];
	return table([head, ...rows]);
}

/** When who was killed, and how long it took until all was well again. */
export function killTable(outages: readonly Outage[], startedAt: number): string {
	const rows = outages.map(({ who, from, until }) => [
		`${((from - startedAt) / 1000).toFixed(0)} s`,
		who,
		`${((until - from) / 1000).toFixed(1)} s`,
	]);
	return table([['killed after', 'who', 'back after'], ...rows]);
}
