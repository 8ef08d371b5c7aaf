import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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
/** Variables in the schema of the prober's configuration. */
const KNOWN: ReadonlySet<string> = new Set(
	[...read('src/prober/config.ts').matchAll(/^\t([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name),
);
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

const file = read(`${FOLDER}/Containerfile`);
const copied = [...file.matchAll(/^COPY ((?:src|tools)\/.+) (?:src|tools)\S*$/gm)].flatMap(([, from = '']) =>
	from.split(' '),
);

test('the container holds enough of the sources for a prober to start, to say that it is well, and to check', async () => {
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
	const run = (listen: string, ...words: readonly string[]) =>
		spawn(process.execPath, ['src/prober/main.ts', ...words], {
			cwd: folder,
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			env: { ...env, PROBER_LISTEN: listen },
		});
	const prober = run('127.0.0.1:0');
	try {
		const [message] = await Promise.race([once(prober, 'message'), once(prober, 'exit')]);
		const { host } = new URL((message as { readonly url: string }).url);
		expect(await once(run(host, 'health'), 'exit')).toEqual([0, null]);
		expect(await once(run('127.0.0.1:1', 'health'), 'exit')).toEqual([1, null]);
		expect(await once(run(host, 'check', '--help'), 'exit')).toEqual([0, null]);
		expect(await once(run(host, 'no-such-word'), 'exit')).toEqual([2, null]);
		const ended = once(prober, 'exit');
		prober.kill('SIGTERM');
		expect(await ended).toEqual([0, null]);
	} finally {
		prober.kill('SIGKILL');
		rmSync(folder, { recursive: true });
	}
});
