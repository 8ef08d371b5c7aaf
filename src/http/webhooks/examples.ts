import type { z } from '@hono/zod-openapi';
import { TEST_EVENT } from '../../core/webhooks/events.ts';
import { COMPLETED_JOB, COMPLETED_TASK, CREDITS, JOB, TASK } from '../examples.ts';
import type { DeepReadonly } from '../responses.ts';
import type { SENT_BODIES, delivery, webhook } from './schemas.ts';

// The webhooks of the OpenAPI document: the list of July, for a shop.

const WEBHOOK_ID = 'whk_1f0c';
const GIVEN_UP = 'Too much broke on our side: nothing was charged';

/** An address that gets events of lists. */
export const WEBHOOK: DeepReadonly<z.infer<typeof webhook>> = {
	webhookId: WEBHOOK_ID,
	url: 'https://shop.example/hooks/mailsonar',
	events: ['job.completed', 'job.failed'],
	enabled: true,
	disabledBecause: null,
	disabledAt: null,
	failingSince: null,
	formerSecretUntil: null,
	createdAt: '2026-07-01T09:00:00.000Z',
};

/** The same address, once its owner disabled it. */
export const DISABLED_WEBHOOK = {
	...WEBHOOK,
	enabled: false,
	disabledBecause: 'owner',
	disabledAt: '2026-07-02T09:00:00.000Z',
} as const satisfies typeof WEBHOOK;

/** The secret of no webhook: its octets are those of a text that says so. */
export const SECRET = 'whsec_VGhpcyBpcyBhbiBleGFtcGxlLCBubyBzZWNyZXQuLi4=';

/** An event that arrived. */
export const DELIVERED: DeepReadonly<z.infer<typeof delivery>> = {
	eventId: 'evt_1f0c',
	type: 'job.completed',
	status: 'delivered',
	attempts: 1,
	createdAt: COMPLETED_JOB.completedAt,
	nextAttemptAt: null,
	lastAttemptAt: '2026-07-01T10:00:08.120Z',
	lastStatusCode: 204,
	lastError: null,
};

/** The same event, to be sent at once. */
export const WAITING = {
	...DELIVERED,
	status: 'waiting',
	attempts: 0,
	nextAttemptAt: '2026-07-01T12:00:00.000Z',
} as const satisfies typeof DELIVERED;

/** The test event, to be sent at once. */
export const WAITING_TEST = {
	...WAITING,
	eventId: 'evt_2a1d',
	type: TEST_EVENT,
	createdAt: WAITING.nextAttemptAt,
	lastAttemptAt: null,
	lastStatusCode: null,
} as const satisfies typeof DELIVERED;

/** The bodies of events, by their type. */
export const SENT: {
	readonly [T in keyof typeof SENT_BODIES]: DeepReadonly<z.infer<(typeof SENT_BODIES)[T]>>;
} = {
	'job.completed': {
		type: 'job.completed',
		timestamp: COMPLETED_JOB.completedAt,
		test: false,
		data: COMPLETED_JOB,
	},
	'job.failed': {
		type: 'job.failed',
		timestamp: COMPLETED_JOB.completedAt,
		test: false,
		data: {
			...JOB,
			status: 'failed',
			creditsReserved: 0,
			updatedAt: COMPLETED_JOB.completedAt,
			completedAt: COMPLETED_JOB.completedAt,
			error: GIVEN_UP,
		},
	},
	'catchall.completed': {
		type: 'catchall.completed',
		timestamp: COMPLETED_TASK.completedAt,
		test: false,
		data: COMPLETED_TASK,
	},
	'catchall.failed': {
		type: 'catchall.failed',
		timestamp: COMPLETED_TASK.completedAt,
		test: false,
		data: {
			...TASK,
			status: 'failed',
			updatedAt: COMPLETED_TASK.completedAt,
			completedAt: COMPLETED_TASK.completedAt,
			error: GIVEN_UP,
		},
	},
	'credits.low': {
		type: 'credits.low',
		timestamp: COMPLETED_JOB.completedAt,
		test: false,
		data: { ...CREDITS, creditsLowBelow: 99 },
	},
	[TEST_EVENT]: {
		type: TEST_EVENT,
		timestamp: WAITING_TEST.createdAt,
		test: false,
		data: { webhookId: WEBHOOK_ID },
	},
};
