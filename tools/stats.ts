import { METRICS, columnOf } from '../src/core/metrics/metrics.ts';
import type { MetricName } from '../src/core/metrics/metrics.ts';
import { parseJson, textTable } from '../src/lib/text.ts';
import { OperatorError } from './operator-client.ts';

// The figures that the Worker has noted (src/core/metrics/metrics.ts), read from Analytics Engine: `ops stats`, `ops alerts`.

const CLOUDFLARE = 'https://api.cloudflare.com/client/v4';
const PATIENCE_MS = 30_000;
const ROWS_TOP = 25;
/** Points are kept for three months. */
export const HOURS_MAX = 2_160;

/** One row of each combination of a metric's words, the most frequent first. */
export type Row = Readonly<Record<string, string | number>>;
export interface Stats {
	readonly hours: number;
	/** `total` counts what a metric counts, `times` its points; `p50` and `p95` are milliseconds. */
	readonly figures: Readonly<Record<MetricName, readonly Row[]>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the figures of the last hours from a dataset of wrangler.toml. Throws `OperatorError` if they can't be read. */
export async function readStats(env: Environment, hours: number, dataset: string): Promise<Stats> {
	const analytics = analyticsOf(env);
	const names = Object.keys(METRICS) as MetricName[];
	const read = names.map(async (name) => [name, await ask(analytics, statement(name, hours, dataset))]);
	return { hours, figures: Object.fromEntries(await Promise.all(read)) as Stats['figures'] };
}

/** A table for each metric that has a row, of its most frequent rows. */
export function statsReport({ hours, figures }: Stats): string {
	const tables = Object.entries(figures).flatMap(([name, rows]) => {
		const [first] = rows;
		if (first === undefined) return [];
		const lines = rows.slice(0, ROWS_TOP).map((row) => Object.values(row).map(cell));
		return [`${name}\n${textTable([Object.keys(first).map((key) => key.toUpperCase()), ...lines])}`];
	});
	return [`The last ${hours} h${tables.length === 0 ? ': nothing was noted' : ''}`, ...tables].join('\n\n');
}

function cell(value: string | number): string {
	return typeof value === 'number' ? Math.round(value).toLocaleString('en') : value;
}

function statement(metric: MetricName, hours: number, dataset: string): string {
	const { blobs, doubles }: { blobs: readonly string[]; doubles: readonly string[] } = METRICS[metric];
	const column = (name: string): string => columnOf(metric, name as never);
	// Points are sampled where there are many: each stands for `_sample_interval` of them, and of `count` things.
	const weight = doubles.includes('count') ? `_sample_interval * ${column('count')}` : '_sample_interval';
	const quantile = (share: number): string =>
		`quantileExactWeighted(${share})(${column('ms')}, _sample_interval)`;
	const means = doubles.filter((name) => /.Ms$/.test(name));
	const figures = [
		'SUM(_sample_interval) AS times',
		`SUM(${weight}) AS total`,
		...(doubles.includes('ms') ? [`${quantile(0.5)} AS p50`, `${quantile(0.95)} AS p95`] : []),
		...means.map((name) => `SUM(${weight} * ${column(name)}) / SUM(${weight}) AS ${name}`),
	];
	return [
		`SELECT ${[...blobs.map((name) => `${column(name)} AS ${name}`), ...figures].join(', ')}`,
		`FROM ${dataset}`,
		`WHERE index1 = '${metric}' AND timestamp > NOW() - INTERVAL '${hours}' HOUR`,
		`GROUP BY ${blobs.map(column).join(', ')}`,
		'FORMAT JSON',
	].join('\n');
}

/** Where points are read, from the environment. Throws `OperatorError`, which names all that is missing. */
function analyticsOf(env: Environment): { readonly url: string; readonly token: string } {
	const { CLOUDFLARE_ACCOUNT_ID: account = '', ANALYTICS_TOKEN: token = '', ANALYTICS_URL: url } = env;
	const missing = [
		...(account === '' ? ['CLOUDFLARE_ACCOUNT_ID (npx wrangler whoami prints it)'] : []),
		...(token === ''
			? ['ANALYTICS_TOKEN (an API token that may read: Account, Account Analytics, Read)']
			: []),
	];
	if (missing.length > 0)
		throw new OperatorError(
			`Analytics Engine at Cloudflare is read, for which is missing: ${missing.join('; ')}`,
		);
	return { url: `${url || CLOUDFLARE}/accounts/${encodeURIComponent(account)}/analytics_engine/sql`, token };
}

async function ask({ url, token }: ReturnType<typeof analyticsOf>, query: string): Promise<readonly Row[]> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}` },
		body: query,
		signal: AbortSignal.timeout(PATIENCE_MS),
	}).catch((cause: unknown) => {
		throw new OperatorError('Analytics Engine cannot be reached', { cause });
	});
	const text = await response.text();
	if (response.status === 401 || response.status === 403)
		throw new OperatorError('Analytics Engine refuses ANALYTICS_TOKEN for this account');
	// A dataset begins to exist with its first point.
	if (!response.ok && /unknown table|does not exist|unable to find type of column/i.test(text)) return [];
	const { data } = (parseJson(text) ?? {}) as { readonly data?: Parameters<typeof rowsOf>[0] };
	if (!response.ok || !Array.isArray(data))
		throw new OperatorError(`Analytics Engine answered ${response.status}: ${text.slice(0, 300)}`);
	return rowsOf(data);
}

/** Analytics Engine writes large whole numbers as text. */
function rowsOf(data: readonly Readonly<Record<string, string | number | null>>[]): readonly Row[] {
	const rows = data.map((row) =>
		Object.fromEntries(
			Object.entries(row).map(([name, value]) => [
				name,
				/^(?:times|total|p50|p95|\w+Ms)$/.test(name) ? Number(value ?? 0) : String(value ?? ''),
			]),
		),
	);
	return rows.toSorted((a, b) => Number(b['total']) - Number(a['total']));
}
