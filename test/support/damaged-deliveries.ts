import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { HOUR_MS } from './account-jobs.ts';
import { rewrite } from './damage.ts';
import type { Damage, LivedIn } from './damage.ts';

type Stub = LivedIn['stub'];

const endpoint = (stub: Stub, disabledAt: number | null = null): Promise<void> =>
	rewrite(
		stub,
		`INSERT INTO webhooks (webhook_id, url, events, secrets, created_at, disabled_at)
			VALUES ('whk_1', 'https://inbox.test/', '[]', '[]', 1, ?)`,
		disabledAt,
	);

const waiting = (stub: Stub, dueAt: number, attempts: number): Promise<void> =>
	rewrite(
		stub,
		`INSERT INTO webhook_deliveries (webhook_id, event_id, type, at, body, status, attempts, due_at)
			VALUES ('whk_1', 'evt_1', 'job.completed', ?, '{}', 'waiting', ?, ?)`,
		dueAt,
		attempts,
		dueAt,
	);

/** The object learns of it when it starts again. */
async function ringAt(stub: Stub, at: number): Promise<void> {
	await runInDurableObject(stub, (_, state) => state.storage.setAlarm(at));
	await evictDurableObject(stub);
}

/** Events that wait for endpoints and are not as they should be. */
export const DELIVERIES: readonly Damage[] = [
	{
		name: 'an event that is due, and an alarm that rings next week',
		what: async ({ stub, clock }) => {
			await rewrite(stub, "UPDATE jobs SET wake_at = 9e15 WHERE status = 'processing'");
			await rewrite(stub, "UPDATE jobs SET wake_at = purge_at + 9e12 WHERE status <> 'processing'");
			await endpoint(stub);
			await waiting(stub, clock.now - 10_000, 1);
			await ringAt(stub, clock.now + 7 * 24 * HOUR_MS);
		},
		found: ['work_late'],
	},
	{
		name: 'an event that is left after its last attempt',
		what: async ({ stub, clock }) => {
			await endpoint(stub);
			await waiting(stub, clock.now - 25 * HOUR_MS, 7);
		},
		found: ['delivery_stuck'],
	},
	{
		name: 'an event that a clock far ahead put off',
		what: async ({ stub, clock }) => {
			await endpoint(stub);
			await waiting(stub, clock.now + 240 * HOUR_MS, 2);
		},
		found: ['delivery_stuck'],
	},
	{
		name: 'an event for an endpoint that is gone',
		what: ({ stub, clock }) => waiting(stub, clock.now + 1_000, 1),
		found: ['delivery_stuck'],
	},
	{
		name: 'an event that waits for an endpoint that is disabled',
		what: async ({ stub, clock }) => {
			await endpoint(stub, clock.now);
			await waiting(stub, clock.now + 1_000, 1);
		},
		found: ['delivery_stuck'],
	},
];
