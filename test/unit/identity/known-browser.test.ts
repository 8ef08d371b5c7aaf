import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	BROWSER_ID_OCTETS,
	issueBrowserToken,
	readBrowserToken,
} from '../../../src/core/identity/browsers.ts';
import type { SigningSecret } from '../../../src/core/keys/api-key.ts';

const OLD: SigningSecret = { version: 1, secret: new Uint8Array(32).fill(1) };
const NEW: SigningSecret = { version: 2, secret: new Uint8Array(32).fill(2) };
const ids = fc.uint8Array({ minLength: BROWSER_ID_OCTETS, maxLength: BROWSER_ID_OCTETS });

test('a token is known of its person and password, however long ago the secret was replaced by another', () => {
	fc.assert(
		fc.property(fc.string(), fc.string(), ids, (loginName, passwordHash, id) => {
			const token = issueBrowserToken(OLD, { loginName, passwordHash }, id);
			expect(token).toMatch(/^[\w-]+$/);
			const browser = readBrowserToken([NEW, OLD], loginName, token);
			expect(browser?.id).toEqual(id);
			expect(browser?.isOfPassword(passwordHash)).toBe(true);
		}),
	);
});

test('a token is of no use for another name, another password, or once its secret is gone', () => {
	const words = fc.uniqueArray(fc.string(), { minLength: 4, maxLength: 4 });
	fc.assert(
		fc.property(words, ids, ([loginName = '', passwordHash = '', name = '', password = ''], id) => {
			const token = issueBrowserToken(OLD, { loginName, passwordHash }, id);
			expect(readBrowserToken([OLD], name, token)).toBeNull();
			expect(readBrowserToken([OLD], loginName, token)?.isOfPassword(password)).toBe(false);
			expect(readBrowserToken([NEW], loginName, token)).toBeNull();
			expect(readBrowserToken([{ ...NEW, version: 1 }], loginName, token)).toBeNull();
			expect(readBrowserToken([], loginName, token)).toBeNull();
		}),
	);
});

test('no bit of a token can be changed', () => {
	const person = { loginName: 'ada@inbox.test', passwordHash: 'scrypt$…' };
	const token = issueBrowserToken(OLD, person, new Uint8Array(BROWSER_ID_OCTETS).fill(7));
	const bytes = Buffer.from(token, 'base64url');
	for (let bit = 0; bit < bytes.length * 8; bit += 1) {
		const changed = Buffer.from(bytes);
		changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
		const read = readBrowserToken([OLD, NEW], person.loginName, changed.toString('base64url'));
		expect(read?.isOfPassword(person.passwordHash) ?? false, `bit ${bit}`).toBe(false);
	}
});

test('no text makes the reader fail', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(readBrowserToken([OLD, NEW], 'ada@inbox.test', text)).toBeNull();
		}),
	);
});
