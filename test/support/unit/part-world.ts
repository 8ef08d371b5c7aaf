import type { AccountPort } from '../../../src/operations/accounts/port.ts';
import { decodeRows } from '../../../src/core/jobs/stored-row.ts';
import type { PartRow } from '../../../src/core/jobs/stored-row.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import type { Conclusion } from '../../../src/engine/case.ts';
import { verifyPart } from '../../../src/operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../../../src/operations/jobs/verify-part.ts';
import { PLAIN_JOB } from '../plain-job.ts';
import { addressOf } from './mail-servers.ts';
import { foundOf, mailAt } from './mail-at.ts';
import { virtualClock } from './virtual-clock.ts';

const JOB = { ...PLAIN_JOB, submitted: 1, accepted: 1, parts: 1, creditsReserved: 1 };

type Claimed = Extract<Awaited<ReturnType<AccountPort['claimPart']>>, { kind: 'claimed' }>;

export interface PartWorldOptions {
	readonly claim?: Partial<Claimed>;
	readonly renew?: () => Promise<boolean>;
	/** Attempts that another consumer has stored before ours, by number. */
	readonly others?: Readonly<Record<number, string>>;
}

/** One part with these addresses, and services that all work. */
export function partWorld(emails: readonly string[], more: PartWorldOptions = {}) {
	const clock = virtualClock(0);
	const settlements: Parameters<AccountPort['settlePart']>[0][] = [];
	const postponed: Parameters<AccountPort['postponePart']>[0][] = [];
	const renewals: number[] = [];
	const points: (readonly [metric: string, point: object])[] = [];
	const stored = new Map<number, string>();
	const claimed: Claimed = {
		kind: 'claimed',
		jobKind: 'verification',
		rescuesCatchAll: false,
		freeAnswersLeft: Infinity,
		payer: {},
		attempt: 1,
		abandoned: false,
		count: emails.length,
		retryDelaysMs: [60_000, 300_000],
		silentSince: 0,
		horizon: 86_400_000,
		isSmall: false,
		...more.claim,
	};
	const account: Pick<
		AccountPort,
		'findOutcomes' | 'findJob' | 'claimPart' | 'renewPart' | 'settlePart' | 'postponePart'
	> = {
		findOutcomes: ({ addresses }) => Promise.resolve(addresses.map(() => null)),
		findJob: () => Promise.resolve(JOB),
		claimPart: () => Promise.resolve(claimed),
		renewPart: ({ now }) => {
			renewals.push(now);
			return more.renew?.() ?? Promise.resolve(true);
		},
		settlePart: (request) => {
			settlements.push(request);
			return Promise.resolve({ job: JOB, ready: false, held: request.holder !== undefined });
		},
		postponePart: (request) => {
			postponed.push(request);
			return Promise.resolve();
		},
	};
	const input = JSON.stringify(emails.map((email, index) => [index, email]));
	const services = (
		examineEmail: (email: string) => Promise<SubStatus | 'name_servers_fail' | void>,
	): VerifyPartServices => ({
		clock,
		accounts: () => account as AccountPort,
		digestsOf: () => [],
		metrics: { note: (metric, point) => void points.push([metric, point]) },
		newId: () => 'lease_1',
		listJob: () => Promise.resolve(true),
		lookUpMail: ({ domain }) => Promise.resolve(mailAt(`mx.${domain}`)),
		examineAddresses: (addresses) =>
			Promise.all(
				addresses.map(async ({ email }): Promise<Conclusion> => {
					const answer = (await examineEmail(email)) ?? 'accepted_email';
					const address = addressOf(email);
					if (answer === 'name_servers_fail')
						return { ...foundOf(address, 'dns_error', 'dns'), nameServersFail: true };
					const found = foundOf(address, answer);
					const mxRecord = `mx.${address.domain}`;
					const replied = answer === 'no_connect' ? {} : { answeredBy: mxRecord };
					return { ...found, ...replied, outcome: { ...found.outcome, mxRecord } };
				}),
			),
		jobBlobs: {
			readPart: () => Promise.resolve(input),
			putAttempt: (_: string, __: number, attempt: number, rows: string) => {
				const kept = more.others?.[attempt] ?? rows;
				stored.set(attempt, kept);
				return Promise.resolve(kept);
			},
			readAttempt: (_: string, __: number, attempt: number) =>
				Promise.resolve(attempt < claimed.attempt ? (more.others?.[attempt] ?? null) : null),
		} as Partial<VerifyPartServices['jobBlobs']> as VerifyPartServices['jobBlobs'],
	});
	/** The rows of an attempt, by default the last one. */
	const rows = (attempt = Math.max(...stored.keys())) => decodeRows(stored.get(attempt) ?? '');
	/** Works on the part until it is done. */
	const work = (...of: Parameters<typeof services>) =>
		clock.run(verifyPart(services(...of), { accountId: 'acc_1' }, { jobId: 'job_1', part: 0 }));
	return { clock, work, settlements, postponed, renewals, stored, rows, points };
}

/** The `sub_status` of each row; null: the row is open. */
export const told = (rows: readonly PartRow[]): unknown[] => rows.map(([, , subStatus]) => subStatus);
