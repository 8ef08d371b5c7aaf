import { ServiceError } from '../errors.ts';
import { sha256Hex } from '../lib/digest.ts';
import type { KeyedCall } from '../operations/verify/port.ts';
import type { AppContext } from './context.ts';

// Printable ASCII, 1-255 characters. Surrounding spaces are not part of the value (RFC 9110 §5.5).
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
// No accepted key contains it, so that different keys stay different.
const STORED_SPACE = '\u00a0';

/**
 * The header as it is stored, or null without one. Our own keys (`upload …`) contain a plain space, so a caller's
 * stored key never does.
 */
export function readIdempotencyKey(c: Pick<AppContext, 'req'>): string | null {
	const key = c.req.header('idempotency-key') ?? null;
	if (key !== null && !IDEMPOTENCY_KEY.test(key))
		throw new ServiceError(
			'invalid_idempotency_key',
			'Idempotency-Key must be 1-255 printable ASCII characters',
			{ details: { param: 'Idempotency-Key' } },
		);
	return key?.replaceAll(' ', STORED_SPACE) ?? null;
}

/**
 * The call under the Idempotency-Key of a request that is answered at once; null without a key.
 *
 * @param endpoint keeps its keys apart from all others: a caller's own contain no plain space
 * @param parameters what the same key must ask for again
 */
export function keyedCall(
	c: AppContext,
	endpoint: 'domains' | 'verify',
	parameters: unknown,
): KeyedCall | null {
	const key = readIdempotencyKey(c);
	if (key === null) return null;
	return { key: `${endpoint} ${key}`, fingerprint: sha256Hex(JSON.stringify(parameters)) };
}
