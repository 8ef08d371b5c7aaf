import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { admitCall } from './account-jobs.ts';
import { jobWorld } from './job-world.ts';
import type { JobWorld } from './job-world.ts';

// An account with a past, and how to damage it.

const EMAILS = ['calm.test', 'greylisting.test', 'open.test'].flatMap((domain) =>
	Array.from({ length: 4 }, (_, n) => `user${n}@${domain}`),
);

/** An account with a completed list, one that waits for a server, and a single call. */
export async function livedIn() {
	const world = await jobWorld(1_000, (email, nth) => {
		if (email.endsWith('greylisting.test') && nth === 1) return 'greylisted';
		return email.endsWith('open.test') ? 'catch_all' : 'accepted_email';
	});
	const { jobId: done } = await world.submit(EMAILS, world.healthy, 'first');
	await world.finish(done);
	const { jobId: running } = await world.submit(
		EMAILS.map((email) => `new-${email}`),
		world.healthy,
		'second',
	);
	await world.drain();
	const { settle } = await admitCall(world.stub, 'call_1', world.clock.now);
	await settle('deliverable');
	return { ...world, done, running };
}

export type LivedIn = Awaited<ReturnType<typeof livedIn>>;

/** Changes the account's tables behind its back. */
export function rewrite(stub: JobWorld['stub'], query: string, ...values: SqlStorageValue[]): Promise<void> {
	return runInDurableObject(stub, (_: Account, state) => {
		state.storage.sql.exec(query, ...values);
	});
}

/** A list gives at most a thousand keys. */
export async function emptyBucket(): Promise<void> {
	for (;;) {
		const { objects } = await env.BLOBS.list();
		if (objects.length === 0) return;
		await env.BLOBS.delete(objects.map(({ key }) => key));
	}
}
