import type { MetricName, PointOf } from './metrics.ts';

/** Takes points. It neither throws nor waits: what can't be written is lost, and counted. */
export interface Metrics {
	note<M extends MetricName>(metric: M, point: PointOf<M>): void;
}

/** Measures nothing: answers to test keys are made up. */
export const SILENT: Metrics = { note: () => {} };
