import { accountBytesOf, issueApiKey, RANDOM_OCTETS } from '../../core/keys/api-key.ts';
import { DAILY_LIMIT } from '../../core/keys/browser-key.ts';
import type { SigningSecret } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import { SEAL_OCTETS, seal } from '../../lib/seal.ts';
import type { Services } from '../../services.ts';
import { note } from '../people/steps/note.ts';
import type { NoteServices } from '../people/steps/note.ts';
import type { AccountRef, KeyView } from './port.ts';

type BrowserKeyServices = NoteServices &
	Pick<Services, 'accounts' | 'secureRandom' | 'signing' | 'signingSecrets'>;

/** The actor: a person at the dashboard by the device, or a program with a secret key. */
interface By {
	readonly device?: string;
}

interface NewBrowserKey extends By {
	readonly name: string;
	/** As `readOrigin` returns them. */
	readonly origins: readonly string[];
	readonly dailyLimit?: number | undefined;
	/** The owner's Turnstile secret; null or left out: visitors need no token. */
	readonly turnstileSecret?: string | null | undefined;
	/** The origin of its id: the same seed gives the same key. Left out: random. */
	readonly seed?: Uint8Array;
}

/** A key for browsers as its owner sees it. */
export type OwnBrowserKey = KeyView & Required<Pick<KeyView, 'browser'>>;

/** Makes a key for browsers. */
export async function createBrowserKey(
	services: BrowserKeyServices,
	{ accountId }: AccountRef,
	request: NewBrowserKey,
): Promise<OwnBrowserKey> {
	const { signing, secureRandom } = services;
	if (signing === null) throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
	const account = accountBytesOf(accountId);
	if (account === null) throw ofTest();
	const { name, origins, dailyLimit = DAILY_LIMIT.usual, turnstileSecret = null, device } = request;
	const { seed = secureRandom(RANDOM_OCTETS.key + RANDOM_OCTETS.secret) } = request;
	const parts = {
		account,
		key: seed.subarray(0, RANDOM_OCTETS.key),
		secret: seed.subarray(RANDOM_OCTETS.key, RANDOM_OCTETS.key + RANDOM_OCTETS.secret),
	};
	const { apiKey, route } = issueApiKey(signing, parts, 'public');
	const { keyId: id, secretHash, version, ending } = route;
	const turnstile = await sealed(services, version, turnstileSecret);
	const browser = { publicKey: apiKey, origins, dailyLimit, turnstile };
	const key = { id, secretHash, version, ending, label: name, scopes: [], expiresAt: null, browser };
	const made = await services.accounts(accountId).createKey({ key, now: services.clock.now() });
	switch (made.kind) {
		case 'created':
			note(services, accountId, { kind: 'key_created', about: `${name} (${ending})`, ...by(device) });
			return { ...made.key, browser };
		case 'repeated':
			return { ...made.key, browser };
		case 'too_many':
			throw new ServiceError('too_many_keys', `An account has at most ${made.max} keys`);
		case 'ended':
			throw notFound();
		case 'shut':
			throw new ServiceError('account_suspended', 'The account is suspended');
	}
}

/** The account's keys for browsers that are not revoked, the oldest first. */
export async function listBrowserKeys(
	{ accounts }: Pick<BrowserKeyServices, 'accounts'>,
	{ accountId }: AccountRef,
): Promise<readonly OwnBrowserKey[]> {
	const keys = await accounts(accountId).keys();
	return keys.flatMap((key) =>
		key.browser === undefined || key.revoked ? [] : [{ ...key, browser: key.browser }],
	);
}

interface ChangeBrowserKey {
	readonly keyId: string;
	readonly name?: string | undefined;
	readonly origins?: readonly string[] | undefined;
	readonly dailyLimit?: number | undefined;
	/** Null: visitors need no token any more. */
	readonly turnstileSecret?: string | null | undefined;
}

/** Changes a key for browsers, everywhere within a minute. Throws `ServiceError` `public_key_not_found`. */
export async function changeBrowserKey(
	services: BrowserKeyServices,
	account: AccountRef,
	{ keyId, name, origins, dailyLimit, turnstileSecret }: ChangeBrowserKey,
): Promise<OwnBrowserKey> {
	const { version } = await requireBrowserKey(services, account, keyId);
	const browser = {
		...(origins === undefined ? {} : { origins }),
		...(dailyLimit === undefined ? {} : { dailyLimit }),
		...(turnstileSecret === undefined ? {} : { turnstile: await sealed(services, version, turnstileSecret) }),
	};
	const label = name === undefined ? {} : { label: name };
	const key = await services.accounts(account.accountId).changeKey({ keyId, browser, ...label });
	if (key?.browser === undefined) throw notFound();
	return { ...key, browser: key.browser };
}

/** Revokes a key for browsers from its next call on. Throws `ServiceError` `public_key_not_found`. */
export async function revokeBrowserKey(
	services: BrowserKeyServices,
	account: AccountRef,
	{ keyId, device }: By & { readonly keyId: string },
): Promise<void> {
	const { label, ending } = await requireBrowserKey(services, account, keyId);
	await services.accounts(account.accountId).revokeKey({ keyId, now: services.clock.now() });
	const about = `${label} (${ending})`;
	note(services, account.accountId, { kind: 'key_revoked', about, ...by(device) });
}

/** A key for browsers that is not revoked. Throws `ServiceError` `public_key_not_found`. */
export async function requireBrowserKey(
	services: Pick<BrowserKeyServices, 'accounts'>,
	account: AccountRef,
	keyId: string,
): Promise<OwnBrowserKey> {
	const found = (await listBrowserKeys(services, account)).find(({ id }) => id === keyId);
	if (found === undefined) throw notFound();
	return found;
}

/** Sealed by the secret that signed the key: the key ends with it, too. */
async function sealed(
	{ signingSecrets, secureRandom }: BrowserKeyServices,
	version: number,
	text: string | null,
): Promise<string | null> {
	if (text === null) return null;
	const signing = signingSecrets.find((secret: SigningSecret) => secret.version === version);
	if (signing === undefined) throw notFound();
	return seal(signing.secret, text, secureRandom(SEAL_OCTETS));
}

function by(device: string | undefined) {
	return device === undefined ? ({ by: 'api' } as const) : { device };
}

function notFound(): ServiceError {
	return new ServiceError('public_key_not_found', 'There is no such key for browsers in this account');
}

function ofTest(): ServiceError {
	return new ServiceError('key_scope', 'A test key makes no keys for browsers: use a live key');
}
