import * as z from 'zod';
import { CREDITS_LOW_MAX, TEST_EVENT, WEBHOOK_EVENTS } from '../../core/webhooks/events.ts';
import type { SentEventType } from '../../core/webhooks/events.ts';
import type { JobRecord, WebhookEvent } from '../../operations/jobs/port.ts';
import type { DisabledBecause, WebhookView } from '../../operations/webhooks/port.ts';
import { CREDITS, credits, renderBalance } from './credits.ts';
import {
	choice,
	component,
	creditCount,
	flag,
	inCredits,
	moment,
	momentOrNull,
	openWord,
	requestBody,
	text,
	timestamp,
} from './fields.ts';
import { delivery, EVENT_NAME } from './delivery.ts';
import { job, JOB, pageOf, renderJob } from './job.ts';
import { renderTask, task, TASK } from './task.ts';

const error = `Invalid parameter: events is a list of at least one of ${WEBHOOK_EVENTS.join(', ')}`;
const url = z
	.string({ error: 'Missing or invalid parameter: url must be a string' })
	.openapi({ description: 'https, port 443 or 8443, at public addresses', maxLength: 2_048 });
const events = z
	.array(z.enum(WEBHOOK_EVENTS, { error }), { error })
	.min(1, error)
	.transform((names) => [...new Set(names)])
	.openapi({
		type: 'array',
		items: { type: 'string', enum: [...WEBHOOK_EVENTS] },
		minItems: 1,
		description: 'The events that it receives. Left out of a new webhook: all that there are now',
	});

const TOLD = {
	url: 'https://shop.example/hooks/mailsonar',
	events: ['job.completed', 'job.failed'],
} as const;

/** POST /v1/webhooks, request. */
export const newWebhook = requestBody('WebhookRequest', 'Where to be told, and of what', TOLD, 'a url', {
	url,
	events: events.optional(),
});

const STAYS = 'What to change. What is left out stays';
const CHANGED = { events: ['job.completed', 'catchall.completed'] };

/** PATCH /v1/webhooks/:webhookId, request. */
export const webhookChange = requestBody('WebhookChange', STAYS, CHANGED, null, {
	url: url.optional(),
	events: events.optional(),
	enabled: choice('Whether events are sent to it. False ends the deliveries that wait'),
});

const LOW_TEXT = '`credits.low` is sent when the balance falls below this, in credits; null: never';
const creditsLowBelow = z
	.int({ error: 'Missing or invalid parameter: creditsLowBelow must be a whole number or null' })
	.min(1, 'Invalid parameter: creditsLowBelow is at least 1')
	.max(CREDITS_LOW_MAX, `Invalid parameter: creditsLowBelow is at most ${CREDITS_LOW_MAX}`)
	.nullable()
	.openapi({ format: 'int64' })
	.describe(LOW_TEXT);
const FOR_ALL = 'What holds for all webhooks';

/** PATCH /v1/webhooks, request. */
export const webhookSettings = requestBody('WebhookSettings', FOR_ALL, { creditsLowBelow: 500 }, null, {
	creditsLowBelow,
});

const DISABLED_BECAUSE = ['owner', 'gone', 'failing'] as const satisfies readonly DisabledBecause[];
const webhookId = text('The id of the webhook, for its paths').openapi({ example: 'whk_1f0c' });

const WEBHOOK = {
	webhookId: 'whk_1f0c',
	...TOLD,
	enabled: true,
	disabledBecause: null,
	disabledAt: null,
	failingSince: null,
	formerSecretUntil: null,
	createdAt: '2026-07-01T09:00:00.000Z',
} as const;
// The secret of no webhook: its octets are those of a text that says so.
const SECRET = 'whsec_VGhpcyBpcyBhbiBleGFtcGxlLCBubyBzZWNyZXQuLi4=';

export const webhook = component('Webhook', 'A URL of yours that receives events', WEBHOOK, {
	webhookId,
	url: text('Where events are sent to'),
	events: z
		.array(openWord(WEBHOOK_EVENTS, 'The name of an event.', EVENT_NAME))
		.describe('The events that it receives'),
	enabled: flag('Whether events are sent to it'),
	disabledBecause: openWord(
		DISABLED_BECAUSE,
		'Why it is disabled, `owner`: as you said; `gone`: it answered 410; `failing`: nothing arrived for five days; null: it is not.',
	).nullable(),
	disabledAt: momentOrNull('When it was disabled', 'null: it is not'),
	failingSince: momentOrNull(
		'Since when no attempt has succeeded',
		'null: the last one did, or none was made',
	),
	formerSecretUntil: momentOrNull(
		'Until when the secret from before the last rotation signs too',
		'null: it was never rotated',
	),
	createdAt: moment('When it was added'),
});

export const webhookWithSecret = webhook
	.extend({ secret: text('Signs what is sent to it. Shown only now: `whsec_` and 32 bytes in base 64') })
	.openapi('WebhookWithSecret', {
		description: 'A webhook with the secret that was just made for it',
		example: { ...WEBHOOK, secret: SECRET },
	});

const ALL = 'The webhooks of the account, and what holds for all of them';
export const webhookList = component('WebhookList', ALL, null, {
	webhooks: z.array(webhook).describe('All of the account, the oldest first'),
	creditsLowBelow: creditCount.nullable().describe(LOW_TEXT),
});

const PAGE = 'A page of what was and will be sent to a webhook';
export const deliveryPage = pageOf('WebhookDeliveryPage', PAGE, {
	deliveries: z.array(delivery).describe('The newest first'),
});

const anyEvent = z
	.object({
		timestamp: moment('When it happened'),
		test: flag('Whether it is of a test key: nothing of it is real'),
	})
	.openapi('Event');
const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
	anyEvent.extend({ type: z.literal(type).describe('What happened: always this word'), data });
const FAILED = { status: 'failed', error: 'Too much broke on our side: nothing was charged' } as const;

/** The bodies that are sent, by their type. */
export const SENT_BODIES = {
	'job.completed': eventOf('job.completed', job),
	'job.failed': eventOf(
		'job.failed',
		job.openapi({ description: 'The job', example: { ...JOB, ...FAILED, creditsReserved: 0 } }),
	),
	'catchall.completed': eventOf('catchall.completed', task),
	'catchall.failed': eventOf(
		'catchall.failed',
		task.openapi({ description: 'The task', example: { ...TASK, ...FAILED } }),
	),
	'credits.low': eventOf(
		'credits.low',
		credits.extend({ creditsLowBelow: inCredits('The threshold that the balance fell below') }).openapi({
			description: 'The credits of the account, and the threshold',
			example: { ...CREDITS, creditsLowBelow: 100 },
		}),
	),
	[TEST_EVENT]: eventOf(TEST_EVENT, z.object({ webhookId }).describe('The webhook that is tried')),
} as const satisfies Readonly<Record<SentEventType, z.ZodType>>;

/** The body of the 202 that tells of a new job or task. `previousTaskId`: the last task made from the job before. */
export function renderAccepted(
	record: JobRecord,
	{ requestId, previousTaskId }: { readonly requestId: string; readonly previousTaskId: string | null },
): string {
	const { kind, createdAt } = record;
	if (kind === 'catchall') {
		const data = renderTask(record, createdAt);
		return JSON.stringify({ success: true, data, meta: { requestId, previousTaskId } });
	}
	const data = renderJob(record, createdAt);
	const { acceptedEmails, rejectedEmails, duplicateEmails, invalidEmails } = data;
	const meta = { requestId, acceptedEmails, rejectedEmails, duplicateEmails, invalidEmails };
	return JSON.stringify({ success: true, data, meta });
}

/**
 * The body of an event: what GET would answer about its subject when it happened.
 *
 * @param test it is of the account of test keys
 */
export function renderEvent(event: WebhookEvent, test: boolean): string {
	return JSON.stringify({ type: event.type, timestamp: timestamp(event.at), test, data: dataOf(event) });
}

function dataOf({ type, at, data }: WebhookEvent): object {
	if (type === TEST_EVENT) return data;
	if (type === 'credits.low') return renderBalance(data);
	return data.kind === 'catchall' ? renderTask(data, at) : renderJob(data, at);
}

/** An endpoint in the API's form. */
export function renderWebhook(view: WebhookView): z.infer<typeof webhook> {
	return {
		webhookId: view.webhookId,
		url: view.url,
		events: [...view.events],
		enabled: view.disabledAt === null,
		disabledBecause: view.disabledBecause,
		disabledAt: timestamp(view.disabledAt),
		failingSince: timestamp(view.failingSince),
		formerSecretUntil: timestamp(view.formerSecretUntil),
		createdAt: timestamp(view.createdAt),
	};
}
