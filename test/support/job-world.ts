import type { AccountPort } from '../../src/operations/accounts/port.ts';
import { SILENT } from '../../src/core/metrics/metrics.ts';
import {
	createExecutionContext,
	createMessageBatch,
	getQueueResult,
	runDurableObjectAlarm,
	runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { ResultList } from '../../src/core/jobs/pages.ts';
import { renderVerdict } from '../../src/core/jobs/task-verdicts.ts';
import { HORIZON_MS } from '../../src/core/jobs/open-row.ts';
import type { FinalRow } from '../../src/core/jobs/stored-row.ts';
import { STATUSES, statusOf } from '../../src/core/verification/sub-status.ts';
import { decidedBy, listFacts } from '../../src/core/verification/render.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { addressDigests } from '../../src/core/outcomes/outcome.ts';
import type { Conclusion } from '../../src/engine/examine.ts';
import type { PartQueue } from '../../src/core/jobs/kinds.ts';
import type { JobRecord, PartMessage } from '../../src/operations/jobs/port.ts';
import { createJob, createTask } from '../../src/operations/jobs/start.ts';
import type { VerifyPartServices } from '../../src/operations/jobs/verify-part.ts';
import { streamRows } from '../../src/operations/jobs/steps/stored-results.ts';
import { consumeParts } from '../../src/queues/consume-parts.ts';
import { D1Directory } from '../../src/storage/accounts/directory.ts';
import { jobBlobsOf } from '../../src/storage/jobs/blobs.ts';
import { KEY, ledgerOf } from './account-jobs.ts';
import { judgementOf } from './judgement-of.ts';
import { expectSums } from './sums.ts';
import { countingBucket, countingDatabase } from './billing.ts';
import { dying, wrapAll } from './wrap.ts';
import { mailAt } from './unit/mail-at.ts';

// A whole job with the real account object, bucket, database and consumer. Simulated are the clock, the queue and the
// answers of mail servers.

const REDRIVE_MS = 30_000;
const RETRY_DELAYS_MS = [60_000, 300_000];
const TTL_MS = 48 * 3_600_000;
// No fault that is tested here needs more rounds than this; a job that does is stuck.
const ROUNDS_MAX = 400;

/** The outcome of an address when it is asked about for the nth time, from 1; `deep`: with the deep check. */
export type MailWorld = (email: string, nth: number, deep: boolean) => SubStatus;

/** Where a consumer dies: before or after the effect of its nth call to the outside. */
export interface Fault {
	readonly call: number;
	readonly when: 'before' | 'after';
}

export interface Job {
	readonly jobId: string;
	readonly response: string;
}

const SIGNING = { version: 1, secret: new Uint8Array(32).fill(7) };
let worlds = 0;

/** The account of a job in the operators' listing; null: it is not listed. */
export const listedAccount = (jobId: string): Promise<string | null> =>
	new D1Directory(env.DB).findJobAccount(jobId);

/** A world with one account. */
export async function jobWorld(credits: number, mail: MailWorld) {
	worlds += 1;
	const accountId = `acc_world_${worlds}`;
	const start = Date.now();
	const clock = { now: start };
	const stub = env.ACCOUNT.getByName(accountId);
	await stub.open({ now: start, initialCredits: credits, key: KEY });
	await new D1Directory(env.DB).insertAccount({ id: accountId, email: 'world@inbox.test', createdAt: start });
	let queue: PartMessage[] = [];
	const asked = new Map<string, number>();
	/** Counts of what the platform bills for. */
	const used = { databaseRows: 0, messages: 0, bucketWrites: 0, bucketReads: 0 };
	const directory = new D1Directory(countingDatabase(env.DB, (rows) => (used.databaseRows += rows)));
	const blobs = jobBlobsOf(env.BLOBS);
	/** Which parts of the platform are out at the moment. */
	const out = { bucket: false, database: false, queue: false };
	let ids = 0;
	const enqueue = (_: PartQueue, messages: readonly PartMessage[]): Promise<void> => {
		if (out.queue) return Promise.reject(new Error('the queue is out'));
		used.messages += messages.length;
		queue.push(...messages);
		return Promise.resolve();
	};
	/** Again after the object was evicted. */
	const replaceOutside = (): Promise<void> =>
		runInDurableObject(stub, (account: Account) => {
			account.outside = {
				...account.outside,
				now: () => clock.now,
				sendParts: enqueue,
				listJob: (...about) =>
					out.database ? Promise.reject(new Error('the database is out')) : directory.listJob(...about),
			};
		});
	await replaceOutside();
	const healthy: VerifyPartServices = {
		clock: {
			now: () => clock.now,
			// Simulated work takes no time, so a lease is never renewed.
			sleep: () => new Promise<void>(() => {}),
		},
		newId: (prefix) => `${prefix}_${worlds}_${(ids += 1)}`,
		accounts: accountsOf(env.ACCOUNT),
		metrics: SILENT,
		digestsOf: (of, address) => addressDigests([SIGNING], of, address),
		jobBlobs: jobBlobsOf(countingBucket(env.BLOBS, used, () => out.bucket)),
		lookUpMail: ({ domain }) => Promise.resolve(mailAt(`mx.${domain}`)),
		examineAddresses: (addresses, { deep }) =>
			Promise.resolve(
				addresses.map((address): Conclusion => {
					const isDeep = deep !== 'never';
					const key = `${address.email} ${deep}`;
					const nth = (asked.get(key) ?? 0) + 1;
					asked.set(key, nth);
					const subStatus = mail(address.email, nth, isDeep);
					const outcome = {
						...decidedBy('smtp', subStatus),
						catchAll: subStatus.startsWith('catch_all') ? true : null,
					};
					// A task judges every address, a job that resolves catch-all addresses itself only those.
					const isJudged = deep === 'always' || (deep === 'catch_all' && outcome.catchAll === true);
					const judgement = isJudged ? judgementOf(subStatus) : null;
					return {
						lists: listFacts(address),
						outcome: judgement === null ? outcome : { ...outcome, catchAllScore: judgement.score },
						judgement,
					};
				}),
			),
	};
	const account: AccountPort = healthy.accounts(accountId);
	const owner = { accountId, keyId: KEY.id };

	/** The same services for what begins jobs. */
	const launching = (services = healthy) => ({
		...services,
		requireProber: () => {},
		jobTiming: {
			retryDelaysMs: RETRY_DELAYS_MS,
			redriveAfterMs: REDRIVE_MS,
			resultsTtlMs: TTL_MS,
			horizonMs: HORIZON_MS,
		},
		sendParts: enqueue,
		listJob: (...about: Parameters<typeof directory.listJob>) =>
			void (out.database || directory.listJob(...about)),
	});

	/** Submits a list as POST /v1/verify-batch does. */
	const submit = (
		emails: readonly string[],
		services = healthy,
		idempotencyKey = `world-${worlds}`,
		rescuesCatchAll = false,
	): Promise<Job> =>
		createJob(launching(services), owner, {
			emails,
			name: null,
			rescuesCatchAll,
			idempotencyKey,
			requestId: 'req_1',
		});

	/** Starts a catch-all task over a completed job, as POST /v1/catchall does. */
	const submitTask = (
		sourceJobId: string,
		services = healthy,
		idempotencyKey = `world-${worlds}`,
	): Promise<Job> =>
		createTask(launching(services), owner, {
			sourceJobId,
			name: null,
			idempotencyKey,
			requestId: 'req_1',
		});

	/** Delivers one message to a consumer, which takes it whatever happens. */
	const deliver = async (message: PartMessage, services = healthy): Promise<void> => {
		const id = services.newId('msg');
		const batch = createMessageBatch('mailsonar-verify', [
			{ id, timestamp: new Date(clock.now), attempts: 1, body: message },
		]);
		const consumer = { forAccount: () => services, metrics: SILENT, clock: healthy.clock };
		const context = createExecutionContext();
		await consumeParts(consumer, batch);
		const { outcome, retryMessages } = await getQueueResult(batch, context);
		expect([outcome, retryMessages]).toEqual(['ok', []]);
	};

	/** Delivers all messages, in the order that `pick` gives. */
	const drain = async (
		services = healthy,
		pick = (all: PartMessage[]): PartMessage[] => all,
	): Promise<number> => {
		const due = queue;
		queue = [];
		for (const message of pick(due)) await deliver(message, services);
		return due.length;
	};

	/** Advances the clock to the alarm. */
	const advance = async (): Promise<void> => {
		const alarm = await runInDurableObject(stub, (_: Account, state) => state.storage.getAlarm());
		if (alarm === null) throw new Error('nobody will look at the job again');
		// A message that is there is delivered before.
		if (queue.length === 0) clock.now = Math.max(clock.now, alarm);
		if (alarm <= clock.now) await runDurableObjectAlarm(stub);
	};

	/** Runs healthy consumers and the alarm until the job has ended. */
	const finish = async (jobId: string, services = healthy): Promise<JobRecord> => {
		for (let round = 0; round < ROUNDS_MAX; round += 1) {
			await drain(services);
			const job = await account.findJob(jobId);
			if (job !== null && job.status !== 'processing') return job;
			await advance();
		}
		throw new Error(`job ${jobId} is stuck`);
	};

	/** Reads everything back and compares it: results, counters, credits, ledger, listing of jobs. */
	const expectExact = async (jobId: string, emails: readonly string[]): Promise<readonly string[]> => {
		const job = await account.findJob(jobId);
		expect(job?.status).toBe('completed');
		if (job === null) throw new Error('unreachable');
		const read = async (list: ResultList): Promise<readonly FinalRow[]> => {
			const rows: FinalRow[] = [];
			for await (const row of streamRows({ jobBlobs: blobs }, job, list)) rows.push(row);
			return rows;
		};
		const rows = await read('all');
		expect(rows.map(([, email]) => email)).toEqual(emails);
		for (const status of STATUSES) {
			const expected = rows.filter(([, , subStatus]) => statusOf(subStatus) === status);
			expect(await read(status), status).toEqual(expected);
			expect(job.counts[status], status).toBe(expected.length);
		}
		for (const row of rows) if (job.kind === 'catchall') expectSums(renderVerdict(row));
		const unknown = job.counts.unknown;
		const charged = emails.length - unknown;
		expect(job).toMatchObject({
			processed: emails.length,
			creditsReserved: 0,
			creditsUsed: charged,
			creditsRefunded: unknown,
		});
		const lines = (await ledgerOf(stub)).filter(({ kind }) => kind === 'job' || kind === 'task');
		expect(lines.find(({ id }) => id === jobId)).toMatchObject({
			kind: job.kind === 'catchall' ? 'task' : 'job',
			credits: emails.length,
			charged,
			outcome: 'completed',
		});
		const sum = (name: 'credits' | 'charged'): number =>
			lines.reduce((total, line) => total + Number(line[name]), 0);
		const { balance, keys } = await stub.show();
		expect(balance).toMatchObject({
			availableCredits: credits - sum('charged'),
			reservedCredits: 0,
			totalConsumed: sum('charged'),
			totalRefunded: sum('credits') - sum('charged'),
		});
		expect(keys[0]?.usage?.credits ?? 0).toBe(sum('charged'));
		while ((await listedAccount(jobId)) === null) await advance();
		expect(await stub.check(), 'the books').toEqual([]);
		return rows.map(([, , subStatus]) => subStatus);
	};

	return {
		accountId,
		account,
		stub,
		clock,
		out,
		used,
		directory,
		replaceOutside,
		healthy,
		launching,
		asked,
		submit,
		submitTask,
		deliver,
		drain,
		advance,
		finish,
		expectExact,
		/** Loses all queued messages, as when the local queue is killed. */
		loseQueue: () => {
			queue = [];
		},
		queued: () => [...queue],
		/** Queues every message once more. */
		duplicate: () => {
			queue.push(...queue);
		},
	};
}

export type JobWorld = Awaited<ReturnType<typeof jobWorld>>;

/** The services of a process that dies at its nth call. `calls` lists the calls in order. */
export function mortal(
	world: JobWorld,
	fault: Fault | null,
	waitBefore: (call: number, name: string) => Promise<void> = () => Promise.resolve(),
): { services: VerifyPartServices; calls: readonly string[]; died: () => boolean } {
	const calls: string[] = [];
	const fatal = dying(fault?.when ?? 'before', (_, __, call) => call === fault?.call);
	const wrap =
		<A extends readonly unknown[], R>(name: string, method: (...args: A) => Promise<R>) =>
		async (...args: A): Promise<R> => {
			await waitBefore(calls.push(name), name);
			return fatal(name, method)(...args);
		};
	const { healthy } = world;
	const services: VerifyPartServices = {
		...healthy,
		accounts: (id) => wrapAll(healthy.accounts(id), wrap),
		jobBlobs: wrapAll(healthy.jobBlobs, wrap),
		examineAddresses: wrap('examineAddresses', healthy.examineAddresses),
	};
	return { services, calls, died: () => calls.length >= (fault?.call ?? Infinity) };
}

/** The statuses that customers see for these sub_statuses. */
export const statusesOf = (subStatuses: readonly string[]): string[] =>
	subStatuses.map((subStatus) => statusOf(subStatus as SubStatus));
