import { RANDOM_OCTETS, accountBytesOf, issueApiKey } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import type { AccountRef } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';
import { openTestAccount } from './steps/open-test-account.ts';

export interface CreateTestKeyRequest {
	readonly label: string;
}

/** Makes a test key for an account. The key itself is returned only now. */
export async function createTestKey(
	services: ManageServices,
	account: AccountRef,
	request: CreateTestKeyRequest,
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
	const key = { id, secretHash, version, ending, label: request.label };
	const made = (await store?.createKey({ key, now: services.clock.now() })) ?? { kind: 'shut' };
	if (made.kind !== 'created')
		throw new ServiceError(
			'invalid_parameter',
			`No test key could be made: ${made.kind.replaceAll('_', ' ')}`,
		);
	return { keyId: route.keyId, apiKey };
}
