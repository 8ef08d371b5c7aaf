import { describe, expect, test } from 'vitest';
import {
	digestOfRecoveryCode,
	factorSecret,
	issueHalfToken,
	makeRecoveryCodes,
	readCode,
	readHalfToken,
	RECOVERY_CODES,
} from '../../../src/core/identity/second-factor.ts';
import { totpCode, totpSecretText, totpStepOf, totpUri } from '../../../src/lib/totp.ts';

const OLD = { version: 1, secret: new Uint8Array(32).fill(1) };
const NEW = { version: 2, secret: new Uint8Array(32).fill(2) };
const STEP_MS = 30_000;

describe('a code of an app (RFC 6238)', () => {
	const secret = new TextEncoder().encode('12345678901234567890');

	// Appendix B, the last six of its eight figures.
	test.each([
		[59, '287082'],
		[1_111_111_109, '081804'],
		[1_111_111_111, '050471'],
		[1_234_567_890, '005924'],
		[2_000_000_000, '279037'],
		[20_000_000_000, '353130'],
	])('at %i s is %s', (seconds, code) => {
		expect(totpCode(secret, seconds * 1_000)).toBe(code);
		expect(totpStepOf(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
	});

	test('belongs to its step from one step before to one after, and to none beyond', () => {
		const step = 1_000_000;
		const begin = step * STEP_MS;
		const code = totpCode(secret, begin);
		const seen = [-STEP_MS - 1, -STEP_MS, 0, 2 * STEP_MS - 1, 2 * STEP_MS].map((later) =>
			totpStepOf(secret, code, begin + later),
		);
		expect(seen).toEqual([null, step, step, step, null]);
	});

	test('reaches the app by a URI, and people by its key', () => {
		expect(totpSecretText(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
		const uri = new URL(totpUri(secret, { issuer: 'Mailsonar', label: 'ada@inbox.test' }));
		expect(uri.protocol).toBe('otpauth:');
		expect(Object.fromEntries(uri.searchParams)).toMatchObject({
			issuer: 'Mailsonar',
			secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
			digits: '6',
			period: '30',
		});
	});
});

describe('the secret of a factor', () => {
	const ref = { version: 1, salt: 'salt' };

	test('follows from the person, the salt and the service, and from nothing that is stored', () => {
		const secret = factorSecret([NEW, OLD], 'usr_1', ref);
		expect(secret).toHaveLength(20);
		expect(factorSecret([OLD], 'usr_1', ref)).toEqual(secret);
		const others = [
			factorSecret([OLD], 'usr_2', ref),
			factorSecret([OLD], 'usr_1', { ...ref, salt: 'other' }),
			factorSecret([NEW], 'usr_1', { ...ref, version: 2 }),
		];
		for (const other of others) expect(other).not.toEqual(secret);
	});

	test('is gone with the secret of the service that it was derived from', () => {
		expect(factorSecret([NEW], 'usr_1', ref)).toBeNull();
	});
});

describe('between the password and the code', () => {
	const person = { id: 'usr_1f', passwordHash: 'scrypt$1' };
	const NOW = 1_800_000_000_000;
	const token = issueHalfToken(OLD, person, NOW);
	const WITHIN_MS = 600_000;

	test('a browser has ten minutes, and the person of the password', () => {
		const claimed = readHalfToken([NEW, OLD], token, NOW + WITHIN_MS - 1);
		expect(claimed?.userId).toBe('usr_1f');
		expect(claimed?.isOfPassword('scrypt$1')).toBe(true);
		expect(readHalfToken([OLD], token, NOW + WITHIN_MS)).toBeNull();
	});

	test('a new password ends it', () => {
		expect(readHalfToken([OLD], token, NOW)?.isOfPassword('scrypt$2')).toBe(false);
	});

	test.each([
		['another person', token.replace('usr_1f', 'usr_2f')],
		['a later end', token.replace(String(NOW + WITHIN_MS), String(NOW + 2 * WITHIN_MS))],
		['another proof', `${token.slice(0, -2)}xx`],
	])('%s can not be written into it', (_, forged) => {
		expect(readHalfToken([OLD], forged, NOW)?.isOfPassword('scrypt$1') ?? false).toBe(false);
	});

	test.each(['', 'x', '1.2.usr', token.slice(2)])('%j is none of ours', (text) => {
		expect(readHalfToken([OLD], text, NOW)).toBeNull();
	});

	test('of a secret that was taken off the list is refused', () => {
		expect(readHalfToken([NEW], token, NOW)).toBeNull();
	});
});

describe('recovery codes', () => {
	const codes = makeRecoveryCodes('session', 'form');

	test('are ten different ones, the same for the same form, and others for another', () => {
		expect(new Set(codes).size).toBe(RECOVERY_CODES);
		for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}$/);
		expect(makeRecoveryCodes('session', 'form')).toEqual(codes);
		const others = [...makeRecoveryCodes('session', 'other'), ...makeRecoveryCodes('other', 'form')];
		expect(others.filter((code) => codes.includes(code))).toEqual([]);
	});

	test.each([
		(code: string) => code,
		(code: string) => code.toUpperCase(),
		(code: string) => code.replaceAll('-', ' '),
		(code: string) => code.replaceAll('-', '').replaceAll('0', 'O').replaceAll('1', 'l'),
	])('are read in any spelling (%#)', (spell) => {
		for (const code of codes)
			expect(readCode(spell(code))).toEqual({ kind: 'recovery', digest: digestOfRecoveryCode(code) });
	});

	test.each([
		['123456', { kind: 'app', code: '123456' }],
		[' 123 456 ', { kind: 'app', code: '123456' }],
		['123-456', { kind: 'app', code: '123456' }],
		['12345', null],
		['1234567', null],
		['７23456', null],
		['7k2m-9qxd-w4hn-0rt', null],
		['7k2m-9qxd-w4hn-0rtu', null],
		['', null],
	])('%j is read as %j', (text, read) => {
		expect(readCode(text)).toEqual(read);
	});
});
