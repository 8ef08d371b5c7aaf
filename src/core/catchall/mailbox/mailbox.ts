import { isNoReply, isRole, mailboxName } from '../../lists/domain-kinds.ts';
import { finding } from '../table.ts';
import type { Finding } from '../table.ts';
import { findGibberish } from './gibberish.ts';
import { foldLatin } from './fold.ts';
import { findName, isMachineMade, isPlaceholder } from './names.ts';
import { nameShape } from './shape.ts';

const DIGITS_MANY = 4;

/**
 * The local part of an address by itself: one finding, so that nothing counts twice. `shape:other` shows that it was
 * looked at.
 * @param domain a mailbox named after it (`hrblck@hrblck.example`) is not gibberish
 */
export function mailboxFinding(localPart: string, domain: string): Finding {
	const base = mailboxName(localPart);
	const folded = foldLatin(base);
	if (isMachineMade(localPart))
		return finding('hash_like', 'The mailbox name looks machine-made: a hash, an id or a return path.');
	if (isPlaceholder(folded))
		return finding('placeholder', 'The mailbox name is what people type to get past a form.');
	if (isNoReply(localPart))
		return finding('role:noreply', 'The mailbox only sends; nobody is meant to write to it.');
	if (isRole(localPart))
		return finding('role', 'The mailbox is named after a function, as many companies do.');
	const gibberish = gibberishOf(folded, domain);
	if (gibberish !== null) {
		const text = 'The letters of the mailbox name follow one another as in no name or word.';
		return finding(`gibberish:${gibberish}`, text);
	}
	if (base.replaceAll(/\D/g, '').length >= DIGITS_MANY || !/\D/u.test(base))
		return finding('digits:4+', 'The mailbox name is a number, or has four digits or more.');
	if (Array.from(base).length === 1) return finding('length:1', 'The mailbox name has a single character.');
	return nameFinding(localPart);
}

function nameFinding(localPart: string): Finding {
	const { pattern, knownNames } = nameShape(localPart);
	if (knownNames === 0)
		return finding('shape:other', 'The mailbox name speaks neither for nor against a person.');
	const label = `shape:${pattern === 'other' ? 'name' : pattern}`;
	return finding('name', 'The mailbox name contains a known name.', label);
}

/** Whether the local part seems to be a person's: no role, no-reply, placeholder, hash or gibberish. */
export function isPersonType(localPart: string, domain: string): boolean {
	const base = mailboxName(localPart);
	const folded = foldLatin(base);
	return (
		/\p{L}/u.test(base) &&
		!isMachineMade(localPart) &&
		!isPlaceholder(folded) &&
		!isNoReply(localPart) &&
		!isRole(localPart) &&
		gibberishOf(folded, domain) === null
	);
}

function gibberishOf(folded: string, domain: string): 'strong' | 'weak' | null {
	const labels = foldLatin(domain).split('.');
	const bearsDomainName = labels.some((label) => plain(label) === plain(folded));
	return bearsDomainName ? null : findGibberish(folded, (word) => findName(word) !== null);
}

function plain(text: string): string {
	return text.replaceAll(/[._-]/g, '');
}
