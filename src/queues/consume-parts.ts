import { z } from 'zod';
import type { Metrics } from '../core/metrics/metrics.ts';
import { withInvocation } from '../lib/invocation.ts';
import { describeError, log } from '../lib/log.ts';
import { verifyPart } from '../operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../operations/jobs/verify-part.ts';

// A message refers to a part and never contains an address.
const partMessage = z.object({ accountId: z.string(), jobId: z.string(), part: z.int().min(0) });

// After a failure of ours the part is tried again after this time, multiplied by the delivery's number: longer than the
// lease that the failed consumer left, or the next one would think that another consumer has it, and drop the message.
const RETRY_AFTER_SECONDS = 20;

/** The services of a consumer of parts. */
export interface PartConsumer {
	readonly servicesOf: (accountId: string) => VerifyPartServices;
	readonly metrics: Metrics;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Works on a batch of messages in parallel. Each is acknowledged on its own, after its part is stored and settled.
 *
 * @param giveUp the batch comes from the dead-letter queue
 */
export async function consumeParts(
	{ servicesOf, metrics, now }: PartConsumer,
	batch: MessageBatch,
	giveUp: boolean,
): Promise<void> {
	for (const { timestamp, attempts } of batch.messages)
		metrics.note('queue_age', {
			queue: batch.queue,
			ms: Math.max(0, now() - timestamp.getTime()),
			deliveries: attempts,
		});
	// A deployed batch has one message. A local one has more, and each part has the connections of its own invocation.
	await Promise.all(
		batch.messages.map((message) => withInvocation(() => consume(servicesOf, message, giveUp))),
	);
}

async function consume(
	servicesOf: (accountId: string) => VerifyPartServices,
	message: Message,
	giveUp: boolean,
): Promise<void> {
	const parsed = partMessage.safeParse(message.body);
	if (!parsed.success) {
		log('part_message_rejected', { id: message.id });
		message.ack(); // No retry can help.
		return;
	}
	const part = parsed.data;
	try {
		await verifyPart(servicesOf(part.accountId), part, { ...part, giveUp });
		message.ack();
	} catch (error) {
		log('part_failed', { ...part, attempts: message.attempts, ...describeError(error) });
		message.retry({ delaySeconds: RETRY_AFTER_SECONDS * message.attempts });
	}
}
