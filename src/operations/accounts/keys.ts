import type { AccountPort, Accounts } from './object-port.ts';
import { accountBytesOf, issueApiKey, RANDOM_OCTETS, testAccountOf } from '../../core/keys/api-key.ts';
import type { KeyMode, SigningSecret } from '../../core/keys/api-key.ts';
import type { Clock } from '../../engine/ports.ts';
import type { AccountRef, KeyView } from './port.ts';
import { SCOPES } from '../../core/keys/scopes.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { SignedIn } from '../people/port.ts';
import { throttle } from '../people/steps/throttle.ts';
import type { Throttled } from '../people/steps/throttle.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';
import type { PeopleServices, Services } from '../../services.ts';

/** Credits that buy nothing and are never spent. A client that reads integers of 32 bits can hold them. */
const TEST_CREDITS = 1_000_000;

/**
 * The account beside a live one for its test keys, opened if it is not, with the limits of the live one. Null: that one is
 * suspended, so no key may be made.
 */
export async function openTestAccount(
	services: { readonly accounts: Accounts; readonly clock: Clock },
	{ accountId }: AccountRef,
): Promise<AccountPort | null> {
	const store = services.accounts(testAccountOf(accountId));
	await store.open({ now: services.clock.now(), initialCredits: TEST_CREDITS, key: null });
	const { limits, suspendedAt } = await services.accounts(accountId).show();
	await store.setLimits(limits);
	return suspendedAt === null ? store : null;
}

/** Revokes a key of the account, live or for tests. */
async function revokeAnyKey(
	services: { readonly accounts: Accounts; readonly clock: Clock },
	{ accountId }: AccountRef,
	keyId: string,
): Promise<'revoked' | 'revoked_before' | 'no_such_key'> {
	const now = services.clock.now();
	for (const id of [accountId, testAccountOf(accountId)]) {
		const store = services.accounts(id);
		if (!(await store.revokeKey({ keyId, now }))) continue;
		const keys = await store.keys();
		// The first revocation's time stays.
		return keys.find((key) => key.id === keyId)?.revokedAt === now ? 'revoked' : 'revoked_before';
	}
	return 'no_such_key';
}

interface CreateKeyRequest {
	readonly label: string;
	readonly mode: KeyMode;
	readonly scopes: readonly Scope[];
	/** From when on it is refused, epoch ms; null: never. */
	readonly expiresAt: number | null;
	/** The id of the form. A form that is sent twice makes one key. */
	readonly formId: string;
	/** The token of the session. */
	readonly sessionToken: string;
	readonly client: string;
}

type CreateKeyOutcome =
	/** The key itself, which is not stored. `repeated`: the same form was sent before. */
	| { readonly kind: 'created'; readonly keyId: string; readonly apiKey: string; readonly repeated: boolean }
	/** The form made a key that has since been revoked. */
	| { readonly kind: 'ended' }
	| { readonly kind: 'too_many'; readonly max: number }
	/** The account is suspended. */
	| { readonly kind: 'shut' }
	| Throttled;

const encoder = new TextEncoder();

/**
 * Makes a key for a person who is signed in. Its secret is derived from the session's token and the form's id, so the
 * same form sent twice makes and shows the same key: a second click must not hide a key that is shown only once.
 * Neither of the two is stored.
 */
export async function createKey(
	services: PeopleServices & { readonly signing: SigningSecret | null },
	person: SignedIn,
	request: CreateKeyRequest,
): Promise<CreateKeyOutcome> {
	const { signing } = services;
	if (signing === null) throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
	const { accountId } = person.user;
	const throttled = await throttle(services, 'create_key', { client: request.client, account: accountId });
	if (throttled !== null) return throttled;
	const account = accountBytesOf(accountId);
	assert(account !== null, 'people have accounts that we named');
	const seed = hmacSha256(encoder.encode(`api key ${request.sessionToken}`), encoder.encode(seedOf(request)));
	const parts = {
		account,
		key: seed.subarray(0, RANDOM_OCTETS.key),
		secret: seed.subarray(RANDOM_OCTETS.key, RANDOM_OCTETS.key + RANDOM_OCTETS.secret),
	};
	const { apiKey, route } = issueApiKey(signing, parts, request.mode);
	const { label, scopes, expiresAt } = request;
	const { keyId: id, secretHash, version, ending } = route;
	const key = { id, secretHash, version, ending, label, scopes, expiresAt };
	const store =
		request.mode === 'live' ? services.accounts(accountId) : await openTestAccount(services, { accountId });
	if (store === null) return { kind: 'shut' };
	const result = await store.createKey({ key, now: services.clock.now() });
	if ('key' in result)
		return { kind: 'created', keyId: route.keyId, apiKey, repeated: result.kind === 'repeated' };
	return result;
}

/** Another one for each mode: the ids of a form's keys must differ. */
function seedOf({ formId, mode }: CreateKeyRequest): string {
	return mode === 'live' ? formId : `test ${formId}`;
}

/** Makes a test key for an account. The key itself is returned only now. */
export async function createTestKey(
	services: ManageServices,
	account: AccountRef,
	request: { readonly label: string },
): Promise<{ keyId: string; apiKey: string }> {
	const { signing, secureRandom } = services;
	if (signing === null) throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
	await requireAccount(services, account);
	const { accountId } = account;
	const bytes = accountBytesOf(accountId);
	assert(bytes !== null, 'a listed account has an id of ours');
	const parts = {
		account: bytes,
		key: secureRandom(RANDOM_OCTETS.key),
		secret: secureRandom(RANDOM_OCTETS.secret),
	};
	const { apiKey, route } = issueApiKey(signing, parts, 'test');
	await audit(services, 'key.create_test', accountId, { keyId: route.keyId });
	const store = await openTestAccount(services, account);
	const { keyId: id, secretHash, version, ending } = route;
	const key = { id, secretHash, version, ending, label: request.label, scopes: SCOPES, expiresAt: null };
	const made = (await store?.createKey({ key, now: services.clock.now() })) ?? { kind: 'shut' };
	if (made.kind !== 'created')
		throw new ServiceError(
			'invalid_parameter',
			`No test key could be made: ${made.kind.replaceAll('_', ' ')}`,
		);
	return { keyId: route.keyId, apiKey };
}

/** A key as its owner sees it. `accountId`: the account that it opens, which is another one for a test key. */
export interface OwnKey extends KeyView, AccountRef {
	readonly mode: KeyMode;
}

/** All keys of an account, live and for tests. Valid ones first; the newest first. */
export async function listKeys(
	services: { readonly accounts: Accounts },
	account: AccountRef,
): Promise<readonly OwnKey[]> {
	const owned = async (accountId: string, mode: KeyMode): Promise<readonly OwnKey[]> =>
		(await services.accounts(accountId).keys()).map((key) => ({
			...key,
			accountId,
			mode,
		}));
	const { accountId } = account;
	const keys = await Promise.all([owned(accountId, 'live'), owned(testAccountOf(accountId), 'test')]);
	return keys.flat().toSorted((a, b) => Number(a.revoked) - Number(b.revoked) || b.createdAt - a.createdAt);
}

/** Revokes a key, live or for tests, from its next request on. */
export async function revokeKey(
	services: ManageServices,
	account: AccountRef,
	request: { readonly keyId: string },
): Promise<void> {
	const { accountId } = account;
	const { keyId } = request;
	await requireAccount(services, account);
	await audit(services, 'key.revoke', accountId, { keyId });
	const outcome = await revokeAnyKey(services, account, keyId);
	if (outcome === 'no_such_key') throw new ServiceError('key_not_found', 'This account has no such key');
}

/** Revokes a key for the person who is signed in; its next call is a 401. False: the account has no such key. */
export async function revokeOwnKey(
	services: Pick<Services, 'accounts' | 'clock'>,
	person: SignedIn,
	request: { readonly keyId: string },
): Promise<boolean> {
	return (await revokeAnyKey(services, person.user, request.keyId)) !== 'no_such_key';
}
