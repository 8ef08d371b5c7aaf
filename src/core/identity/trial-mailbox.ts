import { sha256Hex } from '../../lib/digest.ts';

// One row per provider that has more spellings of a mailbox than its tags: domains of the same mailboxes, the first of
// which stands for all, and whether dots in the local part count.
const PROVIDERS = [
	// https://support.google.com/mail/answer/7436150 (in domains of companies, dots do count).
	{ domains: ['gmail.com', 'googlemail.com'], hasDots: false },
] as const;

/**
 * The mailbox that a login name leads to, as far as everybody knows it: a tag is none of its own, at any provider. Only
 * for telling who had trial credits; people sign in and get mail under what they typed.
 */
export function trialMailbox(loginName: string): string {
	const untagged = withoutTag(loginName);
	const at = untagged.lastIndexOf('@');
	const [localPart, domain] = [untagged.slice(0, at), untagged.slice(at + 1)];
	const provider = PROVIDERS.find(({ domains }) => domains.some((name) => name === domain));
	if (provider === undefined || localPart.startsWith('"')) return untagged;
	return `${provider.hasDots ? localPart : localPart.replaceAll('.', '')}@${provider.domains[0]}`;
}

/** Under which a mailbox's trial is remembered, and the name that it may have been remembered under before. */
export function trialKeys(loginName: string): { readonly key: string; readonly earlierKey: string | null } {
	const [mailbox, untagged] = [trialMailbox(loginName), withoutTag(loginName)];
	return { key: keyOf(mailbox), earlierKey: mailbox === untagged ? null : keyOf(untagged) };
}

function withoutTag(loginName: string): string {
	return loginName.replace(/^([^+"]+)\+.*@/, '$1@');
}

function keyOf(mailbox: string): string {
	return sha256Hex(`trial ${mailbox}`);
}
