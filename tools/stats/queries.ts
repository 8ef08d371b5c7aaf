import { METRICS, columnOf } from '../../src/core/metrics/metrics.ts';
import type { MetricName } from '../../src/core/metrics/metrics.ts';

/** From which points, and how far back. */
export interface Since {
	/** The dataset of the environment, as in wrangler.toml. */
	readonly dataset: string;
	readonly hours: number;
}

// Points are sampled where there are many: each stands for `_sample_interval` of them.
const POINTS = 'SUM(_sample_interval)';
const quantile = (share: number, column: string): string =>
	`quantileExactWeighted(${share})(${column}, _sample_interval)`;

/** The questions of `ops stats`, each a statement of Analytics Engine's SQL, with the names of METRICS for columns. */
export const QUERIES = {
	outcomes: (since: Since) => counted(since, 'outcome'),
	deferrals: (since: Since) => counted(since, 'deferral'),
	refusals: (since: Since) => counted(since, 'prober_refusal'),
	queueAges: (since: Since) => timed(since, 'queue_age'),
	settleLags: (since: Since) => timed(since, 'settle_lag'),
	mails: (since: Since) => counted(since, 'mail'),
	logLines: (since: Since) => counted(since, 'log_line'),
	requests,
	states: (since: Since) => statement(since, 'prober_state', [`${POINTS} AS times`]),
	pauses: (since: Since) => statement(since, 'operator_pause', [`${POINTS} AS times`]),
} as const satisfies Readonly<Record<string, (since: Since) => string>>;

export type QueryName = keyof typeof QUERIES;

type Counted = 'outcome' | 'deferral' | 'prober_refusal' | 'mail' | 'log_line';

function counted(since: Since, metric: Counted): string {
	return statement(since, metric, [`SUM(_sample_interval * ${columnOf(metric, 'count')}) AS total`]);
}

function timed(since: Since, metric: 'queue_age' | 'settle_lag'): string {
	const ms = columnOf(metric, 'ms');
	return statement(since, metric, [
		`${POINTS} AS times`,
		`${quantile(0.5, ms)} AS p50`,
		`${quantile(0.95, ms)} AS p95`,
	]);
}

/** How many requests, how long they took, and what they waited for on average. */
function requests(since: Since): string {
	const [count, ms] = [columnOf('request', 'count'), columnOf('request', 'ms')];
	// A point stands for `count` requests, and Analytics Engine may keep one of several points.
	const weight = `_sample_interval * ${count}`;
	const mean = (name: 'dnsMs' | 'proberMs' | 'accountMs'): string =>
		`SUM(${weight} * ${columnOf('request', name)}) / SUM(${weight}) AS ${name}`;
	return statement(since, 'request', [
		`SUM(${weight}) AS total`,
		`${quantile(0.5, ms)} AS p50`,
		`${quantile(0.95, ms)} AS p95`,
		...(['dnsMs', 'proberMs', 'accountMs'] as const).map(mean),
	]);
}

/** One row for each combination of the metric's blobs. */
function statement({ dataset, hours }: Since, metric: MetricName, figures: readonly string[]): string {
	const { blobs } = METRICS[metric];
	const columns = (blobs as readonly string[]).map((_, index) => `blob${index + 1}`);
	const named = columns.map((column, index) => `${column} AS ${blobs[index]}`);
	return [
		`SELECT ${[...named, ...figures].join(', ')}`,
		`FROM ${dataset}`,
		`WHERE index1 = '${metric}' AND timestamp > NOW() - INTERVAL '${hours}' HOUR`,
		`GROUP BY ${columns.join(', ')}`,
		'FORMAT JSON',
	].join('\n');
}
