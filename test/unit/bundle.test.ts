import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorker } from '../../tools/build.ts';
import type { Built } from '../../tools/build.ts';
import { frameReader } from '../../tools/frames.ts';
import { bundleSize, readAtStart } from '../support/bundle-size.ts';

// The Worker as it is uploaded, built once.

// KB, gzipped, on 2026-11-28: 349 of 600. Lower them with the bundle.
const START_MAX = 357;
const ALL_MAX = 610;

const into = mkdtempSync(path.join(tmpdir(), 'mailsonar-bundle-'));
const folder = path.join(into, 'worker');
let built: Built;
beforeAll(async () => {
	built = await buildWorker(into);
});
afterAll(() => rmSync(into, { recursive: true, force: true }));

test('neither the upload grows nor what each start reads of it', () => {
	const { all, start } = bundleSize(built);
	expect(start.zipped).toBeGreaterThan(100);
	expect(start.zipped).toBeLessThan(START_MAX);
	expect(all.zipped).toBeGreaterThan(start.zipped);
	expect(all.zipped).toBeLessThan(ALL_MAX);
});

test('pages, MCP, workbooks, the work on lists and the judge with its names are read when asked for', () => {
	const late =
		/dashboard\/|mcp\/|saxes|fflate|papaparse|streamparser|src\/queues\/|mailbox\/data\/names|engine\/domain\.ts/;
	const sources = (file: string) => Object.keys(built[file]?.inputs ?? {});
	const all = Object.keys(built).flatMap(sources);
	for (const name of late.source.split('|'))
		expect(all.some((source) => new RegExp(name).test(source))).toBe(true);
	expect([...readAtStart(built)].flatMap(sources).filter((source) => late.test(source))).toEqual([]);
});

test('the Worker has no rules by which replies of mail servers are read: the prober reads them', () => {
	const sources = Object.values(built).flatMap(({ inputs }) => Object.keys(inputs ?? {}));
	expect(sources).toContain('src/wire/prober.ts');
	expect(sources.filter((source) => source.startsWith('src/core/smtp/'))).toEqual([]);
});

test('the Worker’s code holds no package that is not counted as shipped', () => {
	const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
		readonly packages: Readonly<Record<string, { readonly dev?: true; readonly devOptional?: true }>>;
	};
	const sources = Object.values(built).flatMap(({ inputs }) => Object.keys(inputs ?? {}));
	const held = new Set(sources.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
	expect(held).toContain('node_modules/zod');
	const isShipped = ({ dev, devOptional }: (typeof packages)[string] = { dev: true }): boolean =>
		dev !== true && devOptional !== true;
	expect([...held].filter((name) => !isShipped(packages[name]))).toEqual([]);
});

test('a frame in the log leads to our line, though the bundle has short names', () => {
	const lines = readFileSync(path.join(folder, 'index.js'), 'utf8').split('\n');
	const row = lines.findIndex((line) => line.includes('"cron_failed"'));
	const column = lines[row]?.indexOf('"cron_failed"') ?? -1;
	const origin = frameReader(folder)(`at a (index.js:${row + 1}:${column + 1})`);

	const [, line] = /^src\/index\.ts:(\d+):\d+$/.exec(origin) ?? [];
	expect(readFileSync('src/index.ts', 'utf8').split('\n')[Number(line) - 1]).toContain('cron_failed');
	expect(frameReader(folder)('at somewhere else')).toBe('at somewhere else');
});
