import type { AccountPort, AccountRef } from './port.ts';
import { accountBytesOf, issueApiKey, RANDOM_OCTETS, testAccountOf } from '../../core/keys/api-key.ts';
import type { KeyMode } from '../../core/keys/api-key.ts';
import type { KeyView, NewKey } from '../../core/keys/key.ts';
import { SCOPES } from '../../core/keys/scopes.ts';
import { errorOf, ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { PeopleServices, Services } from '../../services.ts';
import type { SignedIn } from '../people/port.ts';
import { throttle } from '../people/steps/throttle.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

/** Credits that buy nothing and are never spent. A client that reads integers of 32 bits can hold them. */
const TEST_CREDITS = 1_000_000;

/**
 * The account beside a live one for its test keys, opened if it is not, with the limits of the live one. Null: that one is
 * suspended, so no key may be made.
 */
export async function openTestAccount(
	services: Pick<Services, 'accounts' | 'clock'>,
	accountId: string,
): Promise<AccountPort | null> {
	const account = services.accounts(testAccountOf(accountId));
	await account.open({ now: services.clock.now(), initialCredits: TEST_CREDITS, key: null });
	const { limits, suspendedAt } = await services.accounts(accountId).show();
	await account.setLimits(limits);
	return suspendedAt === null ? account : null;
}

const KEY_OCTETS = RANDOM_OCTETS.key + RANDOM_OCTETS.secret;

/** A key of a live account, and what is stored of it. `octets`: its id and its secret, else random ones. */
export function issueKey(
	{ signing, secureRandom }: Pick<Services, 'signing' | 'secureRandom'>,
	accountId: string,
	mode: KeyMode,
	more: Pick<NewKey, 'label' | 'scopes' | 'expiresAt'>,
	octets: Uint8Array = secureRandom(KEY_OCTETS),
): { apiKey: string; key: NewKey } {
	if (signing === null) throw errorOf('misconfigured');
	const account = accountBytesOf(accountId);
	assert(account !== null, 'keys are made for accounts that we named');
	const key = octets.subarray(0, RANDOM_OCTETS.key);
	const secret = octets.subarray(RANDOM_OCTETS.key, KEY_OCTETS);
	const { apiKey, route } = issueApiKey(signing, { account, key, secret }, mode);
	const { keyId: id, secretHash, version, ending } = route;
	return { apiKey, key: { id, secretHash, version, ending, ...more } };
}

/**
 * Makes a key for a person who is signed in. Its secret is derived from the session's token and the form's id, so the
 * same form sent twice makes and shows the same key: a second click must not hide a key that is shown only once.
 * Neither of the two is stored.
 */
export async function createKey(
	services: PeopleServices & Pick<Services, 'signing'>,
	{ user: { accountId } }: SignedIn,
	request: Pick<NewKey, 'label' | 'scopes' | 'expiresAt'> & {
		readonly mode: KeyMode;
		readonly formId: string;
		readonly sessionToken: string;
	},
) {
	const { label, scopes, expiresAt, mode, formId, sessionToken } = request;
	const throttled = await throttle(services, 'create_key', { account: accountId });
	if (throttled !== null) return throttled;
	// Another one for each mode: the ids of a form's keys must differ.
	const form = mode === 'live' ? formId : `test ${formId}`;
	const octets = hmacSha256(`api key ${sessionToken}`, form);
	const { apiKey, key } = issueKey(services, accountId, mode, { label, scopes, expiresAt }, octets);
	const account = mode === 'live' ? services.accounts(accountId) : await openTestAccount(services, accountId);
	const made = await account?.createKey({ key, now: services.clock.now() });
	if (made === undefined) return { kind: 'shut' } as const;
	return 'key' in made ? { kind: 'created' as const, keyId: key.id, apiKey } : made;
}

/** Makes a test key for an account. The key itself is returned only now. */
export async function createTestKey(
	services: ManageServices,
	accountId: string,
	label: string,
): Promise<{ keyId: string; apiKey: string }> {
	await requireAccount(services, accountId);
	const more = { label, scopes: SCOPES, expiresAt: null };
	const { apiKey, key } = issueKey(services, accountId, 'test', more);
	await audit(services, 'key.create_test', accountId, { keyId: key.id });
	const account = await openTestAccount(services, accountId);
	const { kind } = (await account?.createKey({ key, now: services.clock.now() })) ?? { kind: 'shut' };
	if (kind === 'created') return { keyId: key.id, apiKey };
	throw new ServiceError('invalid_parameter', `No test key could be made: ${kind.replaceAll('_', ' ')}`);
}

/** A key as its owner sees it. `accountId`: the account that it opens, which is another one for a test key. */
export interface OwnKey extends KeyView, AccountRef {
	readonly mode: KeyMode;
}

/** All keys of an account, live and for tests. Valid ones first; the newest first. */
export async function listKeys(
	services: Pick<Services, 'accounts'>,
	accountId: string,
): Promise<readonly OwnKey[]> {
	const owned = async (of: string, mode: KeyMode): Promise<readonly OwnKey[]> =>
		(await services.accounts(of).keys()).map((key) => ({ ...key, accountId: of, mode }));
	const keys = await Promise.all([owned(accountId, 'live'), owned(testAccountOf(accountId), 'test')]);
	return keys.flat().toSorted((a, b) => Number(a.revoked) - Number(b.revoked) || b.createdAt - a.createdAt);
}

/** Revokes a key, live or for tests, from its next request on. */
export async function revokeKey(services: ManageServices, accountId: string, keyId: string): Promise<void> {
	await requireAccount(services, accountId);
	await audit(services, 'key.revoke', accountId, { keyId });
	const now = services.clock.now();
	for (const id of [accountId, testAccountOf(accountId)])
		if (await services.accounts(id).revokeKey({ keyId, now })) return;
	throw new ServiceError('key_not_found', 'This account has no such key');
}
