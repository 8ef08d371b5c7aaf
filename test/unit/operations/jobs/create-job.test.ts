import type { AccountPort } from '../../../../src/operations/accounts/port.ts';
import { array, assert, asyncProperty, constantFrom, option, string } from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../../../src/lib/digest.ts';
import { createJob } from '../../../../src/operations/jobs/start.ts';
import type { StartServices } from '../../../../src/operations/jobs/start.ts';
import type { OpenJobRequest } from '../../../../src/operations/jobs/port.ts';

const services = {
	clock: { now: () => 0, sleep: () => Promise.resolve() },
	newId: (prefix: string) => `${prefix}_1`,
	jobBlobs: {
		putInput: () => Promise.resolve(),
		putSummary: () => Promise.resolve(),
		putRejected: () => Promise.resolve(),
		remove: () => Promise.resolve(),
	},
	jobTiming: { retryDelaysMs: [1], redriveAfterMs: 1, resultsTtlMs: 1 },
	sendParts: () => Promise.resolve(),
	listJob: () => {},
	requireProber: () => {},
} as unknown as StartServices;

/** What the account is told of a request with an Idempotency-Key. */
async function fingerprintOf(emails: readonly string[], name: string | null, rescuesCatchAll = false) {
	const requests: OpenJobRequest[] = [];
	const account = {
		findAnswer: () => Promise.resolve(null),
		openJob: (request: OpenJobRequest) => {
			requests.push(request);
			return Promise.resolve({ kind: 'opened', job: {}, sent: [] });
		},
	} as unknown as AccountPort;
	const owner = { accountId: 'acc', keyId: 'key' };
	await createJob({ ...services, accounts: () => account }, owner, {
		emails,
		name,
		rescuesCatchAll,
		idempotencyKey: 'once',
	});
	return requests[0]?.idempotency?.fingerprint;
}

test('a request under an Idempotency-Key is known by the digest of its list and name, of any length', async () => {
	const others = array(string({ unit: 'binary' }), { maxLength: 20 });
	const lengths = constantFrom(0, 1, 998, 999, 1_000, 1_999, 2_500);
	await assert(
		asyncProperty(others, lengths, option(string()), async (texts, more, name) => {
			const emails = [
				'ada@acme.example',
				...texts,
				...Array.from({ length: more }, (_, n) => `${n}@a.example`),
			];
			expect(await fingerprintOf(emails, name)).toBe(sha256Hex(JSON.stringify([emails, name])));
			// The deep check in the job makes another request of it.
			expect(await fingerprintOf(emails, name, true)).toBe(
				sha256Hex(JSON.stringify([emails, name, 'auto_catchall_rescue'])),
			);
		}),
		{ numRuns: 25 },
	);
});
