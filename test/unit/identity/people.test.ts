import { expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { makeCode, readCode, digestOfToken, needsTouch } from '../../../src/core/identity/tokens.ts';
import { describeDevice } from '../../../src/core/identity/device.ts';
import { loginNameOf } from '../../../src/core/identity/login-name.ts';
import { throttleKey } from '../../../src/core/identity/throttles.ts';

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

test('a session is written down as used once an hour at most, and tokens are kept as SHA-256', () => {
	expect(needsTouch({ lastSeenAt: 5 }, 5 + 3_600_000 - 1)).toBe(false);
	expect(needsTouch({ lastSeenAt: 5 }, 5 + 3_600_000)).toBe(true);
	expect(digestOfToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([
	[[0, 0, 0, 0, 0, 0], '000000'],
	[[0, 0, 0, 15, 66, 63], '999999'],
	[[0, 0, 0, 15, 66, 64], '000000'],
	[[255, 255, 255, 255, 255, 255], '710655'],
])('the random bytes %j are the code %s', (bytes, code) => {
	expect(makeCode(Uint8Array.from(bytes))).toBe(code);
});

test.each([
	['012345', '012345'],
	[' 012 345\n', '012345'],
	['012-345', '012345'],
	['12345', null],
	['1234567', null],
	['12345a', null],
	['１２３４５６', null],
	['', null],
])('%j is typed for the code %s', (typed, code) => {
	expect(readCode(typed)).toBe(code);
});

test('attempts are counted separately by action, by party and by side', () => {
	const keys = [
		throttleKey('ask_code', 'client', 'a'),
		throttleKey('ask_code', 'account', 'a'),
		throttleKey('type_code', 'client', 'a'),
		throttleKey('ask_code', 'client', 'b'),
	];
	expect(new Set(keys).size).toBe(4);
});

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0';
test.each([
	['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
	[`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Chrome on Windows'],
	[`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
	[
		`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${APPLE} Mobile/15E148 Safari/604.1`,
		'Safari on iOS',
	],
	[`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Safari/605.1.15`, 'Safari on macOS'],
	[`Mozilla/5.0 (Linux; Android 15) ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
	['curl/8.0', 'A browser'],
	['', 'A browser'],
])('a browser is recognised, and nothing else of it is kept: %s', (userAgent, device) => {
	expect(describeDevice(userAgent)).toBe(device);
});
