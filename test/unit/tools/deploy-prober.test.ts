import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readProberConfig } from '../../../src/prober/config.ts';
import * as questions from '../../../src/wire/prober.ts';
import * as states from '../../../src/wire/prober-state.ts';

// What stands in deploy/prober is for machines that no test reaches. So at least its words are those of the program.

const ROOT = path.join(import.meta.dirname, '../../..');
const FOLDER = 'deploy/prober';
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const FILES = readdirSync(path.join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

/** Variables in the schema of the prober's configuration. */
const KNOWN: ReadonlySet<string> = new Set(
	[...read('src/prober/config.ts').matchAll(/^\t([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name),
);
// Not the prober's, and meant so: what Node itself reads, and systemd's words for sockets.
const OTHERS: ReadonlySet<string> = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', 'AF_INET', 'AF_UNIX']);

test('the configuration is read right by this test', () => {
	expect([...KNOWN]).toEqual(expect.arrayContaining(['PROBER_TOKEN', 'SMTP_EGRESS', 'ALLOW_PRIVATE_MX']));
});

test.each(FILES)('%s names only variables that the prober has', (file) => {
	const named = [...read(file).matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name);
	expect(named.filter((name) => !KNOWN.has(name) && !OTHERS.has(name) && name !== 'AF_INET6')).toEqual([]);
});

test.each(FILES)('%s names only files that are there', (file) => {
	const named = [...read(file).matchAll(/(?<![\w./-])(?:src|deploy|docs|tools|test)\/[\w./-]*\w/g)].map(
		([name]) => name,
	);
	expect(named.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});

test('the README names each file beside it, and no other', () => {
	const others = FILES.map((file) => path.basename(file)).filter((name) => name !== 'README.md');
	const told = read(`${FOLDER}/README.md`);
	for (const name of others.filter((one) => !one.endsWith('.dockerignore'))) expect(told).toContain(name);
});

describe('what stands before a prober lets all paths of the Worker through, and no other', () => {
	const own = Object.entries({ ...questions, ...states }).flatMap(([name, value]) =>
		name.endsWith('_PATH') && typeof value === 'string' ? [value] : [],
	);
	const foreign = ['/', '/metrics', '/drain', ...own.flatMap((one) => [`${one}/x`, `/x${one}`])];
	const [, matcher = ''] = /^\t@worker path (.+)$/m.exec(read(`${FOLDER}/Caddyfile`)) ?? [];
	const [, expression = ''] = /^ {4}path: (.+)$/m.exec(read(`${FOLDER}/cloudflared.yml`)) ?? [];

	test.each<[string, (asked: string) => boolean]>([
		// Without an asterisk, Caddy's matcher takes the exact path.
		['Caddyfile', (asked) => matcher.split(' ').includes(asked)],
		['cloudflared.yml', (asked) => new RegExp(expression).test(asked)],
	])('%s', (_, lets) => {
		expect(own).toContain('/asked');
		expect([...own, ...foreign].filter(lets)).toEqual(own);
	});

	test('README.md, which says so', () => {
		const [, section = ''] = read(`${FOLDER}/README.md`).split('## 3. ');
		for (const one of own) expect(section).toContain(`\`${one}\``);
	});
});

test('one prober of several that is away rings, by the job that the README has Prometheus scrape', () => {
	const [, job = ''] =
		/ProberAway\n.*\n +expr: up\{job="([\w-]+)"\} == 0 or /.exec(read(`${FOLDER}/alerts.yml`)) ?? [];
	expect(job).toBe('mailsonar-prober');
	expect(read(`${FOLDER}/README.md`)).toContain(`as the job \`${job}\``);
});

describe('the example of an environment', () => {
	const lines = read(`${FOLDER}/prober.env.example`).split('\n');
	const variables = (text: RegExp): [string, string][] =>
		lines.flatMap((line): [string, string][] => {
			const [, name, value] = text.exec(line) ?? [];
			return name === undefined || value === undefined ? [] : [[name, value]];
		});

	test('is all that a prober needs, but for the token', () => {
		const env = Object.fromEntries(variables(/^([A-Z_]+)=(.*)$/));
		expect(() => readProberConfig(env)).toThrow('PROBER_TOKEN');
		expect(readProberConfig({ ...env, PROBER_TOKEN: 't'.repeat(32) }).SMTP_PORT).toBe(25);
	});

	test('names every variable, and the defaults as they are', () => {
		const needed = Object.fromEntries(variables(/^([A-Z_]+)=(.*)$/));
		const optional = Object.fromEntries(variables(/^#([A-Z_]+)=(.*)$/));
		expect(new Set([...Object.keys(needed), ...Object.keys(optional), 'PROBER_STATE'])).toEqual(KNOWN);
		const given = { ...needed, PROBER_TOKEN: 't'.repeat(32) };
		expect(readProberConfig({ ...given, ...optional })).toEqual(readProberConfig(given));
	});
});

test('every way to start it has the same options of Node', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: { prober: string } };
	const command = scripts.prober.replace(/^node /, '');
	expect(read(`${FOLDER}/mailsonar-prober.service`)).toContain(`ExecStart=/usr/bin/node ${command}\n`);
	const words = ['node', ...command.split(' ')].map((word) => `"${word}"`);
	expect(read(`${FOLDER}/Containerfile`)).toContain(`ENTRYPOINT [${words.join(', ')}]`);
	for (const option of command.split(' ').slice(0, -1))
		expect(read('tools/local-prober.ts')).toContain(`'${option}'`);
});

describe('the unit', () => {
	const unit = read(`${FOLDER}/mailsonar-prober.service`);

	test('starts the file that is the prober, as its user may', () => {
		expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node .*src\/prober\/main\.ts$/m);
		expect(unit).toMatch(/^DynamicUser=yes$/m);
	});

	test('keeps the state where it may write', () => {
		const [, folder = ''] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
		expect(unit).toContain(`PROBER_STATE=/var/lib/${folder}/`);
	});
});

test('the timer starts a check, as the unit of the prober would', () => {
	const check = read(`${FOLDER}/mailsonar-prober-check.service`);
	const prober = read(`${FOLDER}/mailsonar-prober.service`);
	expect(read(`${FOLDER}/mailsonar-prober-check.timer`)).toMatch(/^OnCalendar=daily$/m);
	for (const name of ['WorkingDirectory', 'EnvironmentFile', 'SystemCallFilter']) {
		const [line = 'nowhere'] = new RegExp(`^${name}=.*$`, 'm').exec(prober) ?? [];
		expect(check).toContain(line);
	}
	expect(check).toMatch(/^ExecStart=\/usr\/bin\/node .*src\/prober\/main\.ts check$/m);
	expect(check).not.toMatch(/^(?:StateDirectory|Restart)=/m);
});

describe('the container', () => {
	const file = read(`${FOLDER}/Containerfile`);
	const copied = [...file.matchAll(/^COPY (src\/.+) (src\S*)$/gm)].flatMap(([, from = '']) =>
		from.split(' '),
	);

	test('is not root, and says whether it is well', () => {
		expect(file).toMatch(/^USER node$/m);
		expect(file).toMatch(/^HEALTHCHECK .*"src\/prober\/main\.ts", "health"\]$/m);
	});

	test('needs a Node that the project is tested with', () => {
		const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { node: string } };
		expect(file).toContain(`node:${devDependencies.node.split('.')[0]}-slim`);
	});

	test('holds enough of the sources for a prober to start, and to say that it is well', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-container-'));
		for (const name of copied) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
		symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
		cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
		const env = {
			...process.env,
			PROBER_TOKEN: 't'.repeat(32),
			HELO_NAME: 'probe.us.test',
			MAIL_FROM: 'verify@us.test',
			PROBER_STATE: path.join(folder, 'prober.sqlite'),
		};
		const main = 'src/prober/main.ts';
		const run = (
			words: readonly string[],
			listen: string,
			stdio: 'ignore' | ['ignore', 'ignore', 'ignore', 'ipc'],
		) =>
			spawn(process.execPath, [main, ...words], {
				cwd: folder,
				stdio,
				env: { ...process.env, ...env, PROBER_LISTEN: listen },
			});
		const prober = run([], '127.0.0.1:0', ['ignore', 'ignore', 'ignore', 'ipc']);
		try {
			const [message] = await Promise.race([once(prober, 'message'), once(prober, 'exit')]);
			const { host } = new URL((message as { readonly url: string }).url);
			expect(await once(run(['health'], host, 'ignore'), 'exit')).toEqual([0, null]);
			expect(await once(run(['health'], '127.0.0.1:1', 'ignore'), 'exit')).toEqual([1, null]);
			const ended = once(prober, 'exit');
			prober.kill('SIGTERM');
			expect(await ended).toEqual([0, null]);
		} finally {
			prober.kill('SIGKILL');
			rmSync(folder, { recursive: true });
		}
	});
});
