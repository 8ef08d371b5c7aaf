import { WEBHOOK_EVENTS } from '../../../src/core/webhooks/events.ts';
import { WebhookSecretPage, webhookPlace } from '../../../src/dashboard/pages/webhooks.tsx';
import type { DeliveryView, WebhookView } from '../../../src/operations/webhooks/port.ts';
import { paginate } from '../../../src/core/jobs/pages.ts';
import { DAY, MINUTE, NOW, view, wrong } from './samples.ts';
import { viewed } from './viewed.tsx';

// The pages of webhooks, in every state that people may see.

const webhook: WebhookView = {
	webhookId: 'whk_5f0c2a9e41b7d3886a10c7e4',
	url: 'https://shop.example/hooks/mailsonar',
	events: WEBHOOK_EVENTS,
	createdAt: NOW - 40 * DAY,
	disabledAt: null,
	disabledBecause: null,
	failingSince: null,
	formerSecretUntil: null,
};

const longOne: WebhookView = {
	...webhook,
	webhookId: 'whk_long',
	url: `https://${'very-long-name.'.repeat(8)}example/hooks?token=${'x'.repeat(200)}`,
	events: ['job.completed', 'credits.low'],
	failingSince: NOW - 3 * MINUTE,
};

const failing: WebhookView = {
	...webhook,
	webhookId: 'whk_failing',
	disabledAt: NOW - DAY,
	disabledBecause: 'failing',
	failingSince: NOW - 6 * DAY,
};

const delivery: DeliveryView = {
	id: 'evt_1',
	kind: 'job.completed',
	status: 'delivered',
	at: NOW - 5 * MINUTE,
	attempts: 1,
	dueAt: null,
	lastAt: NOW - 5 * MINUTE,
	lastCode: 200,
	fault: null,
};

const failed = { status: 'failed', attempts: 7, lastCode: null };

const deliveries: readonly DeliveryView[] = [
	{ ...delivery, kind: 'webhook.test', status: 'waiting', attempts: 0, lastCode: null, dueAt: NOW },
	{ ...delivery, status: 'waiting', attempts: 3, lastCode: 503, dueAt: NOW + 30 * MINUTE },
	delivery,
	{ ...delivery, ...failed, kind: 'catchall.completed', fault: 'timed_out' },
	{ ...delivery, ...failed, kind: 'credits.low', fault: 'not_public' },
].map((each, index) => ({ ...each, id: `evt_${index}` }) as DeliveryView);

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
/** What an account is told, and where. */
export const TOLD = {
	webhooks: [webhook, longOne, failing],
	creditsLowBelow: 500,
	secret,
	formerSecretUntil: NOW + DAY,
};
export const UNTOLD = { webhooks: [], creditsLowBelow: null, secret: null, formerSecretUntil: null };
const one = { webhook, deliveries, pagination: paginate(80, 2, 25) };
const none = { webhook, deliveries: [], pagination: paginate(0, 1, 25) };
const flash = { kind: 'info', text: 'Sending the test event …' } as const;

export const WEBHOOK_PAGES = {
	webhook: webhookPlace.draw({ ...view, flash }, one),
	'webhook-new': webhookPlace.draw(view, none),
	'webhook-long': webhookPlace.draw(view, { ...one, webhook: longOne }),
	'webhook-disabled': webhookPlace.draw(
		view,
		{ ...one, webhook: failing },
		wrong(
			'change',
			{ url: 'shop.example/hooks', 'events_job.completed': 'yes' },
			{ url: 'The URL is not a URL' },
		),
	),
	'webhook-secret': viewed(<WebhookSecretPage webhook={webhook} secret={secret} />),
	'webhook-rotated': viewed(
		<WebhookSecretPage webhook={{ ...webhook, formerSecretUntil: NOW + DAY }} secret={secret} />,
	),
};
