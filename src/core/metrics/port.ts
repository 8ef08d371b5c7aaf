import type { MetricName, PointOf } from './metrics.ts';

/** Receives points. It neither throws nor waits: points that can't be written are lost, and counted. */
export interface Metrics {
	note<M extends MetricName>(metric: M, point: PointOf<M>): void;
}

/** Measures nothing: answers to test keys are made up. */
export const SILENT: Metrics = { note: () => {} };
