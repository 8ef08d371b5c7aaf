import { RANDOM_OCTETS, abbreviateKey, accountBytesOf, issueApiKey } from '../../core/keys/api-key.ts';
import type { KeyMode } from '../../core/keys/api-key.ts';
import type { SigningSecret } from '../../core/keys/api-key.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { IdentityServices, SignedIn } from '../people/port.ts';
import { note } from '../people/steps/note.ts';
import { openTestAccount } from './steps/open-test-account.ts';
import { throttle } from '../people/steps/throttle.ts';
import type { Throttled } from '../people/steps/throttle.ts';

export interface CreateKeyRequest {
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
	readonly device: string;
}

export type CreateKeyOutcome =
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
	services: IdentityServices & { readonly signing: SigningSecret | null },
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
	if (result.kind === 'created') {
		const { device } = request;
		note(services, accountId, { kind: 'key_created', device, about: nameOf(request.mode, key) });
	}
	if ('key' in result)
		return { kind: 'created', keyId: route.keyId, apiKey, repeated: result.kind === 'repeated' };
	return result;
}

/** A key as the list of activity names it. */
function nameOf(mode: KeyMode, { label, ending }: { label: string; ending: string }): string {
	return `${label} (${abbreviateKey(mode, ending)})`;
}

/** Another one for each mode: the ids of a form's keys must differ. */
function seedOf({ formId, mode }: CreateKeyRequest): string {
	return mode === 'live' ? formId : `test ${formId}`;
}
