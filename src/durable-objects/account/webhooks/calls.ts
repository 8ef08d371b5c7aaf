import type { WebhookEventType } from '../../../core/webhooks/events.ts';
import { receiverOf } from '../../../core/webhooks/endpoint-url.ts';
import { rotated } from '../../../core/webhooks/secret.ts';
import type { SecretRef } from '../../../core/webhooks/secret.ts';
import { HOST_WEBHOOKS_MAX, WEBHOOKS_MAX } from '../../../operations/webhooks/port.ts';
import type {
	AddWebhookResult,
	CreditsLowView,
	DeliveryView,
	TooManyWebhooks,
	WebhookView,
	WebhooksView,
} from '../../../operations/webhooks/port.ts';
import type { AccountContext } from '../context.ts';
import { requireState } from '../credits/books.ts';
import { isAccountShut } from '../suspension.ts';
import type { StoredDelivery, StoredWebhook } from './storage.ts';

// The calls of the account that are about webhooks.
export function addWebhook(
	{ sql, credits, webhooks: { storage } }: AccountContext,
	{
		webhookId,
		url,
		events,
		secret,
		now,
	}: {
		webhookId: string;
		url: string;
		events: readonly WebhookEventType[];
		secret: Omit<SecretRef, 'until'>;
		now: number;
	},
): AddWebhookResult {
	requireState(credits);
	if (isAccountShut(sql)) return { kind: 'shut' };
	const existing = storage.findWebhook(webhookId);
	if (existing !== null) return { kind: 'added', webhook: viewOf(existing) };
	if (storage.webhooks().length >= WEBHOOKS_MAX) return { kind: 'too_many', max: WEBHOOKS_MAX, host: null };
	const full = findFullHost(storage.webhooks(), url);
	if (full !== null) return full;
	const secrets = [{ ...secret, until: null }];
	const state = { disabledAt: null, disabledBecause: null, failingSince: null, tellAt: null };
	const webhook = { webhookId, url, events, secrets, createdAt: now, ...state };
	storage.writeWebhook(webhook);
	return { kind: 'added', webhook: viewOf(webhook) };
}

export function listWebhooks({ credits, webhooks: { storage } }: AccountContext): WebhooksView {
	// An account that was never opened, such as that of test keys before the first one.
	if (!credits.exists) return { webhooks: [], creditsLowBelow: null };
	return { webhooks: storage.webhooks().map(viewOf), creditsLowBelow: storage.creditsLow().below };
}

/** Enabling an endpoint forgets its failures. Disabling it ends the deliveries that wait. */
export function changeWebhook(
	account: AccountContext,
	{
		webhookId,
		url,
		events,
		enabled,
		now,
	}: {
		webhookId: string;
		url?: string | undefined;
		events?: readonly WebhookEventType[] | undefined;
		enabled?: boolean | undefined;
		now: number;
	},
): WebhookView | TooManyWebhooks | null {
	const { webhooks } = account;
	const found = find(account, webhookId);
	if (found === null) return null;
	const others = webhooks.storage.webhooks().filter((other) => other.webhookId !== webhookId);
	const full = url === undefined ? null : findFullHost(others, url);
	if (full !== null) return full;
	const changed = { ...found, url: url ?? found.url, events: events ?? found.events };
	const isEnabled = found.disabledAt === null;
	if (enabled === false && isEnabled) return viewOf(webhooks.disable(changed, 'owner', now));
	const fresh = { disabledAt: null, disabledBecause: null, failingSince: null, tellAt: null };
	const next = enabled === true && !isEnabled ? { ...changed, ...fresh } : changed;
	webhooks.storage.writeWebhook(next);
	return viewOf(next);
}

/** The refusal where the host of a URL has as many endpoints as it may have; null: there is room for it. */
function findFullHost(others: readonly StoredWebhook[], url: string): TooManyWebhooks | null {
	const host = receiverOf(url);
	const isFull = others.filter((other) => receiverOf(other.url) === host).length >= HOST_WEBHOOKS_MAX;
	return isFull ? { kind: 'too_many', max: HOST_WEBHOOKS_MAX, host } : null;
}

/** Removes an endpoint with its deliveries. */
export function removeWebhook(account: AccountContext, { webhookId }: { webhookId: string }): boolean {
	if (find(account, webhookId) === null) return false;
	account.webhooks.storage.removeWebhook(webhookId);
	return true;
}

/** A rotation to the current salt changes nothing. */
export function rotateSecret(
	account: AccountContext,
	{
		webhookId,
		secret,
		now,
	}: {
		webhookId: string;
		secret: Omit<SecretRef, 'until'>;
		now: number;
	},
): WebhookView | null {
	const found = find(account, webhookId);
	if (found === null) return null;
	if (found.secrets[0]?.salt === secret.salt) return viewOf(found);
	const next = { ...found, secrets: rotated(found.secrets, secret, now) };
	account.webhooks.storage.writeWebhook(next);
	return viewOf(next);
}

/**
 * Sets the threshold. A balance that is below it already makes a notice at once, unless there was one since it fell.
 */
export function setCreditsLow(
	{ credits, webhooks }: AccountContext,
	request: { below: number | null; mails?: boolean | undefined },
): void {
	requireState(credits);
	const low = webhooks.storage.creditsLow();
	const { below, mails = low.mails } = request;
	// A mail that waits is not sent to an owner who wants none any more.
	const next = { ...low, below, mails, tellAt: mails ? low.tellAt : null };
	const off = { isLow: false, tellAt: null, lowSince: null };
	// After each write the account compares its balance with the threshold.
	webhooks.storage.writeCreditsLow(below === null ? { ...next, ...off } : next);
}

export function creditsLow({ credits, webhooks: { storage } }: AccountContext): CreditsLowView {
	requireState(credits);
	const { below, isLow, mails } = storage.creditsLow();
	return { below, isLow, mails };
}

/** Sends the test event. A repeated one with the same id is sent once. */
export function testWebhook(
	account: AccountContext,
	{ webhookId, eventId, now }: { webhookId: string; eventId: string; now: number },
): DeliveryView | 'disabled' | null {
	const { webhooks } = account;
	const found = find(account, webhookId);
	if (found === null) return null;
	if (found.disabledAt !== null) return 'disabled';
	if (webhooks.storage.findDelivery(webhookId, eventId) === null) webhooks.test(found, eventId, now);
	const delivery = webhooks.storage.findDelivery(webhookId, eventId);
	return delivery === null ? null : viewOfDelivery(delivery);
}

/** A page, newest first, and how many there are. `page` counts from 1. */
export function listDeliveries(
	account: AccountContext,
	{
		webhookId,
		page,
		pageSize,
	}: {
		webhookId: string;
		page: number;
		pageSize: number;
	},
): { deliveries: readonly DeliveryView[]; total: number } | null {
	const { storage } = account.webhooks;
	if (find(account, webhookId) === null) return null;
	const deliveries = storage.listDeliveries(webhookId, pageSize, (page - 1) * pageSize);
	return { deliveries: deliveries.map(viewOfDelivery), total: storage.countDeliveries(webhookId) };
}

/** Sends an event again, at once and with all its attempts. */
export function replayDelivery(
	account: AccountContext,
	{
		webhookId,
		eventId,
		now,
	}: {
		webhookId: string;
		eventId: string;
		now: number;
	},
): DeliveryView | 'disabled' | 'no_delivery' | null {
	const { webhooks } = account;
	const found = find(account, webhookId);
	if (found === null) return null;
	const delivery = webhooks.storage.findDelivery(webhookId, eventId);
	if (delivery === null) return 'no_delivery';
	if (found.disabledAt !== null) return 'disabled';
	webhooks.replay(delivery, now);
	return viewOfDelivery(webhooks.storage.findDelivery(webhookId, eventId) ?? delivery);
}

/** Null also if the account was never opened, as its object has no tables then. */
function find({ credits, webhooks }: AccountContext, webhookId: string): StoredWebhook | null {
	return credits.exists ? webhooks.storage.findWebhook(webhookId) : null;
}

function viewOf(webhook: StoredWebhook): WebhookView {
	const { webhookId, url, events, secrets, createdAt, disabledAt, disabledBecause, failingSince } = webhook;
	const formerSecretUntil = secrets[1]?.until ?? null;
	return { webhookId, url, events, createdAt, disabledAt, disabledBecause, failingSince, formerSecretUntil };
}

function viewOfDelivery(delivery: StoredDelivery): DeliveryView {
	const { eventId, type, status, at, attempts, dueAt, lastAt, lastCode, fault } = delivery;
	return {
		eventId,
		type,
		status,
		at,
		attempts,
		nextAttemptAt: dueAt,
		lastAttemptAt: lastAt,
		lastCode,
		fault,
	};
}
