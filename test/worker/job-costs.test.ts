import { env } from 'cloudflare:workers';
import { expect, inject, test } from 'vitest';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { rowsWrittenBy } from '../support/account-jobs.ts';
import { countingAccounts, dollarsPerMillion, totalOf } from '../support/billing.ts';
import type { Usage } from '../support/billing.ts';
import { jobWorld } from '../support/job-world.ts';

// What a large job costs on the platform, counted on the whole way from the request to the last row: in long tests one of the
// largest size, of which an address costs less.

const ADDRESSES = inject('isLong') ? 50_000 : 10_000;
const PER_DOMAIN = 8;

const DOLLARS_PER_MILLION_MAX = 1;
// Of an address, with its conversation: more than `npm run bench bulk` measures for all of workerd.
const CPU_MS = 10;

test('a million addresses in large jobs cost less than a dollar', async () => {
	// One in ten thousand is turned away once, so that most jobs are seen as they are.
	const world = await jobWorld(ADDRESSES, (email, nth) =>
		nth === 1 && email.startsWith('user0@d500.') ? 'greylisted' : 'accepted_email',
	);
	const emails = Array.from(
		{ length: ADDRESSES },
		(_, n) => `user${n % PER_DOMAIN}@d${Math.floor(n / PER_DOMAIN)}.test`,
	);
	const rowsBefore = await rowsWrittenBy(world.stub);
	const calls = { objectRequests: 0, objectMs: 0 };
	const services = { ...world.healthy, accounts: countingAccounts(accountsOf(env.ACCOUNT), calls) };
	const { jobId } = await world.submit(emails, services);
	let alarms = 0;
	for (;;) {
		await world.drain(services);
		const job = await world.account.findJob(jobId);
		if (job?.status === 'completed') break;
		await world.advance();
		alarms += 1;
	}
	const objectRows = (await rowsWrittenBy(world.stub)) - rowsBefore;
	const { databaseRows, messages, bucketWrites, bucketReads } = world.used;
	const usage: Usage = {
		what: 'bulk',
		addresses: ADDRESSES,
		invocations: 1 + messages,
		// Each alarm writes a row when it is set.
		objectRows: objectRows + alarms,
		databaseRows,
		objectRequests: calls.objectRequests + alarms,
		objectMs: calls.objectMs,
		messages,
		bucketWrites,
		bucketReads,
	};
	const perMillion = totalOf(dollarsPerMillion(usage, CPU_MS));
	expect(perMillion).toBeLessThanOrEqual(DOLLARS_PER_MILLION_MAX);
	// The parts decide, not the addresses: nothing is written for each of them.
	expect(objectRows + databaseRows).toBeLessThan(ADDRESSES / 25);
	expect(world.used.bucketWrites + world.used.bucketReads).toBeLessThan(ADDRESSES / 25);
});
