import * as z from 'zod';
import type { Metrics } from '../core/metrics/metrics.ts';
import { withInvocation } from '../lib/invocation.ts';
import { describeError, log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { verifyPart } from '../operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../operations/jobs/verify-part.ts';

// A message refers to a part and never contains an address.
const partMessage = z.object({ accountId: z.string(), jobId: z.string(), part: z.int().min(0) });

interface PartConsumer {
	readonly forAccount: (accountId: string) => VerifyPartServices;
	readonly metrics: Metrics;
	readonly clock: Pick<Clock, 'now'>;
}

/**
 * Works on a batch of messages in parallel. It never throws, so each message is delivered once: what fails is sent again by
 * the account's alarm, which counts how often a part failed.
 */
export async function consumeParts(consumer: PartConsumer, batch: MessageBatch): Promise<void> {
	const { clock, metrics } = consumer;
	for (const { timestamp, attempts } of batch.messages)
		metrics.note('queue_age', {
			queue: batch.queue,
			ms: Math.max(0, clock.now() - timestamp.getTime()),
			deliveries: attempts,
		});
	// A deployed batch has one message. A local one has more, and each part has the connections of its own invocation.
	await Promise.all(batch.messages.map((message) => withInvocation(() => consume(consumer, message))));
}

async function consume({ forAccount }: PartConsumer, { id, body }: Message): Promise<void> {
	const parsed = partMessage.safeParse(body);
	if (!parsed.success) return log('part_message_rejected', { id });
	const part = parsed.data;
	try {
		await verifyPart(forAccount(part.accountId), part, part);
	} catch (error) {
		log('part_failed', { ...part, ...describeError(error) });
	}
}
