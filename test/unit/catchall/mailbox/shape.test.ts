import { expect, test } from 'vitest';
import { foldLatin, isLatin } from '../../../../src/core/catchall/mailbox/fold.ts';
import { nameShape } from '../../../../src/core/catchall/mailbox/shape.ts';
import { findName } from '../../../../src/core/catchall/mailbox/names.ts';
import { dictionaryNames } from '../../../../tools/build-trigrams.ts';

test.each([
	['Łukasz.Żółć', 'lukasz.zolc'],
	["O'Brien", 'obrien'],
	['Þórður_Æsir', 'thordur_aesir'],
	['İSTANBUL.ığdır', 'istanbul.igdir'],
	['Groß-ŒUVRE', 'gross-oeuvre'],
	['Nguyễn', 'nguyen'],
	['ｆｕｌｌ', 'full'],
	['Иван', 'иван'],
])('%s folds to %s', (text, folded) => {
	expect(foldLatin(text)).toBe(folded);
});

test.each([
	['jane.doe7', true],
	['', true],
	['иван', false],
	['janе', false],
])('%s has no letters but a-z: %s', (folded, expected) => {
	expect(isLatin(folded)).toBe(expected);
});

test('the bundled dictionary knows every name of its source up to twelve letters, and which kind it is', () => {
	const { first, last } = dictionaryNames();
	for (const name of new Set([...first, ...last])) {
		const expected = name.length > 12 ? null : { first: first.has(name), last: last.has(name) };
		expect(findName(name), name).toEqual(expected);
	}
});

test.each(['', 'a', 'xkqzv', 'peterx', '__proto__', 'constructor', 'Peter', '8', 'петр'])(
	'%s is no name',
	(word) => {
		expect(findName(word)).toBeNull();
	},
);

test.each([
	['peter.schmidt', 'first.last', 2],
	['schmidt.peter', 'last.first', 2],
	['unheardof.nobodyelse', 'first.last', 0],
	['peter-paul.unheardof', 'first.last', 1],
	['unheardof_nobodyelse', 'first_last', 0],
	['p.unheardof', 'f.last', 0],
	['unheardof.p', 'first.l', 0],
	['pschmidt', 'flast', 1],
	['schmidtp', 'lastf', 1],
	['peterschmidt', 'firstlast', 2],
	['peter', 'first', 1],
	['schmidt', 'last', 1],
	['unheardof', 'other', 0],
	['p.m.schmidt', 'other', 1],
	['p.s', 'other', 0],
	['p_schmidt', 'other', 1],
	['peter-schmidt', 'other', 2],
	['peter..schmidt', 'other', 0],
	['peter/schmidt', 'other', 0],
	['Peter.Schmidt12+x', 'first.last', 2],
	['peter.schmidt-2024', 'first.last', 2],
])('%s is written as %s, with %i known names', (localPart, pattern, knownNames) => {
	expect(nameShape(localPart)).toEqual({ pattern, knownNames });
});
