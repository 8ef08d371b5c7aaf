import { FORMER_SECRET_MS } from '../../../core/webhooks/delivery.ts';
import { TEST_EVENT } from '../../../core/webhooks/events.ts';
import type { WebhookEventType } from '../../../core/webhooks/events.ts';
import { paginate } from '../../../core/jobs/pages.ts';
import { WEBHOOKS_MAX } from '../../../operations/webhooks/port.ts';
import type {
	CreditsLowView,
	DeliveryView,
	DisabledBecause,
	SigningSecret,
	WebhookRefusal,
	WebhookView,
} from '../../../operations/webhooks/port.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { isShut } from '../credits/books.ts';
import { assert } from '../../../lib/assert.ts';
import { OWNER } from './outbox.ts';

// Without the secrets.
const SHOWN = `webhookId, url, events, createdAt, disabledAt, disabledBecause, failingSince, formerSecretUntil`;
const UNDISTURBED = { disabledAt: null, disabledBecause: null, failingSince: null } as const;

/** The oldest first. */
export function endpointsOf(sql: Sql): WebhookView[] {
	return sql.all<WebhookView>(`SELECT ${SHOWN} FROM endpoints ORDER BY createdAt, webhookId`);
}

export function findEndpoint(sql: Sql, webhookId: string): WebhookView | null {
	return sql.first<WebhookView>(`SELECT ${SHOWN} FROM endpoints WHERE webhookId = ?`, webhookId);
}

export function changeEndpoint(
	sql: Sql,
	webhookId: string,
	changes: Partial<WebhookView & SigningSecret>,
): void {
	sql.update('endpoints', { webhookId }, changes);
}

function requireEndpoint(sql: Sql, webhookId: string): WebhookView {
	const found = findEndpoint(sql, webhookId);
	assert(found !== null, 'the endpoint was found before');
	return found;
}

/** The sealed secrets that sign now, the current one first. */
export function secretsOf(sql: Sql, webhookId: string, now: number): readonly string[] {
	const query = 'SELECT secret, formerSecret, formerSecretUntil FROM endpoints WHERE webhookId = ?';
	const found = sql.first<SigningSecret>(query, webhookId);
	return found === null ? [] : signing(found, now);
}

/** The secrets that sign at a time, the current one first. */
export function signing(
	{ secret, formerSecret, formerSecretUntil }: SigningSecret,
	now: number,
): readonly string[] {
	return formerSecret !== null && (formerSecretUntil ?? 0) > now ? [secret, formerSecret] : [secret];
}

/** A new secret beside the former one; null: it is the first. */
export function renewed(formerSecret: string | null, secret: string, now: number): SigningSecret {
	return {
		secret,
		formerSecret,
		formerSecretUntil: formerSecret === null ? null : now + FORMER_SECRET_MS,
	};
}

/** Disables an endpoint and drops its waiting events. The owner gets a mail, unless it was the owner's doing. */
export function disable(
	{ sql, outbox }: Pick<AccountContext, 'sql' | 'outbox'>,
	{ webhookId }: Pick<WebhookView, 'webhookId'>,
	because: DisabledBecause,
	now: number,
): void {
	outbox.endWaiting(webhookId, 'disabled');
	changeEndpoint(sql, webhookId, { disabledAt: now, disabledBecause: because });
	if (because !== 'owner')
		outbox.add({ target: OWNER, id: webhookId, kind: 'mail.disabled', at: now, body: '' });
}

// The calls of the account about its endpoints. A word instead of an answer is a refusal.

/** `added`: also where it was before. `secret`: sealed. */
export function addWebhook(
	{ sql, credits }: AccountContext,
	{ now, ...endpoint }: Pick<WebhookView, 'webhookId' | 'url' | 'events'> & { secret: string; now: number },
) {
	if (isShut(credits.require())) return { kind: 'shut' } as const;
	const { webhookId } = endpoint;
	const existing = findEndpoint(sql, webhookId);
	if (existing === null && endpointsOf(sql).length >= WEBHOOKS_MAX)
		return { kind: 'too_many', max: WEBHOOKS_MAX } as const;
	if (existing === null) sql.insert('endpoints', { ...endpoint, createdAt: now });
	return { kind: 'added', webhook: existing ?? requireEndpoint(sql, webhookId) } as const;
}

/** `creditsLowBelow`: the balance below which the account gets an event; null: never. */
export function listWebhooks({ sql, credits }: AccountContext) {
	// The account of test keys is opened with the first one.
	return { webhooks: endpointsOf(sql), creditsLowBelow: credits.read()?.creditsLow.below ?? null };
}

/** Changes what is given. Enabling an endpoint forgets its failures. Disabling it ends the deliveries that wait. */
export function changeWebhook(
	account: AccountContext,
	request: {
		webhookId: string;
		url?: string | undefined;
		events?: readonly WebhookEventType[] | undefined;
		enabled?: boolean | undefined;
		now: number;
	},
): WebhookView | WebhookRefusal {
	const { webhookId, enabled, now } = request;
	const { sql, outbox } = account;
	const found = findEndpoint(account.sql, webhookId);
	if (found === null) return 'webhook_not_found';
	const { url = found.url, events = found.events } = request;
	const isEnabled = found.disabledAt === null;
	changeEndpoint(sql, webhookId, { url, events, ...(enabled === true && !isEnabled ? UNDISTURBED : {}) });
	if (enabled === true) outbox.drop(OWNER, webhookId);
	if (enabled === false && isEnabled) disable(account, found, 'owner', now);
	return requireEndpoint(sql, webhookId);
}

/** Removes an endpoint with its deliveries. */
export function removeWebhook(
	account: AccountContext,
	{ webhookId }: { webhookId: string },
): true | WebhookRefusal {
	if (findEndpoint(account.sql, webhookId) === null) return 'webhook_not_found';
	const { sql, outbox } = account;
	outbox.drop(webhookId);
	outbox.drop(OWNER, webhookId);
	sql.rows('DELETE FROM endpoints WHERE webhookId = ?', webhookId);
	return true;
}

/** A rotation to the current secret changes nothing. `secret`: sealed. */
export function rotateSecret(
	account: AccountContext,
	{ webhookId, secret, now }: { webhookId: string; secret: string; now: number },
): WebhookView | WebhookRefusal {
	if (findEndpoint(account.sql, webhookId) === null) return 'webhook_not_found';
	const { sql } = account;
	const [current = null] = secretsOf(sql, webhookId, now);
	if (secret !== current) changeEndpoint(sql, webhookId, renewed(current, secret, now));
	return requireEndpoint(sql, webhookId);
}

/** Sends the test event. A repeated one with the same id is sent once. */
export function testWebhook(
	account: AccountContext,
	{ webhookId, eventId: id, now: at }: { webhookId: string; eventId: string; now: number },
): DeliveryView | WebhookRefusal {
	const { outbox, render } = account;
	const found = findEndpoint(account.sql, webhookId);
	if (found === null) return 'webhook_not_found';
	if (found.disabledAt !== null) return 'webhook_disabled';
	const body = render({ type: TEST_EVENT, at, data: { webhookId } });
	if (outbox.find(webhookId, id) === null) outbox.add({ target: webhookId, id, kind: TEST_EVENT, at, body });
	return outbox.find(webhookId, id) ?? 'delivery_not_found';
}

/** A page, newest first. `page` counts from 1. */
export function listDeliveries(
	{ sql, outbox }: AccountContext,
	{ webhookId, page, limit }: { webhookId: string; page: number; limit: number },
) {
	if (findEndpoint(sql, webhookId) === null) return 'webhook_not_found' as const;
	const deliveries = outbox.list(webhookId, limit, (page - 1) * limit);
	return { deliveries, pagination: paginate(outbox.count(webhookId), page, limit) };
}

/** Sends an event again, at once and with all its attempts. */
export function replayDelivery(
	account: AccountContext,
	{ webhookId, eventId, now }: { webhookId: string; eventId: string; now: number },
): DeliveryView | WebhookRefusal {
	const { outbox } = account;
	const found = findEndpoint(account.sql, webhookId);
	if (found === null) return 'webhook_not_found';
	const sent = outbox.find(webhookId, eventId);
	if (sent === null) return 'delivery_not_found';
	if (found.disabledAt !== null) return 'webhook_disabled';
	outbox.replay(sent, now);
	return outbox.find(webhookId, eventId) ?? 'delivery_not_found';
}

/**
 * Sets the threshold of the notice about low credits. A balance that is below it already makes a notice at once, unless
 * there was one since it fell.
 */
export function setCreditsLow(
	{ sql, credits, outbox }: AccountContext,
	request: { below: number | null; mails?: boolean | undefined },
): void {
	const { creditsLow: low } = credits.require();
	const { below, mails = low.mails } = request;
	// A mail that waits is not sent to an owner who wants none any more.
	if (below === null || !mails) outbox.drop(OWNER, 'low');
	// After each write the account compares its balance with the threshold.
	sql.update('account', { id: 1 }, { creditsLow: { below, mails, isLow: below !== null && low.isLow } });
}

export function creditsLow({ credits }: AccountContext): CreditsLowView {
	return credits.require().creditsLow;
}
