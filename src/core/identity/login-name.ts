import { domainOf } from '../address/parse-address.ts';
import type { Address } from '../address/parse-address.ts';
import { findRegistrable } from '../dns/registrable.ts';
import { isFreeProvider, isPrivacyRelay, privacyRelayOf } from '../lists/domain-kinds.ts';
import { isLargeProvider } from '../lists/typos.ts';
import { publicMailOf } from '../mail-operators/operators.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { TRIALS_OF_A_DOMAIN, TRIALS_OF_A_PROVIDER } from './throttles.ts';
import type { Throttle } from './throttles.ts';

/**
 * The form of an address that identifies a person, without letter case. Strictly, only its own server may fold the
 * local part (RFC 5321 §2.4). But no provider gives `Ada@` and `ada@` to two people, and people forget which one they
 * typed.
 */
export function loginNameOf({ localPart, domain }: Address): string {
	return `${localPart.normalize('NFC').toLowerCase()}@${domain}`;
}

// Providers where one mailbox has several spellings, apart from tags: domains that share mailboxes (the first stands
// for all), and what does not count in the local part.
const PROVIDERS: readonly { readonly domains: readonly string[]; readonly ignored: RegExp }[] = [
	// https://support.google.com/mail/answer/7436150 (in domains of companies, dots do count).
	{ domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
	// https://proton.me/support/change-username
	{ domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
];

// Fastmail takes anything@ada.fastmail.com for ada@fastmail.com. Elsewhere a sub-domain has mailboxes of many:
// https://www.fastmail.help/hc/en-us/articles/360060591053
const SUBDOMAIN_ADDRESSING = /^(?:fastmail|messagingengine)\.[a-z.]+$/;

/**
 * The mailbox behind a login name: without a tag, and in the provider's normal spelling. Only used to recognise
 * people who already had trial credits; they sign in and get mail under the address that they typed.
 */
export function trialMailbox(loginName: string): string {
	const at = loginName.lastIndexOf('@');
	const [localPart, domain] = [loginName.slice(0, at), loginName.slice(at + 1)];
	if (localPart.startsWith('"')) return loginName;
	const owner = findRegistrable(domain)?.domain ?? domain;
	const [label] = domain.split('.').slice(-owner.split('.').length - 1);
	if (domain !== owner && SUBDOMAIN_ADDRESSING.test(owner)) return trialMailbox(`${label}@${owner}`);
	// Yahoo's disposable addresses are a base name, a hyphen and a word; its other names have no hyphen.
	const tag = publicMailOf(domain) === 'yahoo' ? /(?<=.)[+-].*/ : /(?<=.)\+.*/;
	const name = localPart.replace(tag, '');
	const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
	return `${name.replaceAll(provider?.ignored ?? /(?!)/g, '')}@${provider?.domains[0] ?? domain}`;
}

/** Whether mailboxes of the domain belong to customers of its owner. */
export function isMailProvider(domain: string): boolean {
	return isFreeProvider(domain) || isPrivacyRelay(domain);
}

/** The owner of a login name's mailbox: the registrable domain; null: a provider's mailboxes belong to many. */
export function ownerOf(loginName: string, isProvider: (domain: string) => boolean): string | null {
	const domain = domainOf(loginName);
	const owner = findRegistrable(domain)?.domain ?? domain;
	return isProvider(domain) || isProvider(owner) ? null : owner;
}

// Enough to tell the owners of our accounts from each other.
const OWNER_DIGITS = 16;

/** The name by which a prober knows the owner of a login name's accounts; null: nothing tells them from others. */
export function ownerDigest(loginName: string, isProvider: (domain: string) => boolean): string | null {
	const owner = ownerOf(loginName, isProvider);
	return owner === null ? null : sha256Hex(`owner ${owner}`).slice(0, OWNER_DIGITS);
}

/**
 * How trials at a mailbox's domain are counted; null: they are not. Only operators that we know may have any number:
 * a smaller provider's domain lapses one day, and its next owner has all its mailboxes. A relay gives a person addresses
 * without end, so each service has one count for all its domains.
 */
export function trialsAt(
	loginName: string,
	isProvider: (domain: string) => boolean,
): { readonly key: string; readonly throttle: Throttle } | null {
	const domain = domainOf(loginName);
	const relay = privacyRelayOf(domain);
	const owner = relay ?? findRegistrable(domain)?.domain ?? domain;
	const key = sha256Hex(`trials of ${owner}`);
	if (isLargeProvider(domain) || publicMailOf(domain) !== null) return null;
	if (relay !== null || isFreeProvider(domain) || isFreeProvider(owner))
		return { key, throttle: TRIALS_OF_A_PROVIDER };
	return isProvider(domain) ? null : { key, throttle: TRIALS_OF_A_DOMAIN };
}

/** The key under which a mailbox's trial is remembered. */
export function trialKey(loginName: string): string {
	return sha256Hex(`trial ${trialMailbox(loginName)}`);
}
