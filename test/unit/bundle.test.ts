import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildBundle, bundleSize, frameReader } from '../../tools/bundle.ts';

// The upload of a deploy, built once.

// 923 on 2026-11-23, and 962 with the names of functions. Lower it with the bundle.
const ZIPPED_KB_MAX = 930;

const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-bundle-'));
beforeAll(() => buildBundle(folder), 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the upload does not grow', () => {
	const { zipped } = bundleSize(folder);
	expect(zipped).toBeGreaterThan(100);
	expect(zipped).toBeLessThan(ZIPPED_KB_MAX);
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
