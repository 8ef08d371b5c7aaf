import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BooksFacts } from '../../../../src/core/audit/facts.ts';
import { liveAccountOf } from '../../../../src/core/keys/api-key.ts';
import { SILENT } from '../../../../src/core/metrics/metrics.ts';
import { auditSome } from '../../../../src/operations/audit/audit.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';

// Every account has its turn within a week, at a hundred thousand accounts: by the cron of wrangler.toml and the steps of
// one run, counted on some thousand accounts with test keys, jobs and a ledger.

const ACCOUNTS = 100_000;
const COUNTED = 2_000;
/** The rest is for accounts whose ledgers and jobs take more than a page each, and for runs that end early. */
const SHARE = 0.75;

const [, minutes] = /"5-59\/(\d+) \* \* \* \*"/.exec(readFileSync('wrangler.toml', 'utf8')) ?? [];
const RUNS_A_WEEK = 7 * 24 * Math.floor(60 / Number(minutes));

const IDS = Array.from({ length: COUNTED }, (_, n) => `acc_${String(n).padStart(8, '0')}`);

function following(after: string | null): string | null {
	return after === null ? (IDS[0] ?? null) : (IDS[IDS.indexOf(after) + 1] ?? null);
}

const BOOKS: BooksFacts = {
	balance: { granted: 0, consumed: 0, reserved: 0, refunded: 0 },
	said: { lines: 0, granted: 0, charged: 0, reserved: 0 },
	all: { lines: 0, change: 0 },
	grants: 0,
	running: { charged: 0, reserved: 0 },
	suspendedAt: null,
	closedAt: null,
	liveKeys: 1,
	runningJobs: 0,
	due: null,
	alarmAt: null,
	deliveries: { late: [], far: [], orphaned: [] },
};

test('the audit reaches 100,000 accounts within a week', async () => {
	const clock = fakeClock();
	let place: string | null = null;
	const looked = new Set<string>();
	const none = (): Promise<readonly []> => Promise.resolve([]);
	const services: Parameters<typeof auditSome>[0] = {
		clock,
		metrics: SILENT,
		accounts: (accountId) => ({
			auditBooks: () => {
				looked.add(liveAccountOf(accountId));
				return Promise.resolve(BOOKS);
			},
			auditLedger: () => Promise.resolve({ lines: 0, wrong: [], orphans: [], bought: [], next: null }),
			auditGrants: none,
			auditJobs: none,
			knownJobs: none,
			claimsOf: none,
		}),
		accountRegister: {
			enteredAt: () => Promise.resolve(1),
			nextAccount: (after) => Promise.resolve(following(after)),
		},
		auditedListing: {
			findStanding: (id) => Promise.resolve({ id, suspendedAt: null, closedAt: null }),
			nextAccount: (after) => Promise.resolve(following(after)),
			jobsListed: none,
			jobsOf: none,
			jobsAfter: none,
			accountsListed: none,
			accountsOfNobody: none,
			purchasesNamed: none,
			purchasesOf: none,
			purchasesOfNobody: none,
		},
		auditedBucket: {
			namesOf: none,
			firstNamesOf: none,
			oldUploads: () => Promise.resolve({ accountIds: [], next: null }),
			readPlace: () => Promise.resolve(place),
			keepPlace: (kept) => {
				place = kept;
				return Promise.resolve();
			},
		},
		keptJobs: { list: () => Promise.resolve({ jobs: [], last: null, isEnd: true }) },
		directory: { findJobAccount: () => Promise.resolve(null) },
	};
	let runs = 1;
	while (!(await auditSome(services)).isRound) runs += 1;
	expect(looked.size).toBe(COUNTED);
	expect(RUNS_A_WEEK).toBe(1_008);
	expect((runs * ACCOUNTS) / COUNTED).toBeLessThan(SHARE * RUNS_A_WEEK);
});
