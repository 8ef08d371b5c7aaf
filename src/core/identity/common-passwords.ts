import { COMMON_PASSWORD_WORDS } from './data/common-password-words.ts';
import { lazySet } from '../lists/domain-kinds.ts';

const words = lazySet(COMMON_PASSWORD_WORDS);

// Characters that people write in place of letters.
const LOOKALIKES: Readonly<Record<string, string>> = {
	'0': 'o',
	'1': 'i',
	'3': 'e',
	'4': 'a',
	'5': 's',
	'7': 't',
	'8': 'b',
	'@': 'a',
	$: 's',
	'!': 'i',
	'+': 't',
};
// The alphabet and runs of keys, in both directions: rows of the common keyboards, columns, the number block.
const WALKS = [
	'abcdefghijklmnopqrstuvwxyz',
	'01234567890',
	'qwertyuiop[]',
	'asdfghjkl;',
	'zxcvbnm,./',
	'qwertzuiopü',
	'azertyuiop',
	'1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
	'qazwsxedcrfvtgbyhnujmikolp',
	'q1w2e3r4t5y6u7i8o9p0',
	'1q2w3e4r5t6y7u8i9o0p',
	'qaywsxedcrfvtgbzhnujm',
	'!@#$%^&*()',
	'!"§$%&/()=',
	'147258369',
	'741852963',
	'159357',
].flatMap((walk) => [walk, Array.from(walk).toReversed().join('')]);
// Shorter runs also occur in good passwords.
const WALK_MIN = 3;
// Additions that people put before and after a word: a year, an exclamation mark.
const BEFORE = /^[^\p{L}]{1,4}/u;
const BEHIND = /[^\p{L}]{1,6}$/u;
const PERIOD_MAX = 4;

/**
 * Whether a password is among the first that an attacker tries. These are well-known words with a year or a mark,
 * lookalike letters, repetitions, runs of keys and dates. Rules and a list of words replace a list of hundreds of
 * thousands of passwords, which would be too large for a Worker.
 */
export function isCommonPassword(password: string): boolean {
	const lower = password.toLowerCase();
	return isRepetition(lower) || isWalk(lower) || isDate(lower) || hasOnlyCommonWords(lower);
}

function isRepetition(text: string): boolean {
	for (let period = 1; period <= PERIOD_MAX; period += 1) {
		const unit = text.slice(0, period);
		if (unit.repeat(Math.ceil(text.length / period)).slice(0, text.length) === text) return true;
	}
	return false;
}

/** Whether the text consists of runs of three keys or more, and at most three other characters. */
function isWalk(text: string): boolean {
	let outside = 0;
	let at = 0;
	while (at < text.length) {
		const step = longestWalk(text, at);
		if (step >= WALK_MIN) at += step;
		else {
			outside += 1;
			at += 1;
		}
	}
	return outside <= 3 && outside < text.length / 2;
}

function longestWalk(text: string, at: number): number {
	let length = 0;
	while (at + length < text.length) {
		const walk = text.slice(at, at + length + 1);
		if (!WALKS.some((keys) => keys.includes(walk))) break;
		length += 1;
	}
	// A repeated key is a run, too.
	const same = /^(.)\1*/su.exec(text.slice(at))?.[0].length ?? 0;
	return Math.max(length, same);
}

/** At most eight digits that include a year, with any separators. */
function isDate(text: string): boolean {
	const digits = text.replaceAll(/[./ -]/g, '');
	return /^\d{8}$/.test(digits) && /^(?:19|20)\d{2}|(?:19|20)\d{2}$/.test(digits);
}

function hasOnlyCommonWords(text: string): boolean {
	const bare = bareOf(text);
	const spellings = [text, bare, plain(text), plain(bare), bareOf(plain(text))];
	return spellings.some((spelling) => spelling !== '' && isMadeOfWords(spelling.replaceAll(/[\s_.-]/g, '')));
}

function bareOf(text: string): string {
	return text.replace(BEFORE, '').replace(BEHIND, '');
}

function plain(text: string): string {
	return Array.from(text, (character) => LOOKALIKES[character] ?? character).join('');
}

/** A word of the list, a word twice, or two short words: `iloveyou`, `dragondragon`, `secretpassword`. */
function isMadeOfWords(text: string): boolean {
	if (words().has(text)) return true;
	for (let cut = 3; cut <= text.length - 3; cut += 1) {
		const [head, tail] = [text.slice(0, cut), text.slice(cut)];
		if (words().has(head) && words().has(tail) && text.length <= 16) return true;
	}
	return false;
}
