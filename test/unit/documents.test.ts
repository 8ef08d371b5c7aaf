import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import { VERSION as CLIENT_VERSION } from '../../clients/typescript/src/index.ts';
import { METRICS } from '../../src/core/metrics/metrics.ts';
import { ACCOUNT_SCHEMA } from '../../src/durable-objects/account/schema.ts';
import { API_VERSION } from '../../src/http/schemas/envelope.ts';
import * as schema from '../../src/storage/schema.ts';
import { ALERTS as RULES } from '../../tools/alerts.ts';

// Documents are followed with a finger, some of them at night: what they name has to be there.

const ROOT = path.join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const PROBER_FILES = readdirSync(path.join(ROOT, 'deploy/prober')).map((name) => `deploy/prober/${name}`);
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: ROOT }), ...PROBER_FILES];
/** What operators follow. */
const GUIDES = ['docs/deploy.md', 'docs/payments.md', 'docs/runbook.md', 'deploy/prober/README.md'];
const RUNBOOK = read('docs/runbook.md');
const WORKFLOW = read('.github/workflows/deploy.yml');
const { version, scripts, devDependencies } = JSON.parse(read('package.json')) as {
	scripts: Readonly<Record<string, string>>;
	devDependencies: Readonly<Record<string, string>>;
	version: string;
};

/** All that a pattern's first group finds, each once. */
function found(text: string, pattern: RegExp): readonly string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, what = '']) => what))];
}

const WRANGLER = read('node_modules/wrangler/wrangler-dist/cli.js');
const COMMANDS = new Set(found(WRANGLER, /command: "wrangler ([a-z0-9 -]+)"/g));
const usageOf = (tool: string): string => read(tool).split('const USAGE = `')[1]?.split('`;\n')[0] ?? '';

describe.each(PAGES)('%s', (page) => {
	const text = read(page);

	test('names only files that are there', () => {
		const named = found(text, /(?<![\w./-])((?:src|deploy|docs|tools|test|\.github)\/[\w./-]*\w)/g);
		// The settings of an environment are the reader's own.
		const isOwn = (name: string): boolean => /^deploy\/(?:staging|production)\.env$/.test(name);
		expect(named.filter((name) => !isOwn(name) && !existsSync(path.join(ROOT, name)))).toEqual([]);
	});

	test('names only scripts that the package has', () => {
		const named = found(text, /npm run (?:-s )?([\w:-]+)/g);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});
});

describe.each(GUIDES)('%s', (page) => {
	const text = read(page);

	test('names only commands and switches that the pinned Wrangler has', () => {
		const lines = found(text, /npx wrangler ([^`\n#|]+)/g);
		const unknown = lines.filter((line) => {
			const words = line.split(' ');
			return !words.some((_, end) => COMMANDS.has(words.slice(0, end + 1).join(' ')));
		});
		expect(unknown).toEqual([]);
		const isSwitch = (name: string): boolean => {
			const camel = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
			return new RegExp(`(?:["']${name}["']|\\b${camel}): ?\\{`).test(WRANGLER);
		};
		expect(found(lines.join('\n'), /--([a-z][a-z-]+)/g).filter((name) => !isSwitch(name))).toEqual([]);
	});

	test.each([
		['npm run deploy --', 'tools/deploy.ts'],
		['npm run (?:-s )?ops --', 'tools/ops.ts'],
	])('names only words and switches of `%s`', (call, tool) => {
		const lines = found(text, new RegExp(`${call} ([^\`\\n#|]+)`, 'g'));
		const words = lines.flatMap((line) => [...found(line, /(--[a-z][a-z-]+)/g), /^[a-z-]+/.exec(line)?.[0]]);
		expect(words.filter((word) => !usageOf(tool).includes(word ?? ''))).toEqual([]);
	});

	// `wrangler secret put` skips the trial, and without --env it reaches another Worker.
	test('changes a secret by the deploy alone', () => {
		expect(text.match(/(?<!Don't use `)npx wrangler (?:versions )?secret/g)).toBeNull();
		expect(found(text, /npm run deploy -- (?:staging|production) ([a-z]+)/g)).toContain('secret');
	});
});

test.each(['docs/deploy.md', 'docs/runbook.md', ...PROBER_FILES])(
	'%s names only variables that a program reads',
	(page) => {
		const programs = ['src/config.ts', 'src/prober/config.ts', 'tools/deploy.ts', 'tools/ops.ts'];
		const known = [...programs, 'tools/stats.ts', '.github/workflows/deploy.yml'].map(read).join('\n');
		const named = found(read(page), /\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b/g);
		// Node's own, and systemd's words for sockets.
		const isOther = (name: string): boolean => /^(?:NODE_\w+|AF_\w+)$/.test(name);
		expect(named.filter((name) => !known.includes(name) && !isOther(name))).toEqual([]);
	},
);

describe('docs/runbook.md', () => {
	const source = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).map(read).join('\n');
	/** Each event that the code logs, with its level: `part_failed error`. */
	const LEVELS: Readonly<Record<string, string>> = { logSampled: 'info', warn: 'warn' };
	const logged = [
		// One event, or a choice of two.
		...source.matchAll(
			/\b(log|logSampled|warn)\(\s*(?:[^'()]+ \? )?('\w+'(?: : '\w+')?),(?=((?:(?!\blog\()[^;])*))/g,
		),
	].flatMap(([, how = '', events = '', rest = '']) => {
		const [, named = 'error'] = /,\s*'(warn|info)',?\s*\)/.exec(rest) ?? [];
		return found(events, /'(\w+)'/g).map((event) => `${event} ${LEVELS[how] ?? named}`);
	});
	const alerts = RUNBOOK.split('\n').filter((line) => /^\| .*\b(?:metric|log) `/.test(line));

	test('has each event that the code logs, with its level, and no other', () => {
		const rows = [...RUNBOOK.matchAll(/^\| `(\w+)` \| (error|warn|info) \| \S/gm)].map(
			([, event, level]) => `${event} ${level}`,
		);
		expect(rows.length).toBeGreaterThan(40);
		expect(rows.toSorted()).toEqual([...new Set(logged)].toSorted());
	});

	test('has an alert for each metric and each rule, by events that the code logs', () => {
		const metrics = found(alerts.join('\n'), /metric `(\w+)`/g);
		expect(metrics.toSorted()).toEqual(Object.keys(METRICS).toSorted());
		const rows = alerts.map((line) => (line.split('|')[1] ?? '').trim());
		expect(RULES.map(([name]) => name).filter((name) => !rows.includes(name))).toEqual([]);
		const events = alerts.flatMap((line) =>
			found((line.split('|')[2] ?? '').replace(/metric `\w+`/, ''), /`(\w+)`/g),
		);
		expect(events.length).toBeGreaterThan(10);
		expect(events.filter((event) => !logged.some((line) => line.startsWith(`${event} `)))).toEqual([]);
	});

	test('of the prober, alerts ask for metrics that it has', () => {
		const asked = found(read('deploy/prober/alerts.yml'), /(mailsonar_\w+?)(?:_bucket)?\b/g);
		expect(asked.length).toBeGreaterThan(3);
		const metrics = read('src/prober/report.ts');
		// Counters are given without what all names begin with.
		const isMeasured = (name: string): boolean =>
			[name, name.replace('mailsonar_prober_', '')].some((one) => metrics.includes(`'${one}'`));
		expect(asked.filter((name) => !isMeasured(name))).toEqual([]);
	});
});

describe('docs/security.md', () => {
	const page = read('docs/security.md');
	const lines = [...page.matchAll(/^\| ([^|]+) \| `(test\/[^`]+)` \| ([^|]+) \|$/gm)];

	test('names a test for each of sixty attacks or so', () => {
		expect(lines.length).toBeGreaterThan(55);
		// All but the head of the table: none is written so that it is passed over here.
		expect(lines).toHaveLength((page.split('## Attacks')[1]?.match(/^\| /gm)?.length ?? 0) - 1);
	});

	test.each(lines.map((line) => line.slice(1)))('%s: the test %s', (_attack, file = '', promise = '') => {
		const named = [`'${promise}`, `"${promise}`, `\`${promise}`].some((title) => read(file).includes(title));
		expect(named, `${file} has no promise that begins with: ${promise}`).toBe(true);
	});
});

test('docs/configuration.md names every variable of the Worker and of the prober, and no other', () => {
	/** Variables in a schema: the deepest names in capitals. */
	const variablesOf = (file: string) => found(read(file), /^\t{1,2}([A-Z][A-Z_]+):/gm).toSorted();
	const namedIn = (text = '') =>
		found(text, /^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm).flatMap((names) => found(names, /`(\w+)`/g));
	const [, worker, prober] = read('docs/configuration.md').split(/^## /m);
	expect(namedIn(worker).toSorted()).toEqual(variablesOf('src/config.ts'));
	expect(namedIn(prober).toSorted()).toEqual(variablesOf('src/prober/config.ts'));
});

test('docs/privacy.md knows every table of the database and of an account', () => {
	const shared = Object.values(schema).flatMap((value) =>
		is(value, SQLiteTable) ? [getTableName(value)] : [],
	);
	const own = found(ACCOUNT_SCHEMA, /CREATE TABLE (\w+)/g);
	expect(Math.min(shared.length, own.length)).toBeGreaterThan(9);
	expect([...shared, ...own].filter((name) => !read('docs/privacy.md').includes(`\`${name}\``))).toEqual([]);
});

test('the package has the version of the API, and the client that of its package, which depends on nothing', () => {
	expect(version).toBe(API_VERSION);
	const client = JSON.parse(read('clients/typescript/package.json')) as Readonly<Record<string, unknown>>;
	expect([client['version'], client['dependencies']]).toEqual([CLIENT_VERSION, undefined]);
});

describe('the workflow that deploys', () => {
	test('uses nobody’s action but by its commit, and may read the repository alone', () => {
		const uses = found(WORKFLOW, /uses: (.*)/g);
		expect(uses.length).toBe(2);
		expect(found(WORKFLOW, /node-version: (.*)/g)).toEqual([devDependencies['node']]);
		expect(uses.filter((use) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual([]);
		expect(WORKFLOW.match(/^ *permissions:.*(?:\n {2}.*)*/gm)).toEqual(['permissions:\n  contents: read']);
		expect(WORKFLOW.match(/persist-credentials: false/g)?.length).toBe(
			WORKFLOW.match(/actions\/checkout@/g)?.length,
		);
	});

	test('shows secrets to the one step that deploys, and runs no words of its caller', () => {
		const [before = '', after = ''] = WORKFLOW.split('- name: Deploy or roll back');
		expect(before).not.toContain('secrets.');
		expect(found(after, /secrets\.(\w+)/g)).toEqual(['CLOUDFLARE_API_TOKEN', 'SMOKE_KEY']);
		expect(found(after, /vars\.(\w+)/g)).toEqual(['SETTINGS']);
		const commands = [...WORKFLOW.matchAll(/run: (?:\|\n((?: {10}.*\n)+)|(.*))/g)].map(([text]) => text);
		expect(commands.filter((text) => text.includes('${{'))).toEqual([]);
	});

	test('waits for the tests before a deploy, and not before a rollback', () => {
		const [tests = '', deploy = ''] = WORKFLOW.split('\n  deploy:\n');
		expect(tests).toContain("    if: inputs.command != 'rollback'\n");
		expect(deploy).toContain('needs: test\n');
		expect(deploy).toContain(
			"!cancelled() && (needs.test.result == 'success' || inputs.command == 'rollback') &&",
		);
	});
});
