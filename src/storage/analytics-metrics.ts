import { dataPoint } from '../core/metrics/metrics.ts';
import type { DataPoint, MetricName, PointOf } from '../core/metrics/metrics.ts';
import type { Metrics } from '../core/metrics/port.ts';
import { describeError, log } from '../lib/log.ts';

/** Points in Analytics Engine. What it refuses is lost: the first loss is in the log, then each power of two. */
export class AnalyticsMetrics implements Metrics {
	readonly #dataset: { writeDataPoint(point: DataPoint): void };
	#lost = 0;

	constructor(dataset: { writeDataPoint(point: DataPoint): void }) {
		this.#dataset = dataset;
	}

	note<M extends MetricName>(metric: M, point: PointOf<M>): void {
		try {
			this.#dataset.writeDataPoint(dataPoint(metric, point));
		} catch (error) {
			this.#lost += 1;
			if (Number.isInteger(Math.log2(this.#lost)))
				log('metrics_lost', { lost: this.#lost, ...describeError(error) });
		}
	}
}
