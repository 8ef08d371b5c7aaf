import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';

test('an account that was never opened is refused, and nothing is stored for it', async () => {
	const admission = await env.ACCOUNT.getByName('acc_nobody').admit({
		keyId: 'key_1',
		secretHash: 'x',
		category: 'default',
		windowMs: 900_000,
		now: Date.now(),
		reservation: null,
	});
	expect(admission.kind).toBe('unauthenticated');
});
