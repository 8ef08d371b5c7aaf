import { isNoReply, isRole, mailboxName } from '../../lists/domain-kinds.ts';
import { finding } from '../table.ts';
import type { Finding, FindingName } from '../table.ts';
import { findGibberish, foldLatin } from './letters.ts';
import { isMachineMade, isPlaceholder, nameShape } from './names.ts';

const DIGITS_MANY = 4;

/**
 * The local part of an address by itself: one finding, so that nothing counts twice. `shape:other` shows that it was
 * looked at.
 */
export function mailboxFinding(localPart: string): Finding {
	const kind = kindOf(localPart);
	if (kind !== null) return finding(kind);
	const base = mailboxName(localPart);
	if (base.replaceAll(/\D/g, '').length >= DIGITS_MANY || !/\D/u.test(base)) return finding('digits:4+');
	if (Array.from(base).length === 1) return finding('length:1');
	const { pattern, knownNames } = nameShape(localPart);
	if (knownNames === 0) return finding('shape:other');
	return finding('name', '', `shape:${pattern === 'other' ? 'name' : pattern}`);
}

/** Whether the local part seems to be a person's: no role, no-reply, placeholder, hash or gibberish. */
export function isPersonType(localPart: string): boolean {
	return /\p{L}/u.test(mailboxName(localPart)) && kindOf(localPart) === null;
}

/** Null: nothing of the kind, so it may be a person's. */
function kindOf(localPart: string): FindingName | null {
	const folded = foldLatin(mailboxName(localPart));
	if (isMachineMade(localPart)) return 'hash_like';
	if (isPlaceholder(folded)) return 'placeholder';
	if (isNoReply(localPart)) return 'role:noreply';
	if (isRole(localPart)) return 'role';
	const gibberish = findGibberish(folded, (word) => nameShape(word).knownNames > 0);
	return gibberish === null ? null : `gibberish:${gibberish}`;
}
