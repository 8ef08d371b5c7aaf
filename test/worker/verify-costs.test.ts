import { createExecutionContext, runDurableObjectAlarm, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, inject, test } from 'vitest';
import { compose } from '../../src/compose.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { createAccount } from '../../src/operations/accounts/accounts.ts';
import { rowsWrittenBy } from '../support/account-jobs.ts';
import {
	countingAccounts,
	countingApp,
	countingBucket,
	countingDatabase,
	dollarsPerMillion,
} from '../support/billing.ts';
import { jobWorld } from '../support/job-world.ts';

// What an address costs on the platform, by itself and in a large job.

// Of an address, with its conversation: more than `npm run bench http` and `npm run bench bulk` measure for all of workerd.
const CPU_MS = 10;
const CALLS = 100;
// The account's row and the line of the ledger.
const ROWS_PER_CALL_MAX = 2;
// Of each call of the account's object, which waits for nobody. What it takes here is told to the benches, and depends on
// what else this machine does.
const OBJECT_MS = 5;
// In long tests a job of the largest size, of which an address costs less.
const ADDRESSES = inject('isLong') ? 50_000 : 10_000;
const PER_DOMAIN = 8;

// The whole way of POST /v1/verify: the real application, account, database, bucket, DNS, SOCKS5 and SMTP.
test('a million single verifications cost less than three dollars, and none of them touches D1', async () => {
	const used = { databaseRows: 0, bucketWrites: 0, bucketReads: 0, objectRequests: 0, objectMs: 0 };
	const { accountId, apiKey } = await createAccount(compose(env), {
		email: 'costs@example.com',
		credits: CALLS,
	});
	const watched = {
		...env,
		DB: countingDatabase(env.DB, (rows) => (used.databaseRows += rows)),
		BLOBS: countingBucket(env.BLOBS, used),
	};
	const services = compose(watched);
	const app = countingApp(services, used);
	const stub = env.ACCOUNT.getByName(accountId);
	const rowsBefore = await rowsWrittenBy(stub);
	for (let n = 0; n < CALLS; n += 1) {
		const context = createExecutionContext();
		const email = `ada@shop-${String((n % 60) + 1).padStart(3, '0')}.test`;
		const response = await app.request(
			'/v1/verify',
			{
				method: 'POST',
				headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
				body: JSON.stringify({ email }),
			},
			watched,
			context,
		);
		expect(response.status).toBe(200);
		await waitOnExecutionContext(context);
	}
	const objectRows = (await rowsWrittenBy(stub)) - rowsBefore;
	// At most one alarm rings in five minutes, however many calls there were: here it is counted for these alone.
	const alarms = (await runDurableObjectAlarm(stub)) ? 1 : 0;
	const objectRequests = used.objectRequests + alarms;
	const usage = {
		...used,
		addresses: CALLS,
		invocations: CALLS,
		messages: 0,
		objectRows: objectRows + alarms,
		objectRequests,
		objectMs: objectRequests * OBJECT_MS,
	};
	expect(dollarsPerMillion(usage, CPU_MS)).toBeLessThanOrEqual(3);
	expect(usage.databaseRows).toBe(0);
	expect(objectRows).toBeLessThanOrEqual(ROWS_PER_CALL_MAX * CALLS);
	expect(objectRequests).toBe(2 * CALLS + alarms);
});

// The whole way from the request to the last row.
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
	const usage = {
		...world.used,
		addresses: ADDRESSES,
		invocations: 1 + messages,
		// Each alarm writes a row when it is set.
		objectRows: objectRows + alarms,
		objectRequests: calls.objectRequests + alarms,
		objectMs: calls.objectMs,
	};
	expect(dollarsPerMillion(usage, CPU_MS)).toBeLessThanOrEqual(1);
	// The parts decide, not the addresses: nothing is written for each of them.
	expect(objectRows + databaseRows).toBeLessThan(ADDRESSES / 25);
	expect(bucketWrites + bucketReads).toBeLessThan(ADDRESSES / 25);
});
