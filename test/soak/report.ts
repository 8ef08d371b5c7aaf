import { table } from '../bench/table.ts';
import { percentile } from '../support/giants/percentile.ts';
import { figuresOf } from './memory.ts';
import type { Life } from './memory.ts';
import type { EndpointFigures, Outage } from './requests.ts';

/** Latencies and statuses, endpoint by endpoint. */
export function endpointTable(endpoints: ReadonlyMap<string, EndpointFigures>): string {
	const rows = [...endpoints]
		.toSorted(([a], [b]) => a.localeCompare(b))
		.map(([endpoint, figures]) => {
			const { latencies, statuses, excused } = figures;
			const ms = (share: number): string =>
				latencies.length === 0 ? '' : percentile(latencies, share).toFixed(0);
			const told = [...statuses].toSorted(([a], [b]) => String(a).localeCompare(String(b)));
			return [
				endpoint,
				String(told.reduce((total, [, count]) => total + count, 0)),
				ms(0.5),
				ms(0.95),
				ms(0.99),
				told.map(([status, count]) => `${status}: ${count}`).join(', '),
				String(excused),
			];
		});
	return table([
		['endpoint', 'requests', 'p50, ms', 'p95, ms', 'p99, ms', 'answers', 'failed in a kill'],
		...rows,
	]);
}

/** Memory, life by life. */
export function memoryTable(lives: readonly Life[]): string {
	const rows = lives.map((life) => {
		const { minutes, firstMb, lastMb, mostMb, slope, fault } = figuresOf(life);
		return [
			`${life.owner} (${life.pid})`,
			minutes.toFixed(1),
			firstMb.toFixed(0),
			lastMb.toFixed(0),
			mostMb.toFixed(0),
			slope === null ? 'too short' : slope.toFixed(0),
			fault ?? '',
		];
	});
	return table([
		['memory', 'minutes', 'first, MB', 'last, MB', 'most, MB', 'after 2 min, MB an hour', ''],
		...rows,
	]);
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
