import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import type { DataPoint } from '../../../src/core/metrics/metrics.ts';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';

/** A stored point. */
export interface Stored extends DataPoint {
	readonly hoursAgo?: number;
	/** How many points it stands for. */
	readonly interval?: number;
}

export interface FakeAnalytics extends Listener {
	readonly url: string;
}

/**
 * Analytics Engine's SQL API on loopback: SQLite answers, after a translation of the few words that it spells
 * otherwise. Counts are text, as large whole numbers are there.
 */
export async function fakeAnalytics(points: readonly Stored[], token = 'read-only'): Promise<FakeAnalytics> {
	const database = tableOf(points);
	const server = createServer((request, response) => {
		void text(request).then((sql) => {
			if (request.headers.authorization !== `Bearer ${token}`)
				return response.writeHead(403).end('{"errors":[{"message":"Authentication error"}]}');
			try {
				const rows = database.prepare(translated(sql)).all() as Record<string, string | number>[];
				const data = rows.map((row) => ('times' in row ? { ...row, times: String(row['times']) } : row));
				return response.end(JSON.stringify({ meta: [], data, rows: data.length }));
			} catch (error) {
				const isTable = String(error).includes('no such table');
				return response.writeHead(422).end(isTable ? 'unknown table' : String(error));
			}
		});
	});
	const listener = await openListener(server);
	return { ...listener, url: `http://127.0.0.1:${listener.port}` };
}

const COLUMNS = Array.from({ length: 20 }, (_, index) => index + 1);

function tableOf(points: readonly Stored[]): DatabaseSync {
	const database = new DatabaseSync(':memory:');
	const columns = COLUMNS.map((n) => `blob${n} TEXT, double${n} REAL`).join(', ');
	database.exec(
		`CREATE TABLE mailsonar (timestamp REAL, _sample_interval INTEGER, index1 TEXT, ${columns}) STRICT`,
	);
	for (const { indexes, blobs, doubles, hoursAgo = 0.5, interval = 1 } of points) {
		const names = [...blobs.map((_, n) => `blob${n + 1}`), ...doubles.map((_, n) => `double${n + 1}`)];
		const values = [-hoursAgo, interval, indexes[0], ...blobs, ...doubles];
		database
			.prepare(
				`INSERT INTO mailsonar (timestamp, _sample_interval, index1, ${names.join(', ')})
				VALUES (${values.map(() => '?').join(', ')})`,
			)
			.run(...values);
	}
	database.aggregate('quantile', {
		start: () => '[]',
		step: (kept: string, share: unknown, value: unknown, weight: unknown) =>
			JSON.stringify([...(JSON.parse(kept) as unknown[]), [share, value, weight]]),
		result: (kept: string) => weightedQuantile(JSON.parse(kept) as [number, number, number][]),
	});
	return database;
}

function weightedQuantile(
	kept: readonly (readonly [share: number, value: number, weight: number])[],
): number {
	const sorted = kept.toSorted(([, a], [, b]) => a - b);
	const all = sorted.reduce((sum, [, , weight]) => sum + weight, 0);
	let seen = 0;
	for (const [share, value, weight] of sorted) {
		seen += weight;
		if (seen >= share * all) return value;
	}
	return Number.NaN;
}

/** `NOW()` is hour 0, and a timestamp says how many hours before it was. */
function translated(sql: string): string {
	return sql
		.replaceAll(/quantileExactWeighted\(([\d.]+)\)\(/g, 'quantile($1, ')
		.replaceAll(/NOW\(\) - INTERVAL '(\d+)' HOUR/g, '-$1')
		.replace('FORMAT JSON', '');
}
