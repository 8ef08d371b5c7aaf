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
