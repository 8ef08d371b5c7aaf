import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFreeProvider } from '../../../src/core/lists/domain-kinds.ts';
import { suggestDomain } from '../../../src/core/lists/typos.ts';

const GMAIL = `gmial.com gmal.com gmail.con gmai.com gmaill.com gamil.com gnail.com gmsil.com gmail.co gmail.cm
	gmail.om gmail.comm gmailcom GMIAL.com`;

test.each([
	...words(GMAIL).map((typed) => [typed, 'gmail.com']),
	['hotmial.com', 'hotmail.com'],
	['hotmal.fr', 'hotmail.fr'],
	['hotmail.co', 'hotmail.com'],
	['outlok.com', 'outlook.com'],
	['outloook.com', 'outlook.com'],
	['yaho.com', 'yahoo.com'],
	['yahooo.com', 'yahoo.com'],
	['ayhoo.com', 'yahoo.com'],
	['yaho.co.uk', 'yahoo.co.uk'],
	['iclod.com', 'icloud.com'],
	['protonmial.com', 'protonmail.com'],
	['comcast.ne', 'comcast.net'],
	['live.con', 'live.com'],
	['aol.con', 'aol.com'],
])('%s was probably meant to be %s', (typed, meant) => {
	expect(suggestDomain(typed)).toBe(meant);
});

// Known, or a company of its own; and two slips are too many to guess.
const LEFT_ALONE = `gmail.com ymail.com mail.com email.com gmx.at yahoo.cl hotmail.be duck.com gail.com cloud.com
	hmail.com mailinator.com live.co love.com gmx.co gmail.de gmail.example.com gmil.con gmaaail.com
	x.com com example.com`;

test.each([...words(LEFT_ALONE), ''])('%j is left alone', (typed) => {
	expect(suggestDomain(typed)).toBeNull();
});

test('a suggestion is always a known provider and never the domain itself', () => {
	const letter = fc.constantFrom(...'agmilhotyuckdne.'.split(''));
	fc.assert(
		fc.property(
			fc.string({ unit: letter, maxLength: 8 }),
			fc.constantFrom('.com', '.net', '.con'),
			(name, end) => {
				const suggestion = suggestDomain(name + end);
				if (suggestion === null) return;
				expect(isFreeProvider(suggestion)).toBe(true);
				expect(suggestion).not.toBe(name + end);
				expect(suggestDomain(suggestion)).toBeNull();
			},
		),
	);
});

function words(text: string): string[] {
	return text.split(/\s+/);
}
