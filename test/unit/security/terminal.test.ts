import { createServer } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SessionReport } from '../../../src/core/smtp/session.ts';
import { readSession } from '../../../src/core/verification/interpret-session.ts';
import { stepsOf } from '../../../src/prober/steps.ts';
import { Trail } from '../../../src/core/verification/trail.ts';
import { describeError, log } from '../../../src/lib/log.ts';
import { textTable, visible } from '../../../src/lib/text.ts';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import { runOps } from '../../support/ops.ts';
import { makeReport } from '../../support/unit/session-report.ts';
import { forPeople, jsonLine, linesOf } from '../../../tools/for-people.ts';

// Names of lists, labels of keys, replies of mail servers: strangers chose them, and operators read them.

/** What steers a terminal (C0, DEL, C1), breaks a line, or shows letters in another order. */
const STEERING = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;
const HOSTILE = [
	'\u001B[2J\u001B[H',
	'\u001B]0;owned\u0007',
	'\u009B31m',
	'\u007F\b\r',
	'a\nlevel: forged',
	'\u202Emoc.evil',
	'\u2066x\u2069',
	'zero\u200Bwidth',
	'\u2028',
	'\u{E0041}',
] as const;
const ALL = HOSTILE.join(' ');

test.each(HOSTILE)('%j is spelt out, and JSON with it stays what it was', (text) => {
	expect(visible(text)).not.toMatch(STEERING);
	expect(visible(text)).not.toContain('\n');
	expect(JSON.parse(jsonLine({ text }))).toEqual({ text });
});

test('no text at all steers the reader', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(forPeople({ text, nested: [{ [text]: text }] })).not.toMatch(STEERING);
			expect(JSON.parse(jsonLine({ text }))).toEqual({ text });
		}),
	);
});

test('letters of every script stay as they are', () => {
	expect(visible('jörg@bücher.test 日本 العربية')).toBe('jörg@bücher.test 日本 العربية');
});

test('a table holds a line for each row, whatever its cells hold', () => {
	const lines = textTable([
		['PROBER', 'REPLY'],
		['one', ALL],
	]).split('\n');
	expect(lines).toHaveLength(2);
	expect(lines.join('')).not.toMatch(STEERING);
});

test('the explanation of a verdict shows what a server said, and obeys none of it', () => {
	const reply = { code: 550, enhanced: null, lines: [ALL] };
	const report: SessionReport = {
		...makeReport({}),
		targets: [{ recipient: 'ada@inbox.test', reply }],
		exchanges: [{ at: 1, step: 'banner', recipient: null, code: 550, enhanced: null, text: ALL }],
	};
	const trail = new Trail(() => 0);
	trail.asked({ evidence: stepsOf(0, `mx.${ALL}`, report, readSession(report, null)), recipients: 0 });
	const lines = linesOf(trail.evidence());
	expect(lines.some((line) => line.includes('550 \\u001b[2J'))).toBe(true);
	expect(lines.filter((line) => STEERING.test(line) || line.includes('\n'))).toEqual([]);
});

test('a line of the log is one line, and steers nobody who follows it', () => {
	const written = vi.spyOn(console, 'error').mockImplementation(() => {});
	try {
		log('prober_failed', { why: ALL });
		const [[line]] = written.mock.calls as [[string]];
		expect(line).not.toMatch(STEERING);
		expect(line).not.toContain('\n');
		expect(JSON.parse(line)).toEqual({ event: 'prober_failed', level: 'error', why: ALL });
	} finally {
		written.mockRestore();
	}
});

test('of an error the log holds where it came from, and nothing of what it said', () => {
	const error = new TypeError(`ada@inbox.test\n    at ms_live_secret (${ALL})`);
	const { frames } = describeError(error);
	expect(frames[0]).toContain('terminal.test.ts');
	expect(frames.join('\n')).not.toMatch(/ada@inbox|ms_live/);
	// The stack was taken before the message was changed: which of its lines are frames can't be told.
	error.message = 'grace@inbox.test';
	expect(describeError(error)).toEqual({ error: 'TypeError', frames: [] });
});

describe('`npm run ops`', () => {
	const server = createServer((request, response) => {
		const isRefused = request.url?.includes('refused') === true;
		response.statusCode = isRefused ? 404 : 200;
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify(isRefused ? { error: ALL } : { data: { label: ALL, [ALL]: [{ name: ALL }] } }),
		);
	});
	let listener: Listener;
	beforeAll(async () => {
		listener = await openListener(server);
	});
	afterAll(() => listener.close());

	test.each([
		['for people', ['account', 'show', 'acc_1']],
		['as JSON', ['account', 'show', 'acc_1', '--json']],
		['when it is refused', ['account', 'show', 'refused']],
	])('shows what customers named, %s, and obeys none of it', async (_, words) => {
		const env = { OPERATOR_TOKEN: 'x'.repeat(32) };
		const { stdout, stderr } = await runOps([...words, '--url', `http://127.0.0.1:${listener.port}`], env);
		expect(stdout + stderr).toContain('\\u009b31m');
		expect(stdout + stderr).not.toMatch(STEERING);
	});
});
