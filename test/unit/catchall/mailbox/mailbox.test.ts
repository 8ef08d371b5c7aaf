import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPersonType, mailboxFinding } from '../../../../src/core/catchall/mailbox/mailbox.ts';

const labelOf = (localPart: string): string => mailboxFinding(localPart).label;

describe('a local part is', () => {
	test.each<[string, string]>([
		[
			'shape:first.last',
			'peter.schmidt Peter.Schmidt jean-pierre.dupont peter.schmidt2 jörg.müller joerg.mueller',
		],
		['shape:first.last', 'łukasz.wiśniewski peter.oberhuemer infos.weber peter.schmidt+news "peter.schmidt"'],
		['shape:first_last', 'peter_schmidt'],
		['shape:firstlast', 'peterschmidt'],
		['shape:last.first', 'schmidt.peter'],
		['shape:f.last', 'p.schmidt'],
		['shape:flast', 'pschmidt'],
		['shape:lastf', 'schmidtp'],
		['shape:first.l', 'peter.s'],
		['shape:first', 'peter jo peter123'],
		['shape:last', 'schmidt'],
		['shape:name', 'peter-schmidt peter.m.schmidt p_schmidt'],
		// An unknown name costs nothing, nor does one that may be a machine's and may be a person's.
		['shape:other', 'oberhuemer mlindqvistsson.oberhuemer q.oberhuemer иван.петров 王小明 p.s ~! +peter xx'],
		['shape:other', 'testament n.a'],
		['role', 'info INFO info+shop contact office hello sales support admin webmaster billing'],
		['role:noreply', 'noreply no.reply2'],
		['gibberish:strong', 'xkqzvwpt xkqz7v8w9p1t xkqz.vwpt jane.xkqzvwpt xkqz7vwpt'],
		['gibberish:weak', 'xkqzvw xkqzvwp xkqz7v8w9p1 hrblck'],
		['placeholder', 'test Test123 test+peter1234 no-email none xxx aaaa asdf asdfghjk sdfgh'],
		['hash_like', 'deadbeefdeadbeef u-0f3a9c2d4e5b6071 123E4567-e89b-12d3-a456-426614174000'],
		['hash_like', 'bounce+peter=other.example bounces-123456 prvs=0123456789=peter'],
		['hash_like', 'SRS0=abcd=xy=other.example=peter'],
		['digits:4+', 'peter1234 p1e2t3e4r 123 12-34 7 deadbeef12345678x'],
		['length:1', 'j'],
	])('%s: %s', (label, localParts) => {
		for (const localPart of localParts.split(' ')) expect(labelOf(localPart), localPart).toBe(label);
	});
});

test('letter case and a plus tag change nothing, and no text holds the address', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[a-z0-9._-]{1,40}$/), fc.stringMatching(/^[g-z]{0,6}$/), (text, tag) => {
			const found = mailboxFinding(text);
			expect(mailboxFinding(text.toUpperCase())).toEqual(found);
			fc.pre(!/^bounces?/.test(text));
			expect(mailboxFinding(`${text}+${tag}`)).toEqual(found);
			expect(found.text).toMatch(found.points === 0 ? /^$/ : /^[A-Z][^@]*\.$/);
		}),
	);
});

test.each([
	['oberhuemer', true],
	['иван', true],
	['info', false],
	['test', false],
	['xkqzvwpt', false],
	['1234', false],
])('%s belongs to a person: %s', (text, expected) => {
	expect(isPersonType(text)).toBe(expected);
});
