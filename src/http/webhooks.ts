import { READING } from '../core/keys/scopes.ts';
import { WEBHOOK_EVENTS } from '../core/webhooks/events.ts';
import type { AccountRef } from '../operations/accounts/port.ts';
import type { Services } from '../services.ts';
import type { WebhookView } from '../operations/webhooks/port.ts';
import * as webhooks from '../operations/webhooks/webhooks.ts';
import { endpoint, json } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { pageQuery } from './schemas/job.ts';
import { delivery, renderDelivery } from './schemas/delivery.ts';
import * as schemas from './schemas/webhook.ts';

/** /v1/webhooks and what is below. */
export const WEBHOOKS: readonly Endpoint[] = [
	endpoint('GET /v1/webhooks', READING, {
		id: 'listWebhooks',
		says: 'List webhooks',
		more: 'And the threshold of `credits.low`. Secrets are not shown again: rotate one that is lost.',
		gives: json(200, 'The webhooks', schemas.webhookList),
		run: async ({ services, credential }) => ({ data: await listed(services, credential) }),
	}),
	endpoint('POST /v1/webhooks', ['lists'], {
		id: 'createWebhook',
		says: 'Add a webhook',
		more: 'Without `events` the endpoint receives all of them. The secret is shown only in this answer.',
		body: schemas.newWebhook,
		gives: json(201, 'The webhook', schemas.webhookWithSecret),
		refuses: ['too_many_webhooks'],
		run: async ({ services, credential, body: { url, events = WEBHOOK_EVENTS } }) => {
			const created = await webhooks.createWebhook(services, credential, { url, events });
			return { data: withSecret(created) };
		},
	}),
	endpoint('PATCH /v1/webhooks', ['lists'], {
		id: 'changeWebhookSettings',
		says: 'Set the threshold',
		more: 'The event `credits.low` is sent once when the balance falls below, and again after it was reached again.',
		body: schemas.webhookSettings,
		gives: json(200, 'The webhooks', schemas.webhookList),
		run: async ({ services, credential, body }) => {
			await services.accounts(credential.accountId).setCreditsLow({ below: body.creditsLowBelow });
			return { data: await listed(services, credential) };
		},
	}),
	endpoint('GET /v1/webhooks/{webhookId}', READING, {
		id: 'getWebhook',
		says: 'Read a webhook',
		more: 'Whether it is enabled, and since when nothing arrives.',
		gives: json(200, 'The webhook', schemas.webhook),
		run: async ({ services, credential, params }) => ({
			data: schemas.renderWebhook(await webhooks.showWebhook(services, credential, params)),
		}),
	}),
	endpoint('PATCH /v1/webhooks/{webhookId}', ['lists'], {
		id: 'changeWebhook',
		says: 'Change a webhook',
		more: 'Also disables or enables it. What is left out stays. Disabling it ends the deliveries that wait.',
		body: schemas.webhookChange,
		gives: json(200, 'The webhook', schemas.webhook),
		run: async ({ services, credential, params, body }) => ({
			data: schemas.renderWebhook(await webhooks.changeWebhook(services, credential, { ...body, ...params })),
		}),
	}),
	endpoint('DELETE /v1/webhooks/{webhookId}', ['lists'], {
		id: 'deleteWebhook',
		says: 'Remove a webhook',
		more: 'With its deliveries. What waits for it is not sent any more.',
		gives: { status: 204, says: 'It is removed' },
		run: async ({ services, credential, params }) => {
			webhooks.given(await services.accounts(credential.accountId).removeWebhook(params));
			return null;
		},
	}),
	endpoint('POST /v1/webhooks/{webhookId}/rotate-secret', ['lists'], {
		id: 'rotateWebhookSecret',
		says: 'Renew the secret',
		more: 'For 24 hours events carry a signature with each of the two secrets.',
		gives: json(200, 'The webhook', schemas.webhookWithSecret),
		run: async ({ services, credential, params }) => ({
			data: withSecret(await webhooks.rotateSecret(services, credential, params)),
		}),
	}),
	endpoint('POST /v1/webhooks/{webhookId}/test', ['lists'], {
		id: 'testWebhook',
		says: 'Test a webhook',
		more: 'It is sent at once, whatever events the webhook asked for. Its deliveries tell what came of it.',
		gives: json(202, 'Its delivery', delivery),
		refuses: ['webhook_disabled'],
		run: async ({ services, credential, params }) => {
			const request = { ...params, eventId: services.newId('evt'), now: services.clock.now() };
			const sent = await services.accounts(credential.accountId).testWebhook(request);
			return { data: renderDelivery(webhooks.given(sent)) };
		},
	}),
	endpoint('GET /v1/webhooks/{webhookId}/deliveries', READING, {
		id: 'listWebhookDeliveries',
		says: 'List deliveries',
		more: 'What was and will be sent to a webhook, newest first. Those that ended are kept for a limited time.',
		query: pageQuery,
		gives: json(200, 'A page', schemas.deliveryPage),
		run: async ({ services, credential, params, query }) => {
			const listing = await services.accounts(credential.accountId).listDeliveries({ ...query, ...params });
			const { deliveries, pagination } = webhooks.given(listing);
			return { data: { deliveries: deliveries.map(renderDelivery), pagination } };
		},
	}),
	endpoint('POST /v1/webhooks/{webhookId}/deliveries/{eventId}/replay', ['lists'], {
		id: 'replayWebhookDelivery',
		says: 'Repeat a delivery',
		more: 'With the same `webhook-id` and the same body, at once and with all its attempts.',
		gives: json(202, 'Its delivery', delivery),
		refuses: ['delivery_not_found', 'webhook_disabled'],
		run: async ({ services, credential, params }) => {
			const request = { ...params, now: services.clock.now() };
			const replayed = await services.accounts(credential.accountId).replayDelivery(request);
			return { data: renderDelivery(webhooks.given(replayed)) };
		},
	}),
];

async function listed({ accounts }: Pick<Services, 'accounts'>, { accountId }: AccountRef) {
	const { webhooks: all, creditsLowBelow: below } = await accounts(accountId).listWebhooks();
	return { webhooks: all.map(schemas.renderWebhook), creditsLowBelow: below };
}

function withSecret({ webhook: made, secret }: { webhook: WebhookView; secret: string }) {
	return { ...schemas.renderWebhook(made), secret };
}
