import type { PartMessage } from '../operations/jobs-port.ts';

// A queue takes this many messages at once.
const MESSAGES_MAX = 100;

/** Sends one message a part. A message that is lost is sent again by the account's alarm. */
export async function sendParts(queue: Queue<PartMessage>, messages: readonly PartMessage[]): Promise<void> {
	for (let from = 0; from < messages.length; from += MESSAGES_MAX) {
		await queue.sendBatch(messages.slice(from, from + MESSAGES_MAX).map((body) => ({ body })));
	}
}
