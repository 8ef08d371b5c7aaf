import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXIT, exitCodeOf, UsageError } from '../../../clients/typescript/src/cli/command.ts';
import { COMMANDS, COMMON, helpOf } from '../../../clients/typescript/src/cli/commands.ts';
import {
	credentialsFile,
	findCredentials,
	storeCredentials,
} from '../../../clients/typescript/src/cli/credentials.ts';
import { duration, json, Progress, visible } from '../../../clients/typescript/src/cli/terminal.ts';
import { MailsonarError } from '../../../clients/typescript/src/index.ts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('what a terminal shows', () => {
	test.each([
		['\u001B[2Jada@x.test', '\\x1b[2Jada@x.test'],
		['a\r\nb', 'a\\x0d\\x0ab'],
		['\u009B31m', '\\x9b31m'],
		['moc.\u202Etset', 'moc.\\u202etset'],
		['zero\u200Bwidth', 'zero\\u200bwidth'],
		['\u{E0041}', '\\u{e0041}'],
		['jörg@bücher.test 日本', 'jörg@bücher.test 日本'],
	])('%j is %j', (text, shown) => expect(visible(text)).toBe(shown));

	test('holds no character that steers it, whatever a server says; JSON neither, and it stays what it was', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
				expect(json({ text })).toMatch(/^[ -~]*$/);
				expect(JSON.parse(json({ text }))).toEqual({ text });
			}),
		);
	});
});

describe('progress', () => {
	/** What is said while a list of a thousand goes on by a hundred in two seconds. */
	function said(columns: number | null): string[] {
		const lines: string[] = [];
		let now = 0;
		const terminal = { columns, note: (text: string) => void lines.push(text) };
		const progress = new Progress(terminal, 1000, () => now);
		for (let done = 0; done <= 1000; done += 100, now += 2000) progress.show(done);
		progress.end();
		return lines;
	}

	test('is a bar with share, rate and time left, drawn over itself', () => {
		const lines = said(80);
		expect(lines[5]).toBe(
			`\r\u001B[K${'█'.repeat(15)}${'░'.repeat(15)}  50 %  500 of 1,000  50/s  10 s left`,
		);
		expect(lines.at(-1)).toBe('\n');
	});

	test('never wraps, however narrow the terminal is', () => {
		for (let columns = 1; columns < 100; columns += 1)
			for (const line of said(columns))
				expect(line.replace('\r\u001B[K', '').length).toBeLessThanOrEqual(Math.max(1, columns - 1));
	});

	test('is a line at each quarter where there is no terminal', () => {
		expect(said(null).map((line) => line.slice(0, 5))).toEqual(['  0 %', ' 30 %', ' 50 %', ' 80 %', '100 %']);
	});

	test.each([
		[0.2, '1 s'],
		[59, '59 s'],
		[61, '1 min'],
		[3_900, '1 h 05 min'],
	])('%d s are %s', (seconds, words) => expect(duration(seconds)).toBe(words));
});

test.each([
	[new UsageError('x'), EXIT.usage],
	[new MailsonarError('x', { code: 'api_key_invalid', status: 401 }), EXIT.key],
	[new MailsonarError('x', { code: 'insufficient_credits', status: 402 }), EXIT.credits],
	[new MailsonarError('x', { code: 'network_error' }), EXIT.unavailable],
	[new MailsonarError('x', { code: 'timeout' }), EXIT.unavailable],
	[new MailsonarError('x', { code: 'rate_limited', status: 429 }), EXIT.unavailable],
	[new MailsonarError('x', { code: 'upstream_unavailable', status: 503 }), EXIT.unavailable],
	[new MailsonarError('x', { code: 'job_not_found', status: 404 }), EXIT.refused],
	[new MailsonarError('x', { code: 'results_expired', status: 410 }), EXIT.refused],
	[new TypeError('x'), EXIT.internal],
])('the exit code of %s is %i', (error, code) => expect(exitCodeOf(error)).toBe(code));

describe('the key', () => {
	const stored = { baseUrl: 'https://api.test/v1', apiKey: 'ms_live_stored' };
	const env = (more: object = {}): Record<string, string> => ({ XDG_CONFIG_HOME: folder, ...more });

	test('is stored for nobody else to read, and found again', () => {
		const file = storeCredentials(env(), stored);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(path.dirname(file)).mode & 0o077).toBe(0);
		expect(findCredentials(env(), undefined)).toEqual(stored);
	});

	test('replaces an older one, whoever could read that', () => {
		const file = storeCredentials(env(), stored);
		chmodSync(file, 0o644);
		storeCredentials(env(), { ...stored, apiKey: 'ms_live_new' });
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(findCredentials(env(), undefined).apiKey).toBe('ms_live_new');
	});

	test.each([0o604, 0o640, 0o644, 0o660])('is refused in a file with the mode %o', (mode) => {
		chmodSync(storeCredentials(env(), stored), mode);
		expect(() => findCredentials(env(), undefined)).toThrow(/Others can read/);
	});

	test('of the environment comes first', () => {
		storeCredentials(env(), stored);
		const given = env({ MAILSONAR_API_KEY: 'ms_live_given', MAILSONAR_BASE_URL: 'https://other.test' });
		expect(findCredentials(given, undefined)).toEqual({
			apiKey: 'ms_live_given',
			baseUrl: 'https://other.test',
		});
	});

	test('that is stored goes to the service that it is for, and to no other', () => {
		storeCredentials(env(), stored);
		expect(findCredentials(env(), 'https://api.test/v1/')).toEqual(stored);
		expect(() => findCredentials(env(), 'https://evil.test/v1')).toThrow(/is for https:\/\/api\.test/);
	});

	test.each([
		['https://api.test/v1', true],
		['http://127.0.0.1:8787', true],
		['http://localhost:8787/v1', true],
		['http://[::1]:8787', true],
		['http://api.test/v1', false],
		['http://127.0.0.1.evil.test', false],
		['file:///etc/passwd', false],
		['api.test', false],
	])('goes to %s: %s', (url, isUsable) => {
		const find = (): unknown => findCredentials(env({ MAILSONAR_API_KEY: 'k' }), url);
		if (isUsable) expect(find()).toMatchObject({ apiKey: 'k' });
		else expect(find).toThrow(UsageError);
	});

	test('is asked for where there is none, or a damaged file', () => {
		expect(() => findCredentials(env(), undefined)).toThrow(/mailsonar login/);
		const file = storeCredentials(env(), stored);
		writeFileSync(file, '{');
		expect(() => findCredentials(env(), undefined)).toThrow(/damaged/);
		expect(credentialsFile(env())).toBe(file);
		expect(readFileSync(file, 'utf8')).toBe('{');
	});
});

test.each(Object.entries(COMMANDS))('the help of %s names its options', (name, command) => {
	for (const option of Object.keys({ ...command.options, ...COMMON }))
		expect(helpOf(name, command)).toContain(`--${option}`);
});
