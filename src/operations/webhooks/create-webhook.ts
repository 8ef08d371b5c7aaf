import type { WebhookEventType } from '../../core/webhooks/events.ts';
import { SALT_OCTETS, webhookSecret } from '../../core/webhooks/secret.ts';
import { ServiceError } from '../../errors.ts';
import { toBase64Url } from '../../lib/base-encodings.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { WebhookView } from './port.ts';
import { requireEndpointUrl, requireSigning, tooManyWebhooks } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

export interface CreateWebhookRequest {
	readonly url: string;
	readonly events: readonly WebhookEventType[];
	/** What its id and secret are made from: the same gives the same endpoint. Left out: random. */
	readonly seed?: Uint8Array;
}

/** Random bytes of an endpoint's id. */
const ID_OCTETS = 12;
/** Bytes that a seed has at least. */
export const SEED_OCTETS = ID_OCTETS + SALT_OCTETS;

/** Adds an endpoint that is told of events. Its secret is returned only now. */
export async function createWebhook(
	services: WebhookServices,
	account: AccountRef,
	request: CreateWebhookRequest,
): Promise<{ webhook: WebhookView; secret: string }> {
	const { accountId } = account;
	const { url, events, seed = services.secureRandom(SEED_OCTETS) } = request;
	const signing = requireSigning(services);
	requireEndpointUrl(services, url);
	const webhookId = `whk_${hexOf(seed.subarray(0, ID_OCTETS))}`;
	const salt = toBase64Url(seed.subarray(ID_OCTETS, SEED_OCTETS));
	const secret = { version: signing.version, salt };
	const now = services.clock.now();
	const added = await services.accounts(accountId).addWebhook({ webhookId, url, events, secret, now });
	switch (added.kind) {
		case 'added':
			return { webhook: added.webhook, secret: webhookSecret(signing, { accountId, webhookId }, salt) };
		case 'too_many':
			throw tooManyWebhooks(added);
		case 'shut':
			throw new ServiceError('account_suspended', 'The account is suspended');
	}
}

function hexOf(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
