import { createApp } from '../../src/http/app.ts';
import type { Accounts } from '../../src/operations/accounts/port.ts';
import type { Services } from '../../src/services.ts';
import { wrapAll } from './wrap.ts';
import type { Method } from './wrap.ts';

// Counts what the platform bills for, and computes its cost.

/** Counted for `addresses` verifications. */
export interface Usage {
	readonly addresses: number;
	/** Requests, and invocations by queues. */
	readonly invocations: number;
	readonly objectRows: number;
	readonly databaseRows: number;
	/** Calls to the account's object, and its alarms. */
	readonly objectRequests: number;
	/** Wall time of these calls, including the network: more than the object's own time. */
	readonly objectMs: number;
	readonly messages: number;
	readonly bucketWrites: number;
	readonly bucketReads: number;
}

// Dollars each, beyond what the plan includes, from the pricing pages of Workers, Durable Objects, Queues and R2.
const PRICE = {
	invocation: 0.3 / 1e6,
	cpuMs: 0.02 / 1e6,
	row: 1 / 1e6,
	objectRequest: 0.15 / 1e6,
	objectGbSecond: 12.5 / 1e6,
	queueOperation: 0.4 / 1e6,
	bucketWrite: 4.5 / 1e6,
	bucketRead: 0.36 / 1e6,
};
const OBJECT_GB = 0.128;
const OBJECT_MS = (OBJECT_GB * PRICE.objectGbSecond) / 1000;
// Write, read, delete.
const OPERATIONS_PER_MESSAGE = 3;

/** Dollars for a million verifications. CPU time is counted elsewhere. */
export function dollarsPerMillion(usage: Usage, cpuMsPerAddress: number): number {
	const dollars =
		usage.invocations * PRICE.invocation +
		usage.addresses * cpuMsPerAddress * PRICE.cpuMs +
		(usage.objectRows + usage.databaseRows) * PRICE.row +
		usage.objectRequests * PRICE.objectRequest +
		usage.objectMs * OBJECT_MS +
		usage.messages * OPERATIONS_PER_MESSAGE * PRICE.queueOperation +
		usage.bucketWrites * PRICE.bucketWrite +
		usage.bucketReads * PRICE.bucketRead;
	return (dollars * 1e6) / usage.addresses;
}

// R2 bills these as class A; reads are class B, and deleting is free.
const BUCKET_WRITES = new Set<string | symbol>(['put', 'list']);

/** Wraps the bucket to count its calls, all of which fail while it is out. */
export function countingBucket(
	bucket: R2Bucket,
	used: { bucketWrites: number; bucketReads: number },
	isOut: () => boolean = () => false,
): R2Bucket {
	return new Proxy(bucket, {
		get: (inner, name) => {
			const member: unknown = Reflect.get(inner, name);
			if (typeof member !== 'function') return member;
			return (...args: unknown[]) => {
				if (isOut()) return Promise.reject(new Error('the bucket is out'));
				if (BUCKET_WRITES.has(name)) used.bucketWrites += 1;
				else if (name !== 'delete') used.bucketReads += 1;
				return member.apply(inner, args) as unknown;
			};
		},
	});
}

/** Wraps the database to count the rows that it writes. */
export function countingDatabase(database: D1Database, count: (rows: number) => void): D1Database {
	const watch = <T extends object>(target: T): T =>
		new Proxy(target, {
			get: (inner, name) => {
				const member: unknown = Reflect.get(inner, name);
				if (typeof member !== 'function') return member;
				return (...args: unknown[]) => {
					const answer = member.apply(inner, args) as unknown;
					if (name === 'prepare' || name === 'bind') return watch(answer as object);
					if (name !== 'run') return answer;
					return (answer as Promise<D1Result>).then((result) => {
						count(result.meta.rows_written);
						return result;
					});
				};
			},
		});
	return watch(database);
}

/** Wraps the accounts to count and time their calls. */
export function countingAccounts(
	accounts: Accounts,
	used: { objectRequests: number; objectMs: number },
): Accounts {
	const count =
		(_: string, method: Method): Method =>
		async (...args) => {
			used.objectRequests += 1;
			const begun = performance.now();
			try {
				return await method(...args);
			} finally {
				used.objectMs += performance.now() - begun;
			}
		};
	return (accountId) => wrapAll(accounts(accountId), count);
}

/** The API with these services, whose calls to accounts are counted. It has no pages and no tools. */
export function countingApp(services: Services, used: { objectRequests: number; objectMs: number }) {
	const counted = { ...services, accounts: countingAccounts(services.accounts, used) };
	return createApp(
		() => ({ ...counted, forAccount: () => counted }),
		() => Promise.reject(new Error('no page is asked for')),
		() => Promise.reject(new Error('no tool is asked for')),
	);
}
