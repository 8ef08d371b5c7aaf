import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENTS } from '../../../tools/deployment/target.ts';

// docs/deploy.md and the workflow are followed with a finger: what they name has to be there.

const ROOT = path.join(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const GUIDE = read('docs/deploy.md');
const WORKFLOW = read('.github/workflows/deploy.yml');
const SCRIPTS = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

/** All that a pattern's first group finds, each once. */
function found(text: string, pattern: RegExp): readonly string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, what = '']) => what))];
}

describe('docs/deploy.md', () => {
	test('names only scripts that the package has', () => {
		const named = found(GUIDE, /npm run (?:-s )?([\w:-]+)/g);
		expect(named).toEqual(expect.arrayContaining(['deploy', 'ops', 'prober']));
		expect(named.filter((name) => !SCRIPTS.includes(name))).toEqual([]);
	});

	test('names only commands and switches that the pinned Wrangler has', () => {
		const wrangler = read('node_modules/wrangler/wrangler-dist/cli.js');
		const known = new Set(found(wrangler, /command: "wrangler ([a-z0-9 -]+)"/g));
		const lines = found(GUIDE, /npx wrangler ([^`\n#|]+)/g);
		expect(lines.length).toBeGreaterThan(10);
		const unknown = lines.filter((line) => {
			const words = line.split(' ');
			return !words.some((_, end) => known.has(words.slice(0, end + 1).join(' ')));
		});
		expect(unknown).toEqual([]);
		const isSwitch = (name: string): boolean => {
			const camel = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
			return new RegExp(`(?:["']${name}["']|\\b${camel}): ?\\{`).test(wrangler);
		};
		const switches = found(lines.join('\n'), /--([a-z][a-z-]+)/g);
		expect(switches).toEqual(expect.arrayContaining(['env', 'remote', 'bookmark']));
		expect(switches.filter((name) => !isSwitch(name))).toEqual([]);
	});

	test.each([
		['npm run deploy --', 'tools/deploy.ts', ['staging', 'production']],
		['npm run (?:-s )?ops --', 'tools/ops.ts', ['egress', 'account create', 'key test', 'jobs show']],
	])('names only words and switches of `%s`', (call, file, some) => {
		const usage = read(file).split('const USAGE = `')[1]?.split('`;\n')[0] ?? '';
		const lines = found(GUIDE, new RegExp(`${call} ([^\`\\n#]+)`, 'g'));
		expect(lines.length).toBeGreaterThan(3);
		for (const word of some) expect(lines.join('\n')).toContain(word);
		const switches = found(lines.join('\n'), /(--[a-z][a-z-]+)/g);
		expect(switches.filter((name) => !usage.includes(name))).toEqual([]);
		const verbs = lines.map((line) => /^[a-z]+/.exec(line)?.[0] ?? '');
		expect(verbs.filter((verb) => !usage.includes(verb))).toEqual([]);
	});

	test('names only variables that a program reads', () => {
		const programs = [
			'src/config.ts',
			'src/prober/config.ts',
			'tools/deploy.ts',
			'tools/ops.ts',
			'tools/stats.ts',
			'.github/workflows/deploy.yml',
		];
		const known = programs.map(read).join('\n');
		const named = found(GUIDE, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b/g);
		expect(named.length).toBeGreaterThan(10);
		expect(named.filter((name) => !known.includes(name))).toEqual([]);
	});

	test('names only files that are there', () => {
		const named = found(GUIDE, /(?<![\w./-])((?:src|deploy|docs|tools|test|\.github)\/[\w./-]*\w)/g);
		const own = ENVIRONMENTS.map((one) => `deploy/${one}.env`);
		expect(named.filter((name) => !own.includes(name) && !existsSync(path.join(ROOT, name)))).toEqual([]);
	});

	test('shows the steps that a deploy prints, as it prints them', () => {
		const shown = [...GUIDE.matchAll(/^[✓–…] (\w+)/gm)].map(([, step = '']) => step);
		const source = read('tools/deployment/deploy.ts');
		expect(shown).toEqual(expect.arrayContaining(['lifecycle', 'trial', 'migrate']));
		expect(shown.filter((step) => !new RegExp(`[✓–…] ${step}|'${step}'`).test(source))).toEqual([]);
	});

	test('is written for the Wrangler that is pinned, and the workflow for the Node', () => {
		const { devDependencies } = JSON.parse(read('package.json')) as {
			devDependencies: Readonly<Record<string, string>>;
		};
		expect(GUIDE).toContain(`(${devDependencies['wrangler']})`);
		expect(found(WORKFLOW, /node-version: (.*)/g)).toEqual([devDependencies['node']]);
	});

	test.each(ENVIRONMENTS)(
		'says of the dataset of %s that it makes itself, once the account has it enabled',
		(one) => {
			const table = `[[env.${one}.analytics_engine_datasets]]\nbinding = "METRICS"\ndataset = "`;
			const dataset = read('wrangler.toml').split(table)[1]?.split('"')[0] ?? '';
			const [, first = ''] = GUIDE.split('## 3. ');
			const [section = ''] = first.split('## 4. ');
			expect(section).toContain(`\`${dataset}\``);
			for (const said of [
				'Analytics Engine',
				'10089',
				'ops -- stats --dataset mailsonar_staging',
				'ANALYTICS_TOKEN',
			])
				expect(section).toContain(said);
		},
	);
});

// `wrangler secret put` skips the trial, and without --env it reaches another Worker.
test.each(['docs/deploy.md', 'docs/payments.md', 'docs/runbook.md', 'deploy/prober/README.md'])(
	'%s changes a secret by the deploy alone, in words that it has',
	(page) => {
		expect(read(page).match(/(?<!Don't use `)npx wrangler (?:versions )?secret/g)).toBeNull();
		const verbs = found(read(page), /npm run deploy -- (?:staging|production) ([a-z]+)/g);
		expect(verbs).toContain('secret');
		expect(verbs.filter((verb) => !['check', 'status', 'secret', 'rollback'].includes(verb))).toEqual([]);
	},
);

describe('the workflow', () => {
	test('uses nobody’s action but by its commit', () => {
		const uses = found(WORKFLOW, /uses: (.*)/g);
		expect(uses.length).toBe(2);
		expect(uses.filter((use) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual([]);
	});

	test('may read the repository, and nothing else', () => {
		expect(WORKFLOW.match(/^ *permissions:.*(?:\n {2}.*)*/gm)).toEqual(['permissions:\n  contents: read']);
		expect(WORKFLOW.match(/persist-credentials: false/g)?.length).toBe(
			WORKFLOW.match(/actions\/checkout@/g)?.length,
		);
	});

	test('shows secrets to the one step that deploys, and the guide says what they are', () => {
		const [before = '', after = ''] = WORKFLOW.split('- name: Deploy or roll back');
		expect(before).not.toContain('secrets.');
		const named = found(after, /secrets\.(\w+)/g);
		expect(named).toEqual(['CLOUDFLARE_API_TOKEN', 'SMOKE_KEY']);
		expect(found(after, /vars\.(\w+)/g)).toEqual(['SETTINGS']);
		for (const name of [...named, 'SETTINGS']) expect(GUIDE).toContain(`| \`${name}\` |`);
	});

	test('runs scripts that the package has, and no words of whoever starts it', () => {
		const run = found(WORKFLOW, /npm run ([\w:-]+)/g);
		expect(run).toContain('deploy');
		expect(run.filter((name) => !SCRIPTS.includes(name))).toEqual([]);
		const commands = [...WORKFLOW.matchAll(/run: (?:\|\n((?: {10}.*\n)+)|(.*))/g)].map(([text]) => text);
		expect(commands.filter((text) => text.includes('${{'))).toEqual([]);
	});
});
