import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account.ts';
import { jobWorld, mortal } from '../support/job-world.ts';

// What a job of the largest size costs on the platform, counted on the whole way from the request to the last row.

const ADDRESSES = 50_000;
const PER_DOMAIN = 8;

// Dollars each, after what the plan includes: workers, durable-objects, queues and r2 pricing pages of Cloudflare.
const PRICE = {
	row: 1 / 1e6,
	objectRequest: 0.15 / 1e6,
	queueOperation: 0.4 / 1e6,
	bucketWrite: 4.5 / 1e6,
	bucketRead: 0.36 / 1e6,
};
// Write, read, delete.
const OPERATIONS_PER_MESSAGE = 3;
const DOLLARS_PER_MILLION_MAX = 1;

test('a million addresses in jobs of 50,000 cost less than a dollar', async () => {
	// One in ten thousand is turned away once, so that most jobs are seen as they are.
	const world = await jobWorld(ADDRESSES, (email, nth) =>
		nth === 1 && email.startsWith('user0@d500.') ? 'greylisted' : 'accepted_email',
	);
	const emails = Array.from(
		{ length: ADDRESSES },
		(_, n) => `user${n % PER_DOMAIN}@d${Math.floor(n / PER_DOMAIN)}.test`,
	);
	const rowsBefore = await rowsWritten();
	const process = mortal(world, null);
	const { jobId } = await world.submit(emails, process.services);
	let alarms = 0;
	for (;;) {
		await world.drain(process.services);
		const job = await world.account.findJob(jobId);
		if (job?.status === 'completed') break;
		await world.advance();
		alarms += 1;
	}
	const objectRows = (await rowsWritten()) - rowsBefore;
	const objectCalls = process.calls.filter((name) => ACCOUNT_CALLS.has(name)).length + alarms;
	const { databaseRows, messages, bucketWrites, bucketReads } = world.used;
	const dollars =
		(objectRows + alarms + databaseRows) * PRICE.row +
		objectCalls * PRICE.objectRequest +
		messages * OPERATIONS_PER_MESSAGE * PRICE.queueOperation +
		bucketWrites * PRICE.bucketWrite +
		bucketReads * PRICE.bucketRead;
	const perMillion = (dollars * 1e6) / ADDRESSES;
	console.log(
		JSON.stringify({
			addresses: ADDRESSES,
			objectRows,
			databaseRows,
			objectCalls,
			alarms,
			messages,
			bucketWrites,
			bucketReads,
			dollarsPerMillion: Number(perMillion.toFixed(3)),
		}),
	);
	expect(perMillion).toBeLessThanOrEqual(DOLLARS_PER_MILLION_MAX);
	// The parts decide, not the addresses: nothing is written for each of them.
	expect(objectRows + databaseRows).toBeLessThan(ADDRESSES / 25);
	expect(world.used.bucketWrites + world.used.bucketReads).toBeLessThan(ADDRESSES / 25);

	function rowsWritten(): Promise<number> {
		return runInDurableObject(world.stub, (account: Account) => account.rowsWritten);
	}
}, 240_000);

const ACCOUNT_CALLS = new Set(
	'openJob findJob claimPart renewPart settlePart postponePart completeJob failJob'.split(' '),
);
