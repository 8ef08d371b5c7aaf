import { describeUrlFault, judgeEndpointUrl } from '../../core/webhooks/endpoint-url.ts';
import type { SigningSecret } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import type { TooManyWebhooks, WebhooksView, WebhookView } from './port.ts';
import type { WebhookEventType } from '../../core/webhooks/events.ts';
import { SALT_OCTETS, webhookSecret } from '../../core/webhooks/secret.ts';
import { toBase64Url } from '../../lib/encodings.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Services } from '../../services.ts';

/** The services of all verbs around webhooks. */
export type WebhookServices = Pick<
	Services,
	'clock' | 'accounts' | 'signing' | 'newId' | 'secureRandom' | 'endpointRules'
>;

/** Returns the webhook. Throws `ServiceError` `webhook_not_found` for null. */
export function requireWebhook<T>(found: T | null): T {
	if (found !== null) return found;
	throw new ServiceError('webhook_not_found', 'There is no such webhook in this account');
}

/** Throws `ServiceError` for a URL to which no events may be sent. */
function requireEndpointUrl({ endpointRules }: WebhookServices, text: string): void {
	const judged = judgeEndpointUrl(text, endpointRules);
	if (judged.ok) return;
	throw new ServiceError('invalid_parameter', `Invalid parameter: url ${describeUrlFault(judged.fault)}`, {
		details: { param: 'url' },
	});
}

/** The service's secret that new endpoints' secrets are derived from. */
function requireSigning({ signing }: WebhookServices): SigningSecret {
	if (signing !== null) return signing;
	throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
}

/** The refusal of one more endpoint. */
function tooManyWebhooks({ max, host }: TooManyWebhooks): ServiceError {
	const where = host === null ? '' : ` at ${host}`;
	return new ServiceError('too_many_webhooks', `An account has at most ${max} webhooks${where}`);
}

/** The refusal of sending to a disabled endpoint. */
export function webhookDisabled(): ServiceError {
	return new ServiceError('webhook_disabled', 'This webhook is disabled: enable it first');
}

interface CreateWebhookRequest {
	readonly url: string;
	readonly events: readonly WebhookEventType[];
	/** The origin of its id and secret: the same seed gives the same endpoint. Left out: random. */
	readonly seed?: Uint8Array;
}

/** Random bytes of an endpoint's id. */
const ID_OCTETS = 12;
/** Bytes that a seed has at least. */
const SEED_OCTETS = ID_OCTETS + SALT_OCTETS;

/** Adds an endpoint for events. This answer alone has its secret. */
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

/** The account's endpoints, the oldest first, and the threshold of `credits.low`. */
export async function listWebhooks(services: WebhookServices, account: AccountRef): Promise<WebhooksView> {
	return services.accounts(account.accountId).listWebhooks();
}

/** One endpoint. Throws `ServiceError` `webhook_not_found`. */
export async function showWebhook(
	services: WebhookServices,
	account: AccountRef,
	request: { readonly webhookId: string },
): Promise<WebhookView> {
	const { webhooks } = await services.accounts(account.accountId).listWebhooks();
	return requireWebhook(webhooks.find(({ webhookId }) => webhookId === request.webhookId) ?? null);
}

interface ChangeWebhookRequest {
	readonly webhookId: string;
	/** The new URL; left out: unchanged. */
	readonly url?: string | undefined;
	readonly events?: readonly WebhookEventType[] | undefined;
	readonly enabled?: boolean | undefined;
}

/** Changes an endpoint. Waiting events go to its new URL; disabling it drops them. */
export async function changeWebhook(
	services: WebhookServices,
	account: AccountRef,
	request: ChangeWebhookRequest,
): Promise<WebhookView> {
	if (request.url !== undefined) requireEndpointUrl(services, request.url);
	const now = services.clock.now();
	const changed = requireWebhook(
		await services.accounts(account.accountId).changeWebhook({ ...request, now }),
	);
	if ('kind' in changed) throw tooManyWebhooks(changed);
	return changed;
}

/** Removes an endpoint and its deliveries. An attempt that is under way may still arrive. */
export async function removeWebhook(
	services: WebhookServices,
	account: AccountRef,
	request: { readonly webhookId: string },
): Promise<void> {
	const wasThere = await services.accounts(account.accountId).removeWebhook(request);
	requireWebhook(wasThere ? request : null);
}

interface RotateSecretRequest {
	readonly webhookId: string;
	/** The origin of the new secret: the same seed gives the same secret, and rotates once. Left out: random. */
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

interface SetCreditsLowRequest {
	/** The balance below which the account gets an event; null: never. */
	readonly below: number | null;
	/** Whether the owner gets a mail, too; left out: as before. */
	readonly mails?: boolean;
}

/** Sets the threshold of `credits.low`. */
export async function setCreditsLow(
	services: WebhookServices,
	account: AccountRef,
	request: SetCreditsLowRequest,
): Promise<void> {
	await services.accounts(account.accountId).setCreditsLow(request);
}
