// Letters that Unicode does not decompose (NFKD), as people write them where only a-z will do.
const SPELLED: Readonly<Record<string, string>> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	đ: 'd',
	ð: 'd',
	þ: 'th',
	ħ: 'h',
	ı: 'i',
	ł: 'l',
	ŋ: 'n',
	ŧ: 't',
	ə: 'e',
	ɓ: 'b',
	ɗ: 'd',
	ƙ: 'k',
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'gu');
// Part of a name, not a border in it: o'brien, g'iyosov, noʻmonov.
const APOSTROPHES = /['`´‘’ʹʻʼ]/gu;

/** Lower case without diacritics and apostrophes: `Łukasz.O'Brień` is `lukasz.obrien`. Other scripts stay as they are. */
export function foldLatin(text: string): string {
	return text
		.toLowerCase()
		.normalize('NFKD')
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(APOSTROPHES, '')
		.replaceAll(UNDECOMPOSED, (letter) => SPELLED[letter] ?? letter);
}

/** Whether every letter of a folded text is one of a-z. */
export function isLatin(folded: string): boolean {
	return !/[^\P{L}a-z]/u.test(folded);
}
