import { SALT_OCTETS, webhookSecret } from '../../core/webhooks/secret.ts';
import { toBase64Url } from '../../lib/base-encodings.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { WebhookView } from './port.ts';
import { requireSigning, requireWebhook } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

export interface RotateSecretRequest {
	readonly webhookId: string;
	/** What the new secret is made from: the same gives the same secret, and rotates once. Left out: random. */
	readonly seed?: Uint8Array;
}

/** Gives an endpoint a new secret, which is returned only now. For a day the former one signs too. */
export async function rotateSecret(
	services: WebhookServices,
	account: AccountRef,
	request: RotateSecretRequest,
): Promise<{ webhook: WebhookView; secret: string }> {
	const { accountId } = account;
	const { webhookId, seed = services.secureRandom(SALT_OCTETS) } = request;
	const signing = requireSigning(services);
	const salt = toBase64Url(seed.subarray(0, SALT_OCTETS));
	const secret = { version: signing.version, salt };
	const now = services.clock.now();
	const found = await services.accounts(accountId).rotateSecret({ webhookId, secret, now });
	return {
		webhook: requireWebhook(found),
		secret: webhookSecret(signing, { accountId, webhookId }, salt),
	};
}
