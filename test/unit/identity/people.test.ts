import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { describeDevice } from '../../../src/core/identity/browsers.ts';
import { loginNameOf } from '../../../src/core/identity/login-name.ts';
import {
	digestOfToken,
	isAlive,
	linkEndsAt,
	needsTouch,
	SESSION_ABSOLUTE_MS,
	SESSION_IDLE_MS,
} from '../../../src/core/identity/tokens.ts';
import { throttleKey } from '../../../src/core/identity/throttles.ts';
import { firstDayOf, usageByDay } from '../../../src/core/credits/usage.ts';
import { fromBase64Url, toBase64Url } from '../../../src/lib/encodings.ts';

test.each([
	['Ada@Inbox.test', 'ada@inbox.test'],
	['ADA@INBOX.TEST', 'ada@inbox.test'],
	['ada@bücher.example', 'ada@xn--bcher-kva.example'],
	['Jo\u0308rg@inbox.test', 'j\u00F6rg@inbox.test'],
	['ada+shop@inbox.test', 'ada+shop@inbox.test'],
])('%s is found as %s', (text, expected) => {
	const parsed = parseAddress(text);
	expect(parsed.ok && loginNameOf(parsed.address)).toBe(expected);
});

describe('a session', () => {
	const begin = 1_000_000;
	test.each([
		['in use', 0, 0, true],
		['just before the idle limit', 0, SESSION_IDLE_MS - 1, true],
		['at the idle limit', 0, SESSION_IDLE_MS, false],
		['in use just before the absolute limit', SESSION_ABSOLUTE_MS - 2, SESSION_ABSOLUTE_MS - 1, true],
		['in use at the absolute limit', SESSION_ABSOLUTE_MS - 1, SESSION_ABSOLUTE_MS, false],
	])('%s: seen after %i ms, asked after %i ms, alive %s', (_, seen, now, alive) => {
		expect(isAlive({ createdAt: begin, lastSeenAt: begin + seen }, begin + now)).toBe(alive);
	});

	test('is written down as used once in ten minutes at most', () => {
		const times = { createdAt: begin, lastSeenAt: begin };
		expect(needsTouch(times, begin + 600_000 - 1)).toBe(false);
		expect(needsTouch(times, begin + 600_000)).toBe(true);
	});
});

test('links end after a day and after an hour, and tokens are kept as SHA-256', () => {
	expect(linkEndsAt('confirm_address', 5)).toBe(5 + 86_400_000);
	expect(linkEndsAt('reset_password', 5)).toBe(5 + 3_600_000);
	expect(digestOfToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('attempts are counted separately by action, by party and by side', () => {
	const keys = [
		throttleKey('sign_in', 'client', 'a'),
		throttleKey('sign_in', 'account', 'a'),
		throttleKey('sign_up', 'client', 'a'),
		throttleKey('sign_in', 'client', 'b'),
	];
	expect(new Set(keys).size).toBe(4);
});

test.each([
	['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
		'Chrome on Windows',
	],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
		'Edge on Windows',
	],
	[
		'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
		'Safari on iOS',
	],
	[
		'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
		'Safari on macOS',
	],
	[
		'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
		'Chrome on Android',
	],
	['curl/8.0', 'A browser'],
	['', 'A browser'],
])('a browser is recognised, and nothing else of it is kept: %s', (userAgent, device) => {
	expect(describeDevice(userAgent)).toBe(device);
});

describe('usage by day', () => {
	const NOW = Date.UTC(2026, 10, 21, 23, 59);
	const usage = (credits: number) => ({
		requests: credits + 1,
		credits,
		outcomes: { deliverable: credits, undeliverable: 0, risky: 0, unknown: 1 },
		lastUsedAt: NOW,
	});

	test('has every day once, today last, and adds up keys', () => {
		const entries = [
			{ day: '2026-11-19', usage: usage(1) },
			{ day: '2026-11-21', usage: usage(2) },
			{ day: '2026-11-21', usage: usage(3) },
			{ day: '2026-11-01', usage: usage(9) },
		];
		expect(firstDayOf(3, NOW)).toBe('2026-11-19');
		expect(usageByDay(entries, 3, NOW)).toEqual([
			{
				day: '2026-11-19',
				requests: 2,
				credits: 1,
				outcomes: { deliverable: 1, undeliverable: 0, risky: 0, unknown: 1 },
			},
			{
				day: '2026-11-20',
				requests: 0,
				credits: 0,
				outcomes: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 },
			},
			{
				day: '2026-11-21',
				requests: 7,
				credits: 5,
				outcomes: { deliverable: 5, undeliverable: 0, risky: 0, unknown: 2 },
			},
		]);
	});
});

test.each([
	[[], ''],
	[[0], 'AA'],
	[[255, 255], '__8'],
	[[251, 239, 190], '----'],
])('base64url of %j is %j, and back (RFC 4648 §5)', (bytes, text) => {
	expect(toBase64Url(Uint8Array.from(bytes))).toBe(text);
	expect(fromBase64Url(text)).toEqual(Uint8Array.from(bytes));
});

test.each(['=', 'a', 'a+b/', 'ä', 'AA==', ' '])('%j is no base64url', (text) => {
	expect(fromBase64Url(text)).toBeNull();
});
