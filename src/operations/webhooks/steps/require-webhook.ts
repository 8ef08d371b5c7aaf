import type { AccountPort } from '../../accounts/object-port.ts';
import { describeUrlFault, judgeEndpointUrl } from '../../../core/webhooks/endpoint-url.ts';
import type { EndpointRules } from '../../../core/webhooks/endpoint-url.ts';
import type { SigningSecret } from '../../../core/keys/api-key.ts';
import type { Clock } from '../../../engine/ports.ts';
import { ServiceError } from '../../../errors.ts';
import type { TooManyWebhooks } from '../port.ts';

/** The services of all verbs around webhooks. */
export interface WebhookServices {
	readonly clock: Clock;
	readonly accounts: (accountId: string) => AccountPort;
	/** What endpoints' secrets are derived from; null: not configured. */
	readonly signing: SigningSecret | null;
	readonly newId: (prefix: string) => string;
	readonly secureRandom: (octets: number) => Uint8Array;
	readonly endpointRules: EndpointRules;
}

/** What was found. Throws `ServiceError` `webhook_not_found` for null. */
export function requireWebhook<T>(found: T | null): T {
	if (found !== null) return found;
	throw new ServiceError('webhook_not_found', 'There is no such webhook in this account');
}

/** Throws `ServiceError` for a URL to which no events may be sent. */
export function requireEndpointUrl({ endpointRules }: WebhookServices, text: string): void {
	const judged = judgeEndpointUrl(text, endpointRules);
	if (judged.ok) return;
	throw new ServiceError('invalid_parameter', `Invalid parameter: url ${describeUrlFault(judged.fault)}`, {
		details: { param: 'url' },
	});
}

/** The service's secret that new endpoints' secrets are derived from. */
export function requireSigning({ signing }: WebhookServices): SigningSecret {
	if (signing !== null) return signing;
	throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
}

/** The refusal of one more endpoint. */
export function tooManyWebhooks({ max, host }: TooManyWebhooks): ServiceError {
	const where = host === null ? '' : ` at ${host}`;
	return new ServiceError('too_many_webhooks', `An account has at most ${max} webhooks${where}`);
}

/** The refusal of sending to a disabled endpoint. */
export function webhookDisabled(): ServiceError {
	return new ServiceError('webhook_disabled', 'This webhook is disabled: enable it first');
}
