import { createExecutionContext, runDurableObjectAlarm, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { compose } from '../../src/compose.ts';
import { createAccount } from '../../src/operations/accounts/accounts.ts';
import { rowsWrittenBy } from '../support/account-jobs.ts';
import {
	countingApp,
	countingBucket,
	countingDatabase,
	dollarsPerMillion,
	totalOf,
} from '../support/billing.ts';
import type { Usage } from '../support/billing.ts';

// What one address costs on the platform, counted on the whole way of POST /v1/verify: the real application, account,
// database, bucket, DNS, SOCKS5 and SMTP.

const CALLS = 100;
const DOLLARS_PER_MILLION_MAX = 3;
// The account's row and the line of the ledger.
const ROWS_PER_CALL_MAX = 2;
// Of a call, with its conversation: more than `npm run bench http` measures for all of workerd.
const CPU_MS = 10;
// Of each call of the account's object, which waits for nobody. What it takes here is told to the benches, and depends on
// what else this machine does.
const OBJECT_MS = 5;

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
	const { objectRequests, ...rest } = used;
	const usage: Usage = {
		what: 'single',
		addresses: CALLS,
		invocations: CALLS,
		objectRows: objectRows + alarms,
		messages: 0,
		...rest,
		objectRequests: objectRequests + alarms,
	};
	const billed = { ...usage, objectMs: usage.objectRequests * OBJECT_MS };
	expect(totalOf(dollarsPerMillion(billed, CPU_MS))).toBeLessThanOrEqual(DOLLARS_PER_MILLION_MAX);
	expect(usage.databaseRows).toBe(0);
	expect(objectRows).toBeLessThanOrEqual(ROWS_PER_CALL_MAX * CALLS);
	expect(usage.objectRequests).toBe(2 * CALLS + alarms);
});
