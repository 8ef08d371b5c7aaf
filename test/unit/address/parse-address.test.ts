import { describe, expect, test } from 'vitest';
import type { AddressFault } from '../../../src/core/address/parse-address.ts';
import {
	describeFault,
	LOCAL_PART_OCTETS_MAX,
	parseAddress,
} from '../../../src/core/address/parse-address.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';
import { rowsBy } from '../../support/unit/tables.ts';

function refusal(text: string): AddressFault | null {
	const parsed = parseAddress(text);
	return parsed.ok ? null : parsed.reason;
}

describe('accepted', () => {
	test.each([
		['ada@example.com', 'ada@example.com', 'example.com'],
		['  Ada@EXAMPLE.com\r\n', 'Ada@example.com', 'example.com'],
		['\uFEFFada@example.com\u3000', 'ada@example.com', 'example.com'],
		["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com", 'example.com'],
		['a@r3---sn-x.example.com', 'a@r3---sn-x.example.com', 'r3---sn-x.example.com'],
		['a@1.2.example.museum', 'a@1.2.example.museum', '1.2.example.museum'],
		['"a@b\\"c d"@example.com', '"a@b\\"c d"@example.com', 'example.com'],
		['""@example.com', '""@example.com', 'example.com'],
		['info@BÜCHER.example', 'info@bücher.example', 'xn--bcher-kva.example'],
		['info@bu\u0308cher.example', 'info@bücher.example', 'xn--bcher-kva.example'],
		['info@faß.example', 'info@faß.example', 'xn--fa-hia.example'],
		['info@xn--bcher-kva.example', 'info@xn--bcher-kva.example', 'xn--bcher-kva.example'],
		['info@письмо.рф', 'info@письмо.рф', 'xn--h1aigbl0e.xn--p1ai'],
		['info@例え。jp', 'info@例え.jp', 'xn--r8jz45g.jp'],
		['jose\u0301@example.com', 'josé@example.com', 'example.com'],
		['nobody@nowhere.invalid', 'nobody@nowhere.invalid', 'nowhere.invalid'],
	])('%j is %j at %s', (text, email, domain) => {
		const address = addressOf(text);
		expect(address).toMatchObject({ email, domain });
		expect(address.localPart).toBe(email.slice(0, email.lastIndexOf('@')));
	});

	test.each([
		['ada+news@example.com', true, false],
		['"ada+news"@example.com', true, false],
		['+news@example.com', false, false],
		['"+news"@example.com', false, false],
		['ada@a-b.example.com', false, false],
		['δοκιμή@example.com', false, true],
		['"δ"@example.com', false, true],
		['ada@παράδειγμα.com', false, false],
	])('%s has a plus tag: %s, and needs SMTPUTF8: %s', (text, hasPlusTag, needsSmtputf8) => {
		expect(addressOf(text)).toMatchObject({ hasPlusTag, needsSmtputf8 });
	});
});

const REFUSED = rowsBy<AddressFault, string>({
	empty: ['', ' \t\r\n'],
	control_character: ['a@b.com\r\nRCPT TO:<c@d.com>', '"a\tb"@b.com', 'a@b\0.com'],
	hidden_character: [
		'a\u202Eb@b.com',
		'a\u200Bb@b.com',
		'a@b\u00AD.com',
		'"a\u2028b"@b.com',
		'a\uD800@b.com',
		'a\uE000@b.com',
		'a\u3164@b.com',
	],
	no_at_sign: ['example.com', 'a＠example.com'],
	several_at_signs: ['a@b@example.com', '@a.com,@b.com:c@d.com'],
	display_name: ['Ada <ada@example.com>', '"Ada" <ada@example.com>'],
	comment: ['ada(comment)@example.com', 'ada@example.com(comment)'],
	space: ['ada lovelace@example.com', 'ada @example.com'],
	local_part_empty: ['@example.com'],
	local_part_dots: ['ada.@example.com', 'a..b@example.com'],
	local_part_character: ['a,b@example.com', 'a\\b@example.com', '😀@example.com', '\u0301a@example.com'],
	local_part_quotes: ['"a@example.com', '"a"b"@example.com', '"a\\"@example.com', '"a".b@example.com'],
	domain_empty: ['ada@'],
	domain_literal: ['ada@[192.0.2.1]'],
	domain_dots: ['ada@example.com.', 'ada@a..com'],
	domain_character: ['ada@a_b.com', 'ada@a%2eb.com', 'ada@example.com:25'],
	domain_hyphen: ['ada@a-.com'],
	domain_idn: ['ada@xn--0.com', 'ada@ｇｍａｉｌ.com', 'ada@i❤.ws'],
	domain_dotless: ['ada@localhost'],
	domain_tld: ['ada@192.0.2.1', 'ada@0x7f.1', 'ada@example.c', 'ada@example.c0m'],
	domain_not_public: ['ada@printer.local', 'ada@1.168.192.in-addr.arpa'],
});

describe('refused', () => {
	test.each(REFUSED)('%s, with a sentence for a person: %j', (reason, text) => {
		expect(refusal(text)).toBe(reason);
		expect(describeFault(reason, text)).toMatch(/^[A-Z][^\n]{10,90}[^.\n]$/);
	});

	test.each([
		['ada@example,com', 'There is a comma in the domain'],
		['ada@a_b.com', 'There is an underscore in the domain'],
		['ada@a%2eb.com', 'There is “%” in the domain'],
	])('%s: the reason names the character', (text, words) => {
		expect(describeFault('domain_character', text)).toBe(words);
	});
});

describe('both sides of every limit', () => {
	const label = 'a'.repeat(63);
	const domain = `${label}.${label}.${label}`;
	test.each([
		[
			'local part',
			`${'a'.repeat(LOCAL_PART_OCTETS_MAX)}@b.com`,
			`${'a'.repeat(65)}@b.com`,
			'local_part_too_long',
		],
		['local part in UTF-8', `${'é'.repeat(32)}@b.com`, `${'é'.repeat(32)}a@b.com`, 'local_part_too_long'],
		['label', `a@${label}.com`, `a@${label}a.com`, 'domain_label_too_long'],
		['label as A-label', `a@${'é'.repeat(54)}.com`, `a@${'é'.repeat(60)}.com`, 'domain_idn'],
		['address', `a@${domain}.${'b'.repeat(56)}.com`, `a@${domain}.${'b'.repeat(57)}.com`, 'too_long'],
		['domain', `a@${domain}.${'b'.repeat(56)}.com`, `a@${domain}.${'b'.repeat(58)}.com`, 'domain_too_long'],
	])('%s', (_, within, beyond, reason) => {
		expect(refusal(within)).toBeNull();
		expect(refusal(beyond)).toBe(reason);
	});

	test('a megabyte of anything is refused', () => {
		for (const piece of ['a', '@', '.', '"', ' a', '\\"', 'é', '<', '(', 'a@b.', 'xn--a.']) {
			const text = piece.repeat(1_000_000 / piece.length);
			expect(refusal(text)).toBe('too_long');
			expect(refusal(`a@${text}.com`)).toBe('too_long');
		}
		expect(refusal(`${' '.repeat(1_000_000)}a@b.com`)).toBeNull();
	});
});
