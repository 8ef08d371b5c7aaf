import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
	columnOf,
	Counter,
	dataPoint,
	METRICS,
	OF_ONE_METRIC_MAX,
	operatorOf,
	POINTS_MAX,
	SILENT,
} from '../../../src/core/metrics/metrics.ts';
import type { MetricName } from '../../../src/core/metrics/metrics.ts';
import { withInvocation } from '../../../src/lib/invocation.ts';
import { log } from '../../../src/lib/log.ts';
import { AnalyticsMetrics, metricsIn } from '../../../src/storage/analytics-metrics.ts';

// Columns of Analytics Engine have no names: whoever moves one here makes three months of points say something else.
const LAYOUT: Readonly<Record<MetricName, string>> = {
	outcome: 'blob1 operator, blob2 subStatus, blob3 stage, blob4 class, double1 count',
	deferral: 'blob1 operator, blob2 subStatus, blob3 kind, double1 count',
	queue_age: 'blob1 queue, double1 ms, double2 deliveries',
	settle_lag: 'blob1 class, double1 ms',
	prober_refusal: 'blob1 prober, blob2 why, double1 count',
	prober_state: 'blob1 prober, blob2 state, double1 connections, double2 waiting, double3 pauses',
	operator_pause: 'blob1 prober, blob2 operator, blob3 why, double1 count',
	request:
		'blob1 route, blob2 method, blob3 status, double1 count, double2 ms, double3 dnsMs, double4 proberMs, double5 accountMs',
	mail: 'blob1 outcome, blob2 code, double1 count',
	log_line: 'blob1 event, blob2 level, double1 count',
};

const NAMES = Object.keys(METRICS) as MetricName[];

test.each(NAMES)('%s stands in the columns that it always stood in', (metric) => {
	const { blobs, doubles } = METRICS[metric];
	const columns = [...blobs, ...doubles].map((name) => `${columnOf(metric, name as never)} ${name}`);
	expect(columns.join(', ')).toBe(LAYOUT[metric]);
	expect(Math.max(blobs.length, doubles.length)).toBeLessThanOrEqual(20);
});

test('a point has its values in their columns, and its name as the index', () => {
	const point = { operator: 'google', subStatus: 'greylisted', stage: 'smtp', class: 'list', count: 7 };
	expect(dataPoint('outcome', point)).toEqual({
		indexes: ['outcome'],
		blobs: ['google', 'greylisted', 'smtp', 'list'],
		doubles: [7],
	});
});

test.each(['ada@example.com', 'two words', '', 'x'.repeat(65), 'ü', 'a\nb'])(
	'what is no word of ours does not get into a point: %j',
	(operator) => {
		const { blobs } = dataPoint('deferral', { operator, subStatus: 'timeout', kind: 'again', count: 1 });
		expect(blobs).toEqual(['other', 'timeout', 'again']);
	},
);

test('no point can hold an address, whatever it is given', () => {
	fc.assert(
		fc.property(fc.string(), fc.emailAddress(), fc.double(), (word, address, number) => {
			const { blobs, doubles } = dataPoint('queue_age', { queue: word + address, ms: number, deliveries: 1 });
			expect(blobs).toEqual(['other']);
			expect(doubles.every(Number.isFinite)).toBe(true);
		}),
	);
});

test('a dataset that fails costs the point, and neither the request nor the others', () => {
	const written: unknown[] = [];
	const metrics = new AnalyticsMetrics({
		writeDataPoint: (point) => {
			if (written.push(point) === 1) throw new Error('too many data points');
		},
	});
	for (const ms of [1, 2]) metrics.note('settle_lag', { class: 'single', ms });
	expect(written[1]).toEqual({ indexes: ['settle_lag'], blobs: ['single'], doubles: [2] });
});

describe('an invocation that has more to say than the dataset takes of it', () => {
	function dataset() {
		const written: string[] = [];
		const metrics = new AnalyticsMetrics({
			writeDataPoint: ({ indexes: [name] }) => void written.push(name),
		});
		return { written, metrics };
	}
	const refuse = (metrics: AnalyticsMetrics, times: number): void => {
		for (let time = 0; time < times; time += 1)
			metrics.note('prober_refusal', { prober: 'p1', why: 'silent', count: 1 });
	};
	const others = (metrics: AnalyticsMetrics, times: number): void => {
		for (let time = 0; time < times; time += 1) metrics.note('settle_lag', { class: 'list', ms: 1 });
	};
	const told = () => {
		const lines: string[] = [];
		vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
		return lines;
	};

	test('writes as many points as it may and no more, and counts what it leaves out', () => {
		const lines = told();
		const { written, metrics } = dataset();
		withInvocation(() => {
			others(metrics, POINTS_MAX - OF_ONE_METRIC_MAX);
			refuse(metrics, OF_ONE_METRIC_MAX);
			expect([written.length, lines]).toEqual([250, []]);
			metrics.note('queue_age', { queue: 'q', ms: 1, deliveries: 1 });
			others(metrics, 3);
		});
		expect(written).toHaveLength(POINTS_MAX);
		expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
			[1, 2, 4].map((lost) => ({ event: 'metrics_lost', level: 'error', lost, why: 'invocation_full' })),
		);
	});

	test('leaves room for the others, whatever one metric has to say', () => {
		told();
		const { written, metrics } = dataset();
		withInvocation(() => {
			refuse(metrics, 10_000);
			others(metrics, POINTS_MAX - OF_ONE_METRIC_MAX);
		});
		expect(written.filter((name) => name === 'prober_refusal')).toHaveLength(OF_ONE_METRIC_MAX);
		expect(written.filter((name) => name === 'settle_lag')).toHaveLength(POINTS_MAX - OF_ONE_METRIC_MAX);
	});

	test('costs the next one nothing, nor one at the same time', async () => {
		told();
		const { written, metrics } = dataset();
		await Promise.all([1, 2].map(() => withInvocation(async () => refuse(metrics, 300))));
		expect(written).toHaveLength(2 * OF_ONE_METRIC_MAX);
	});
});

test('where Analytics Engine is not bound, nothing is measured and nothing is lost', () => {
	expect(metricsIn()).toBe(SILENT);
});

test('errors and warnings of the log are points, what went well is none', () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	vi.spyOn(console, 'warn').mockImplementation(() => {});
	vi.spyOn(console, 'info').mockImplementation(() => {});
	const written: unknown[] = [];
	metricsIn({ writeDataPoint: ({ blobs }) => void written.push(blobs) });
	log('part_failed', {});
	log('parts_not_sent', {}, 'warn');
	log('audited', {}, 'info');
	log('metrics_lost', {});
	expect(written).toEqual([
		['part_failed', 'error'],
		['parts_not_sent', 'warn'],
	]);
});

test.each([
	[{ gateway: 'mimecast', smtp_provider: 'microsoft', mx_record: 'x' }, 'mimecast'],
	[{ smtp_provider: 'microsoft', mx_record: 'x' }, 'microsoft'],
	[{ mx_record: 'mx.example.com' }, 'other'],
	[{ implicit_mx: 'example.com' }, 'other'],
	[{}, 'none'],
])('the operator of %j is %s', (server, operator) => {
	const none = { gateway: null, smtp_provider: null, mx_record: null, implicit_mx: null };
	expect(operatorOf({ ...none, ...server })).toBe(operator);
});

test('beyond the most, the smallest counts are one, and nothing is lost', () => {
	const counter = new Counter();
	for (const [key, count] of Object.entries({ a: 5, b: 1, c: 9, d: 2 })) counter.add(key, count);
	expect(counter.largest(4, 'rest').join(' ')).toBe('c,9 a,5 d,2 b,1');
	expect(counter.largest(3, 'rest').join(' ')).toBe('c,9 a,5 rest,3');
});
