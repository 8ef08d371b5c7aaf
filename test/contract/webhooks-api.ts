import { inject } from 'vitest';
import type { z } from 'zod';
import { success } from '../../src/http/schemas/envelope.ts';
import { deliveryPage, webhookList, webhookWithSecret } from '../../src/http/schemas/webhook.ts';
import { call } from '../support/service.ts';
import { bodyOf } from './api.ts';
import type { Answer } from './api.ts';
import { eventually } from '../support/patience.ts';

// The endpoints of webhooks as functions.

const createdResponse = success(webhookWithSecret, {});
const listResponse = success(webhookList, {});
const deliveriesResponse = success(deliveryPage, {});

export type Delivery = z.infer<typeof deliveryPage>['deliveries'][number];

/** Any call about webhooks; `path` is what comes after /v1/webhooks. */
export async function webhooks(
	apiKey: string | null,
	method: string,
	path = '',
	body?: unknown,
): Promise<Answer> {
	return call(inject('service').url, apiKey, method, `/v1/webhooks${path}`, body);
}

/** POST /v1/webhooks that must succeed. */
export async function addWebhook(
	apiKey: string,
	url: string,
	events?: readonly string[],
): Promise<z.infer<typeof webhookWithSecret>> {
	return bodyOf(
		await webhooks(apiKey, 'POST', '', { url, ...(events === undefined ? {} : { events }) }),
		createdResponse,
		201,
	).data;
}

/** GET /v1/webhooks that must succeed. */
export async function allWebhooks(apiKey: string): Promise<z.infer<typeof webhookList>> {
	return bodyOf(await webhooks(apiKey, 'GET'), listResponse).data;
}

/** The newest deliveries to a webhook. */
export async function deliveriesOf(apiKey: string, webhookId: string): Promise<readonly Delivery[]> {
	return bodyOf(await webhooks(apiKey, 'GET', `/${webhookId}/deliveries`), deliveriesResponse).data
		.deliveries;
}

/** Waits until something holds. Jobs and first retries take some seconds. */
export async function until<T>(look: () => T | Promise<T>): Promise<T> {
	return eventually(look, 200);
}
