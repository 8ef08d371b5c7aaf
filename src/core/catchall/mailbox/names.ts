import { NAMES } from './data/names.ts';
import { lazySet } from '../../lists/domain-kinds.ts';

/** Whether a word is known as a first name, a last name, or both (Martin, Jordan). */
interface KnownName {
	readonly first: boolean;
	readonly last: boolean;
}

const KINDS: readonly KnownName[] = [
	{ first: true, last: false },
	{ first: false, last: true },
	{ first: true, last: true },
];

// Parsed lazily, by first letter: parsing all at once would add 30 ms to a cold start.
const lines = new Map(
	NAMES.trim()
		.split('\n')
		.map((line) => [line.charAt(1), line]),
);
const dictionary = new Map<string, ReadonlyMap<string, KnownName>>();

/**
 * The dictionary's entry for a folded word, or null. A missing name proves nothing: the dictionary covers some seventy
 * locales, and there are more.
 */
export function findName(word: string): KnownName | null {
	const letter = word.charAt(0);
	let names = dictionary.get(letter);
	if (names === undefined) dictionary.set(letter, (names = readNames(lines.get(letter) ?? '')));
	return names.get(word) ?? null;
}

const SMALL_A = 97;

// tools/build-trigrams.ts writes this format and describes it.
function readNames(line: string): Map<string, KnownName> {
	const names = new Map<string, KnownName>();
	let name = '';
	let at = 0;
	while (at < line.length) {
		const sign = line.charCodeAt(at) - 40;
		const start = at + 1;
		do at += 1;
		while (line.charCodeAt(at) >= SMALL_A);
		name = name.slice(0, sign % 16) + line.slice(start, at);
		const kind = KINDS[sign >> 4];
		if (kind !== undefined) names.set(name, kind);
	}
	return names;
}

// Words that people type to get past a form. Each also matches with a number, and two-word ones with a separator.
// Left out on purpose because real mailboxes have these names: `na`, `no`, `nil`, `bar`, `anon`, `mail`.
const words = lazySet(`
test tests testing tester testtest testuser usertest testemail emailtest testaccount testmail testme mytest
asdf qwer qwert qwerty qwertz azerty zxcv zxcvbn
noemail nomail nomailbox noaddress none null undefined unknown notavailable notprovided notapplicable
nobody noone anonymous
example sample dummy fake fakeemail foo foobar foobarbaz blah blahblah lorem loremipsum placeholder
user username someone somebody name myname yourname firstname lastname firstnamelastname fullname
email youremail myemail emailaddress someemail
abc abcd abcde abcdef abcdefg xyz
`);
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'];
// `asdf` starts a keyboard row. Runs within a row may be names (Wert), so they need more letters.
const ROW_START_LETTERS_MIN = 4;
const ROW_LETTERS_MIN = 5;

/** Whether the folded base of a local part was typed to fill a field: `test`, `no-email`, `xxx`, `asdfgh`. */
export function isPlaceholder(folded: string): boolean {
	const text = folded.replace(/[._-]?(?<!\d)\d+$/, '');
	const joined = text.replaceAll(/[._-]/g, '');
	if (words().has(joined) && (joined === text || joined.length > 4)) return true;
	return /^x{3,}$/.test(text) || /^(\p{L})\1{3,}$/u.test(text) || isKeyboardRun(text);
}

function isKeyboardRun(text: string): boolean {
	const word = /^(asdf|qwer[tu])\1$/.exec(text)?.[1] ?? text;
	return KEYBOARD_ROWS.some((row) => {
		const at = row.indexOf(word);
		return at >= 0 && word.length >= (at === 0 ? ROW_START_LETTERS_MIN : ROW_LETTERS_MIN);
	});
}

// Return paths made for the bounces of one message (BATV prvs=, SRS0=, VERP user=example.com).
const BOUNCE_PATH = /^(?:prvs|btv1|srs[01])=|^bounces?[-+.].*\d|[^=]=[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
const HEX = /(?<![\p{L}\d])[\da-f]{16,}(?![\p{L}\d])/u;

/** Whether a machine generated the local part: a hash, an identifier, the return path of one message. */
export function isMachineMade(localPart: string): boolean {
	const text = localPart.toLowerCase();
	return BOUNCE_PATH.test(text) || UUID.test(text) || HEX.test(text);
}
