import { ROLE_NAMES } from './data/role-names.ts';
import { mailboxName } from './mailbox-name.ts';
import { lazySet } from './word-set.ts';

const roleNames = lazySet(ROLE_NAMES);

/** Whether the local part names a function rather than a person (RFC 2142 names the first fifteen). */
export function isRole(localPart: string): boolean {
	return roleNames().has(mailboxName(localPart));
}
