import { lazySet } from '../../lists/word-set.ts';

// What people type to get past a form. Each also matches with a number, and two-word ones with a separator.
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
	const text = folded.replace(/[._-]?\d+$/, '');
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
