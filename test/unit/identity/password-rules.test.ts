import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import type { Address } from '../../../src/core/address/parse-address.ts';
import { isCommonPassword } from '../../../src/core/identity/common-passwords.ts';
import {
	describePasswordFault,
	findPasswordFault,
	PASSWORD_MAX,
	PASSWORD_MIN,
} from '../../../src/core/identity/passwords.ts';
import { cpuMsOf } from '../../support/cpu-ms.ts';

function addressOf(text: string): Address {
	const parsed = parseAddress(text);
	if (!parsed.ok) throw new Error(parsed.reason);
	return parsed.address;
}

const ADA = addressOf('ada.lovelace+shop@analytical-engine.example');

// No repetition and no walk among the keys: length alone is judged.
const textOf = (length: number): string =>
	Array.from({ length }, (_, n) => 'kvzpxwmbyt'[(n * n + 3 * n) % 10]).join('');

describe('length', () => {
	test.each([
		[PASSWORD_MIN - 1, 'too_short'],
		[PASSWORD_MIN, null],
		[64, null],
		[128, null],
		[PASSWORD_MAX, null],
		[PASSWORD_MAX + 1, 'too_long'],
	])('%i characters: %s', (length, fault) => {
		expect(findPasswordFault(textOf(length), ADA)).toBe(fault);
	});

	test('counts characters as people do, after composing them', () => {
		// Seven letters, typed with combining marks: fourteen code units.
		expect(findPasswordFault('a\u0308o\u0308u\u0308e\u0301i\u0301k\u0327z\u030C', ADA)).toBe('too_short');
		// Eight emoji are sixteen code units.
		expect(findPasswordFault('🦊🐙🦉🐝🐢🦀🐳', ADA)).toBe('too_short');
		expect(findPasswordFault('🦊🐙🦉🐝🐢🦀🐳🐧', ADA)).toBeNull();
	});

	test('is not bought with wide letters: what is common stays common after NFKC', () => {
		expect(findPasswordFault('ｐａｓｓｗｏｒｄ', ADA)).toBe('common');
	});
});

test.each([
	'password',
	'Password1',
	'P@ssw0rd!',
	'passw0rd123',
	'iloveyou1',
	'letmein!!',
	'trustno1',
	'Welcome2024',
	'Summer2026!',
	'dragon123',
	'football1',
	'monkey12345',
	'sunshine',
	'princess99',
	'michael1',
	'superman12',
	'admin1234',
	'secretpassword',
	'dragondragon',
	'I love you',
	'correct horse battery staple',
	'12345678',
	'123456789',
	'87654321',
	'11111111',
	'aaaaaaaa',
	'abababab',
	'abc123abc123',
	'123123123',
	'qwertyuiop',
	'qwerty123',
	'1234qwer',
	'1q2w3e4r5t',
	'q1w2e3r4',
	'zaq12wsx',
	'asdfghjk',
	'abcdefgh',
	'abcd1234',
	'qwertz123',
	'!@#$%^&*',
	'147258369',
	'19901231',
	'31121990',
	'31.12.1990',
	'2026-11-21',
])('refuses what is tried first: %s', (password) => {
	expect(isCommonPassword(password)).toBe(true);
});

test.each([
	'vellum otter quilt',
	'three kettles humming',
	'correct battery tree',
	'a quiet harbour',
	'mein alter kater frisst',
	'xK9#mQ2$',
	'7Hb!kk29aa',
	'tr0ub4dor&3',
	'fjqpwzmx',
	'пароль-кот-42',
	'猫が三匹います、庭に',
	'blue wolf mountain',
	'thequickbrownfox',
	'Rhinozeros im Regen',
	'dragonfire castle',
	'gfhjkm-lokomotive',
	'40 grams of salt',
])('takes what is not expected, without rules of composition: %s', (password) => {
	expect(findPasswordFault(password, ADA)).toBeNull();
});

test.each([
	['ada.lovelace', 'like_address'],
	['Ada.Lovelace1', 'like_address'],
	['lovelace2026', 'like_address'],
	['lovelacelovelace', 'like_address'],
	['analytical-engine', 'like_address'],
	['Mailsonar1', 'like_product'],
	['mailsonarmailsonar', 'like_product'],
	['mailsonar-otter-kettle', null],
	['lovelace was an otter', null],
	// Three letters of a name stand in too many good passwords.
	['ada in the harbour', null],
])('%s is close to the address or to us: %s', (password, fault) => {
	expect(findPasswordFault(password, ADA)).toBe(fault);
});

test('ten random letters and digits are practically never refused', () => {
	const letters = fc.constantFrom(...Array.from('abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'));
	const passwords = fc.sample(fc.array(letters, { minLength: 10, maxLength: 10 }), {
		numRuns: 2_000,
		seed: 7,
	});
	const refused = passwords.filter((characters) => isCommonPassword(characters.join('')));
	expect(refused.length).toBeLessThan(5);
});

test('judges any text, quickly, and says why in words', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (password) => {
			const fault = findPasswordFault(password, ADA);
			if (fault !== null) expect(describePasswordFault(fault)).toMatch(/\S/);
		}),
	);
	const spent = cpuMsOf(() => {
		for (const text of ['a', '1', 'ab', 'qwe', '🦊', '_']) findPasswordFault(text.repeat(PASSWORD_MAX), ADA);
	});
	expect(spent).toBeLessThan(500);
});
