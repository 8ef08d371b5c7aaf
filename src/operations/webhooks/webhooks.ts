import { isTestAccount, liveAccountOf } from '../../core/keys/api-key.ts';
import { judgeEndpointUrl, URL_FAULTS } from '../../core/webhooks/endpoint-url.ts';
import type { WebhookEventType } from '../../core/webhooks/events.ts';
import { errorOf, ServiceError } from '../../errors.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import { seal, unsealWithAny } from '../../lib/seal.ts';
import type { Services } from '../../services.ts';
import type { AccountPort, AccountRef } from '../accounts/port.ts';
import type { Callback, WebhookRefusal, WebhookView } from './port.ts';

/** The services of all verbs around webhooks. */
export type WebhookServices = Pick<
	Services,
	'clock' | 'accounts' | 'signing' | 'newId' | 'secureRandom' | 'endpointRules'
>;

/** The account's answer about an endpoint. Throws `ServiceError` for a refusal. */
export function given<T extends object | true>(answer: T | WebhookRefusal): T {
	if (typeof answer === 'string') throw errorOf(answer);
	return answer;
}

/** Throws `ServiceError` for a URL to which no events may be sent. */
function requireEndpointUrl(
	{ endpointRules }: Pick<WebhookServices, 'endpointRules'>,
	text: string,
	param = 'url',
): void {
	const judged = judgeEndpointUrl(text, endpointRules);
	if (judged.ok) return;
	const words = `Invalid parameter: ${param} ${URL_FAULTS[judged.fault]}`;
	throw new ServiceError('invalid_parameter', words, { details: { param } });
}

/** Random bytes of an endpoint's id. */
const ID_OCTETS = 12;
const SEED_OCTETS = 32;

/**
 * A secret by which an endpoint recognises our events: `whsec_` and 32 bytes in base 64 (Standard Webhooks). The account
 * keeps it sealed, so a leaked database signs nothing. The same seed makes the same secret, and the same seal.
 */
async function newSecret({ signing }: Pick<WebhookServices, 'signing'>, seed: Uint8Array) {
	if (signing === null) throw errorOf('misconfigured');
	const secret = `whsec_${hmacSha256(seed, 'webhook secret').toString('base64')}`;
	const iv = hmacSha256(seed, 'webhook seal');
	return { secret, sealed: await seal(signing.secret, secret, iv) };
}

/**
 * Adds an endpoint for events. This answer alone has its secret.
 *
 * @param request `seed`: the origin of its id and secret: the same seed gives the same endpoint. Left out: random.
 */
export async function createWebhook(
	services: WebhookServices,
	{ accountId }: AccountRef,
	request: { readonly url: string; readonly events: readonly WebhookEventType[]; readonly seed?: Uint8Array },
): Promise<{ webhook: WebhookView; secret: string }> {
	const { url, events, seed = services.secureRandom(SEED_OCTETS) } = request;
	requireEndpointUrl(services, url);
	const id = hmacSha256(seed, 'webhook id').toString('hex', 0, ID_OCTETS);
	const webhookId = `whk_${id}`;
	const { secret, sealed } = await newSecret(services, seed);
	const now = services.clock.now();
	const added = await services
		.accounts(accountId)
		.addWebhook({ webhookId, url, events, secret: sealed, now });
	switch (added.kind) {
		case 'added':
			return { webhook: added.webhook, secret };
		case 'too_many':
			throw new ServiceError('too_many_webhooks', `An account has at most ${added.max} webhooks`);
		case 'shut':
			throw new ServiceError('account_suspended', 'The account is suspended');
	}
}

/** One endpoint. Throws `ServiceError` `webhook_not_found`. */
export async function showWebhook(
	services: WebhookServices,
	{ accountId }: AccountRef,
	request: { readonly webhookId: string },
): Promise<WebhookView> {
	const { webhooks } = await services.accounts(accountId).listWebhooks();
	return given(webhooks.find(({ webhookId }) => webhookId === request.webhookId) ?? 'webhook_not_found');
}

/** Changes an endpoint; what is left out stays. Waiting events go to its new URL; disabling it drops them. */
export async function changeWebhook(
	services: WebhookServices,
	{ accountId }: AccountRef,
	request: Omit<Parameters<AccountPort['changeWebhook']>[0], 'now'>,
): Promise<WebhookView> {
	if (request.url !== undefined) requireEndpointUrl(services, request.url);
	const now = services.clock.now();
	return given(await services.accounts(accountId).changeWebhook({ ...request, now }));
}

/**
 * Gives an endpoint a new secret, which is returned only now. For a day the former one signs too.
 *
 * @param request `seed`: the origin of the new secret: the same seed rotates once. Left out: random.
 */
export async function rotateSecret(
	services: WebhookServices,
	{ accountId }: AccountRef,
	request: { readonly webhookId: string; readonly seed?: Uint8Array },
): Promise<{ webhook: WebhookView; secret: string }> {
	const { webhookId, seed = services.secureRandom(SEED_OCTETS) } = request;
	const { secret, sealed } = await newSecret(services, seed);
	const now = services.clock.now();
	const rotated = await services.accounts(accountId).rotateSecret({ webhookId, secret: sealed, now });
	return { webhook: given(rotated), secret };
}

/** The callback of a job, if it shall have one. Throws `ServiceError` for a URL to which nothing may be sent. */
export async function prepareCallback(
	services: WebhookServices,
	{ accountId }: AccountRef,
	url: string | null,
): Promise<Callback | null> {
	if (url === null) return null;
	requireEndpointUrl(services, url, 'callbackUrl');
	const { sealed: secret } = await newSecret(services, services.secureRandom(SEED_OCTETS));
	if (!isTestAccount(accountId)) return { url, secret };
	// The owner sees the secret of the live account alone, so jobs of test keys are signed with it as well.
	const [live, now] = [services.accounts(liveAccountOf(accountId)), services.clock.now()];
	const shown = (await live.callbackSecret()) ?? (await live.renewCallbackSecret({ secret, now }));
	await services.accounts(accountId).renewCallbackSecret({ secret: shown.secret, now });
	return { url, secret: shown.secret };
}

/** The secret that signs the callbacks of jobs; null: there is none yet, or it has to be renewed. */
export async function showCallbackSecret(
	{ accounts, signingSecrets }: Pick<Services, 'accounts' | 'signingSecrets'>,
	{ accountId }: AccountRef,
): Promise<{ readonly secret: string | null; readonly formerSecretUntil: number | null }> {
	const kept = await accounts(accountId).callbackSecret();
	const keys = signingSecrets.map((each) => each.secret);
	const secret = kept === null ? null : await unsealWithAny(keys, kept.secret);
	return { secret, formerSecretUntil: kept?.formerSecretUntil ?? null };
}

/** Gives the callbacks of jobs a new secret. The same seed renews it once. */
export async function renewCallbackSecret(
	services: WebhookServices,
	{ accountId }: AccountRef,
	{ seed }: { readonly seed: Uint8Array },
): Promise<void> {
	const { sealed: secret } = await newSecret(services, seed);
	await services.accounts(accountId).renewCallbackSecret({ secret, now: services.clock.now() });
}
