import { TEST_EVENT } from '../core/webhooks/events.ts';
import type { SentEventType } from '../core/webhooks/events.ts';
import type { JobKind } from '../core/jobs/kinds/kinds.ts';
import type { JobRecord } from '../operations/jobs/port.ts';
import type { WebhookEvent } from '../operations/webhooks/port.ts';
import { renderBalance } from './render-balance.ts';
import { renderJob } from './render-job.ts';
import { renderTask } from './render-task.ts';

const RENDER = { verification: renderJob, catchall: renderTask } as const satisfies Record<
	JobKind,
	(job: JobRecord, now: number) => object
>;

/**
 * The body of an event: what GET would answer about its subject when it happened.
 *
 * @param test it is of the account of test keys
 */
export function renderEvent(event: WebhookEvent, test: boolean): string {
	const bodyOf = (type: SentEventType, at: number, data: object): string =>
		JSON.stringify({ type, timestamp: new Date(at).toISOString(), test, data });
	switch (event.about) {
		case 'job':
			return bodyOf(event.type, event.at, RENDER[event.job.kind](event.job, event.at));
		case 'credits':
			return bodyOf('credits.low', event.at, {
				...renderBalance(event.balance),
				creditsLowBelow: event.below,
			});
		case 'test':
			return bodyOf(TEST_EVENT, event.at, { webhookId: event.webhookId });
	}
}
