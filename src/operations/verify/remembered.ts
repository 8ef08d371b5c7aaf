import { hmacSha256 } from '../../lib/digest.ts';
import { seal, SEAL_OCTETS, unsealWithAny } from '../../lib/seal.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import type { Services } from '../../services.ts';
import type { KeptAnswer } from './port.ts';

// Answers under a key hold addresses, and a database forgets late: deleted rows stay in its unused pages, and in what the
// platform keeps for recovery. So an account keeps them sealed, under a secret of ours and under what was asked, which it
// does not keep. A caller that repeats its call brings that along.

/** Seals an answer. `opener`: the text that opens it again. */
export async function sealAnswer(
	{ signing, secureRandom }: Pick<Services, 'signing' | 'secureRandom'>,
	opener: string,
	answer: object,
): Promise<string> {
	assert(signing !== null, 'the key of the call was signed');
	const secret = keyOf(signing.secret, opener);
	return seal(secret, JSON.stringify(answer), secureRandom(SEAL_OCTETS));
}

/** Opens an answer. The secret that sealed it may have been rotated since. Null: none of ours opens it any more. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what was sealed
export async function openAnswer<T>(
	{ signingSecrets }: Pick<Services, 'signingSecrets'>,
	opener: string,
	{ sealed }: Pick<KeptAnswer, 'sealed'>,
): Promise<T | null> {
	const keys = signingSecrets.map(({ secret }) => keyOf(secret, opener));
	const text = await unsealWithAny(keys, sealed);
	return text === null ? null : (JSON.parse(text) as T);
}

/** Opens the answer to a repeated call. Throws `ServiceError` where all secrets that could open it are gone. */
export async function openRepeated<T>(
	services: Pick<Services, 'signingSecrets'>,
	opener: string,
	kept: Pick<KeptAnswer, 'sealed'>,
): Promise<T> {
	const answer = await openAnswer<T>(services, opener, kept);
	if (answer !== null) return answer;
	throw new ServiceError(
		'upstream_unavailable',
		'The answer under this Idempotency-Key cannot be read any more',
	);
}

function keyOf(secret: Uint8Array, opener: string): Uint8Array {
	return hmacSha256(secret, new TextEncoder().encode(`answer ${opener}`));
}
