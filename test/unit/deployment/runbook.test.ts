import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ALERTS as RULES } from '../../../tools/alerts.ts';
import { METRICS } from '../../../src/core/metrics/metrics.ts';

// docs/runbook.md is read at night: what it names has to be there.

const ROOT = path.join(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const RUNBOOK = read('docs/runbook.md');

function found(text: string, pattern: RegExp): readonly string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, what = '']) => what))];
}

const SOURCE = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
	.filter((name) => /\.tsx?$/.test(name))
	.map((name) => read(`src/${name}`))
	.join('\n');
/** Each event that the code logs, with its level: `part_failed error`. */
const LEVELS: Readonly<Record<string, string>> = { logSampled: 'info', warn: 'warn' };
const LOGGED = [...SOURCE.matchAll(/\b(log|logSampled|warn)\(\s*'(\w+)',(?=((?:(?!\blog\()[^;])*))/g)].map(
	([, how = '', event, rest = '']) => {
		const [, named = 'error'] = /,\s*'(warn|info)',?\s*\)/.exec(rest) ?? [];
		return `${event} ${LEVELS[how] ?? named}`;
	},
);
const ALERTS = RUNBOOK.split('\n').filter((line) => /^\| .*\b(?:metric|log) `/.test(line));

test('each `ops` call is one of the tool, with its switches', () => {
	const usage = read('tools/ops.ts').split('const USAGE = `')[1]?.split('`;\n')[0] ?? '';
	const lines = found(RUNBOOK.replaceAll(/\s+/g, ' '), /npm run -s ops -- ([^`#|]+)`/g);
	expect(lines.length).toBeGreaterThan(12);
	const commands = found(usage, /^ {2}([a-z-]+(?: [a-z|]+)?)/gm).flatMap((command) => {
		const [noun = '', verbs] = command.split(' ');
		return verbs === undefined ? [noun] : verbs.split('|').map((verb) => `${noun} ${verb}`);
	});
	const unknown = lines.filter(
		(line) => !commands.some((command) => line === command || line.startsWith(`${command} `)),
	);
	expect(unknown).toEqual([]);
	const switches = found(lines.join('\n'), /(--[a-z]+)/g);
	expect(switches.filter((name) => !usage.includes(name))).toEqual([]);
});

test('each call of Wrangler is one of the pinned one', () => {
	const wrangler = read('node_modules/wrangler/wrangler-dist/cli.js');
	const known = new Set(found(wrangler, /command: "wrangler ([a-z0-9 -]+)"/g));
	const lines = found(RUNBOOK, /npx wrangler ([^`\n|]+)/g);
	expect(lines.length).toBeGreaterThan(2);
	const isKnown = (line: string): boolean => {
		const words = line.split(' ');
		return words.some((_, end) => known.has(words.slice(0, end + 1).join(' ')));
	};
	expect(lines.filter((line) => !isKnown(line))).toEqual([]);
});

test('each metric of an alert is measured, and each metric has an alert', () => {
	const named = found(ALERTS.join('\n'), /metric `(\w+)`/g);
	expect(named.toSorted()).toEqual(Object.keys(METRICS).toSorted());
});

test('each rule of `ops alerts` is a row, and each rule of Prometheus asks for a metric of the prober', () => {
	const rows = ALERTS.map((line) => (line.split('|')[1] ?? '').trim());
	expect(RULES.map(({ name }) => name).filter((name) => !rows.includes(name))).toEqual([]);
	const asked = found(read('deploy/prober/alerts.yml'), /(mailsonar_\w+?)(?:_bucket)?\b/g);
	expect(asked.length).toBeGreaterThan(3);
	const metrics = read('src/prober/report.ts');
	// Counters are given without what all names begin with.
	const isMeasured = (name: string): boolean =>
		[name, name.replace('mailsonar_prober_', '')].some((one) => metrics.includes(`'${one}'`));
	expect(asked.filter((name) => !isMeasured(name))).toEqual([]);
});

test('the table of events has each event that the code logs, with its level, and no other', () => {
	const rows = [...RUNBOOK.matchAll(/^\| `(\w+)` \| (error|warn|info) \| \S/gm)].map(([, ...row]) =>
		row.join(' '),
	);
	expect(rows.length).toBeGreaterThan(40);
	expect(rows.toSorted()).toEqual([...new Set(LOGGED)].toSorted());
});

test('each event of an alert is written by the code', () => {
	const cells = ALERTS.map((line) => line.split('|')[2] ?? '');
	const named = cells.flatMap((cell) => found(cell.replace(/metric `\w+`/, ''), /`(\w+)`/g));
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter((event) => !LOGGED.some((logged) => logged.split(' ')[0] === event))).toEqual([]);
});

test('each secret and variable is one that a program reads', () => {
	const programs = ['src/config.ts', 'src/prober/config.ts', 'tools/ops.ts', 'tools/stats.ts'];
	const known = programs.map(read).join('\n');
	const named = found(RUNBOOK, /`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])[`=]/g);
	expect(named.length).toBeGreaterThan(8);
	expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('each file is there, and each test that is called a proof has its name', () => {
	const files = found(RUNBOOK, /`((?:src|docs|test|deploy)\/[\w./-]*\w)`/g);
	expect(files.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
	const proofs = [...RUNBOOK.replaceAll(/\s+/g, ' ').matchAll(/\(`(test\/[\w./-]+)`, "([^"]+)"\)/g)];
	expect(proofs.length).toBe(1);
	for (const [, file = '', name = ''] of proofs) expect(read(file)).toContain(name);
});
