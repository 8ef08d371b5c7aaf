import { dataPoint, OF_ONE_METRIC_MAX, POINTS_MAX, SILENT } from '../core/metrics/metrics.ts';
import type { DataPoint, MetricName, Metrics, PointOf } from '../core/metrics/metrics.ts';
import { PerInvocation } from '../lib/invocation.ts';
import { describeError, followLog, log } from '../lib/log.ts';

/** Counts one more point of an invocation, by metric and in all; false: there is no room for it. */
function take(written: Map<MetricName | 'all', number>, metric: MetricName): boolean {
	const [all, ofThis] = [written.get('all') ?? 0, written.get(metric) ?? 0];
	if (all >= POINTS_MAX || ofThis >= OF_ONE_METRIC_MAX) return false;
	written.set(metric, ofThis + 1).set('all', all + 1);
	return true;
}

/**
 * Points in Analytics Engine, as many as it takes of an invocation. Further or refused points are lost: the first
 * loss is in the log, then each power of two.
 */
export class AnalyticsMetrics implements Metrics {
	readonly #dataset: { writeDataPoint(point: DataPoint): void };
	readonly #written = new PerInvocation(() => new Map<MetricName | 'all', number>());
	#lost = 0;

	constructor(dataset: { writeDataPoint(point: DataPoint): void }) {
		this.#dataset = dataset;
	}

	note<M extends MetricName>(metric: M, point: PointOf<M>): void {
		const written = this.#written.current;
		if (written !== null && !take(written, metric)) return this.#lose({ why: 'invocation_full' });
		try {
			this.#dataset.writeDataPoint(dataPoint(metric, point));
		} catch (error) {
			this.#lose(describeError(error));
		}
	}

	#lose(why: Readonly<Record<string, unknown>>): void {
		this.#lost += 1;
		if (Number.isInteger(Math.log2(this.#lost))) log('metrics_lost', { lost: this.#lost, ...why });
	}
}

/** The metrics in a dataset, where the errors and warnings of the log are counted as well; without one, nowhere. */
export function metricsIn(dataset?: { writeDataPoint(point: DataPoint): void }): Metrics {
	if (dataset === undefined) return SILENT;
	const metrics = new AnalyticsMetrics(dataset);
	followLog((event, level) => {
		// Said of the metrics themselves: a point more would be lost as well.
		if (event !== 'metrics_lost') metrics.note('log_line', { event, level, count: 1 });
	});
	return metrics;
}
