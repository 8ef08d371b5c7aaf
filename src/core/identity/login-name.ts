import type { Address } from '../address/parse-address.ts';
import { sha256Hex } from '../../lib/digest.ts';

/**
 * The form of an address that identifies a person, without letter case. Strictly, only its own server may fold the
 * local part (RFC 5321 §2.4). But no provider gives `Ada@` and `ada@` to two people, and people forget which one they
 * typed.
 */
export function loginNameOf({ localPart, domain }: Address): string {
	return `${localPart.normalize('NFC').toLowerCase()}@${domain}`;
}

// Providers where one mailbox has several spellings, apart from tags: domains that share mailboxes (the first stands
// for all), and whether dots in the local part count.
const PROVIDERS = [
	// https://support.google.com/mail/answer/7436150 (in domains of companies, dots do count).
	{ domains: ['gmail.com', 'googlemail.com'], hasDots: false },
] as const;

/**
 * The mailbox behind a login name: without a tag, and in the provider's normal spelling. Only used to recognise
 * people who already had trial credits; they sign in and get mail under the address that they typed.
 */
export function trialMailbox(loginName: string): string {
	const untagged = loginName.replace(/^([^+"]+)\+.*@/, '$1@');
	const at = untagged.lastIndexOf('@');
	const [localPart, domain] = [untagged.slice(0, at), untagged.slice(at + 1)];
	const provider = PROVIDERS.find(({ domains }) => domains.some((name) => name === domain));
	if (provider === undefined || localPart.startsWith('"')) return untagged;
	return `${provider.hasDots ? localPart : localPart.replaceAll('.', '')}@${provider.domains[0]}`;
}

/** The key under which a mailbox's trial is remembered. */
export function trialKey(loginName: string): string {
	return sha256Hex(`trial ${trialMailbox(loginName)}`);
}
