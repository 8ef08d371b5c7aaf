import type { Config } from './config.ts';

/** The problems of each part of the service, in words without secrets; empty where all is well. */
export interface Health {
	readonly keys: readonly string[];
	readonly database: readonly string[];
	/** The accounts' objects. */
	readonly accounts: readonly string[];
	/** The bucket. */
	readonly files: readonly string[];
	readonly queues: readonly string[];
	/** The machines that ask mail servers. */
	readonly probers: readonly string[];
}

/** The stores that a health check asks. */
interface Stores {
	readonly directory: { ping(): Promise<void> };
	readonly accounts: (accountId: string) => { findJob(jobId: string): Promise<unknown> };
	readonly bucket: { head(key: string): Promise<unknown> };
	readonly queues: readonly { metrics(): Promise<unknown> }[];
}

// No account and no file has this name. A read of what does not exist costs the least.
const NOBODY = 'health';

/** One read of each store, and the words where it does not answer. */
const ASKS = {
	database: [({ directory }) => directory.ping(), 'The database cannot be used: are the migrations applied?'],
	accounts: [
		({ accounts }) => accounts(NOBODY).findJob(NOBODY),
		'The accounts (Durable Objects) do not answer',
	],
	files: [({ bucket }) => bucket.head(NOBODY), 'The bucket of files (R2) does not answer'],
	queues: [({ queues }) => Promise.all(queues.map((queue) => queue.metrics())), 'The queues do not answer'],
} as const satisfies Partial<Record<keyof Health, readonly [(stores: Stores) => Promise<unknown>, string]>>;

/** The problems of this service, by its parts; a healthy part has an empty list. Asks each store and each prober. */
export async function healthOf(
	config: Pick<Config, 'KEY_SIGNING_SECRET'>,
	stores: Stores,
	prober: { check(): Promise<Health['probers']> },
): Promise<Health> {
	const asked = Object.entries(ASKS).map(async ([store, [ask, problem]]) => {
		const problems = await ask(stores).then(
			() => [],
			() => [problem],
		);
		return [store, problems] as const;
	});
	const [probers, ...answers] = await Promise.all([prober.check(), ...asked]);
	const keys = config.KEY_SIGNING_SECRET.length === 0 ? ['KEY_SIGNING_SECRET is not configured'] : [];
	return { keys, ...(Object.fromEntries(answers) as Record<keyof typeof ASKS, string[]>), probers };
}
