import { lazySet } from '../../lists/word-set.ts';

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
