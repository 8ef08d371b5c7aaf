// The limit of sendBatch (Cloudflare Queues).
const MESSAGES_MAX = 100;

/** Sends any number of messages to a queue, in batches. */
export async function sendInBatches<T>(
	queue: { sendBatch(messages: { body: T }[]): Promise<unknown> },
	bodies: readonly T[],
): Promise<void> {
	for (let from = 0; from < bodies.length; from += MESSAGES_MAX) {
		await queue.sendBatch(bodies.slice(from, from + MESSAGES_MAX).map((body) => ({ body })));
	}
}
