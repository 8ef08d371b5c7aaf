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
			const query = 'SELECT wake_at FROM jobs WHERE job_id = ? AND wake_at < purge_at';
			return storage.sql.exec<{ wake_at: number }>(query, jobId).toArray()[0]?.wake_at ?? null;
		});
	const at = await dueAt();
	if (at === null) return;
	clock.now = Math.max(clock.now, at);
	await runDurableObjectAlarm(stub);
	// The alarm waits for no database.
	await expect.poll(dueAt).toBeNull();
}
