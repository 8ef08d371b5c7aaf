import { TRIGRAMS } from './data/trigrams.ts';
import { mailboxName } from '../../lists/domain-kinds.ts';

// How people spell letters that Unicode does not decompose (NFKD) where only a-z is allowed.
const SPELLED = new Map(
	'ß:ss æ:ae œ:oe ø:o đ:d ð:d þ:th ħ:h ı:i ł:l ŋ:n ŧ:t ə:e ɓ:b ɗ:d ƙ:k'
		.split(' ')
		.map((pair) => pair.split(':') as [string, string]),
);
const UNDECOMPOSED = new RegExp(`[${[...SPELLED.keys()].join('')}]`, 'gu');
// Apostrophes are part of a name, not a separator: o'brien, g'iyosov, noʻmonov.
const APOSTROPHES = /['`´‘’ʹʻʼ]/gu;

/** Lower case without diacritics and apostrophes: `Łukasz.O'Brień` is `lukasz.obrien`. Other scripts do not change. */
export function foldLatin(text: string): string {
	return text
		.toLowerCase()
		.normalize('NFKD')
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(APOSTROPHES, '')
		.replaceAll(UNDECOMPOSED, (letter) => SPELLED.get(letter) ?? letter);
}

/** Whether every letter of a folded text is one of a-z. */
export function isLatin(folded: string): boolean {
	return !/[^\P{L}a-z]/u.test(folded);
}

/** The mailbox name for shapes: folded, without plus tag and without a namesake's number (`smith2`). */
export function nameText(localPart: string): string {
	return foldLatin(mailboxName(localPart)).replace(/[._-]?\d{1,4}$/, '');
}

/** As tools/build-trigrams.ts writes them. */
const SHIPPED = TRIGRAMS.trim();

const LETTERS = 27; // The word boundary, then a-z.
const LINE = LETTERS ** 2 + 1; // One figure for each two letters that may follow, and the line break.

// Short rare names (Jha, Cxu) look like noise, so few letters prove nothing; `strong` needs more letters than `weak`.
const WEAK = { lettersMin: 6, meanBelow: -5 } as const;
const STRONG = { lettersMin: 8, meanBelow: -5.5 } as const;

/**
 * Whether the letters of a folded mailbox name follow one another unlike in any name or word. Words made of names are skipped. Scripts other than
 * Latin are never judged.
 *
 * @param trigrams in measurements: those trained on a part of the names
 */
export function findGibberish(
	folded: string,
	isName: (word: string) => boolean,
	trigrams = SHIPPED,
): 'strong' | 'weak' | null {
	if (!isLatin(folded)) return null;
	const words = folded.split(/[^a-z]+/).filter((word) => word !== '' && !isName(word));
	const letters = words.reduce((sum, { length }) => sum + length, 0);
	if (letters < WEAK.lettersMin) return null;
	const mean = words.reduce((sum, word) => sum + wordLikelihood(word, trigrams) * word.length, 0) / letters;
	if (letters >= STRONG.lettersMin && mean < STRONG.meanBelow) return 'strong';
	return mean < WEAK.meanBelow ? 'weak' : null;
}

/**
 * Whether a mailbox's name was typed at random; null: its script is not judged, or the letters are not enough. By the
 * letters alone: the dictionary is twenty times as long, and a start of the API would read it.
 */
export function isGibberish(localPart: string): boolean | null {
	const folded = nameText(localPart);
	if (!isLatin(folded)) return null;
	const found = findGibberish(folded, () => false);
	return found === 'weak' ? null : found === 'strong';
}

/** Mean log2 probability per character of a word, ignoring an initial before or after a name. */
function wordLikelihood(word: string, trigrams: string): number {
	const whole = meanLog2(word, trigrams);
	if (word.length < 5) return whole;
	return Math.max(whole, meanLog2(word.slice(1), trigrams), meanLog2(word.slice(0, -1), trigrams));
}

function meanLog2(word: string, trigrams: string): number {
	let [first, second] = [0, 0];
	let sum = 0;
	for (let at = 0; at <= word.length; at++) {
		const third = at < word.length ? word.charCodeAt(at) - 96 : 0;
		sum += (40 - trigrams.charCodeAt(first * LINE + second * LETTERS + third)) / 4;
		[first, second] = [second, third];
	}
	return sum / (word.length + 1);
}
