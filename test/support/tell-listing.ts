import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';

/** Rings the alarm by a simulated clock, if the operators' listing does not know yet that a job has ended. */
export async function tellListing(
	stub: DurableObjectStub<Account>,
	clock: { now: number },
	jobId: string,
): Promise<void> {
	/** When the alarm tells the listing; null: it did. */
	const dueAt = (): Promise<number | null> =>
		runInDurableObject(stub, (_: Account, { storage }) => {
			const query = 'SELECT wakeAt FROM jobs WHERE jobId = ? AND wakeAt < purgeAt';
			return storage.sql.exec<{ wakeAt: number }>(query, jobId).toArray()[0]?.wakeAt ?? null;
		});
	const at = await dueAt();
	if (at === null) return;
	clock.now = Math.max(clock.now, at);
	await runDurableObjectAlarm(stub);
	// The alarm waits for no database.
	await expect.poll(dueAt).toBeNull();
}
