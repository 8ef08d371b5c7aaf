import { describe, expect, test } from 'vitest';
import { decodeRows } from '../../../../src/core/jobs/stored-row.ts';
import type { PartRow } from '../../../../src/core/jobs/stored-row.ts';
import { SUB_STATUSES } from '../../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import type { Conclusion } from '../../../../src/engine/examine.ts';
import { ServiceError } from '../../../../src/errors.ts';
import type { AccountPort } from '../../../../src/operations/accounts/port.ts';
import { verifyPart } from '../../../../src/operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../../../../src/operations/jobs/verify-part.ts';
import { PLAIN_JOB } from '../../../support/plain-job.ts';
import { foundOf, mailAt } from '../../../support/unit/mail-at.ts';
import { addressOf } from '../../../support/unit/mail-servers.ts';
import { virtualClock } from '../../../support/unit/virtual-clock.ts';

const JOB = { ...PLAIN_JOB, submitted: 1, accepted: 1, parts: 1, creditsReserved: 1 };

type Claimed = Extract<Awaited<ReturnType<AccountPort['claimPart']>>, { kind: 'claimed' }>;

interface PartWorldOptions {
	readonly claim?: Partial<Claimed>;
	readonly renew?: () => Promise<boolean>;
	/** Attempts that another consumer has stored before ours, by number. */
	readonly others?: Readonly<Record<number, string>>;
}

/** One part with these addresses, and services that all work. */
function partWorld(emails: readonly string[], more: PartWorldOptions = {}) {
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
const told = (rows: readonly PartRow[]): unknown[] => rows.map(([, , subStatus]) => subStatus);

describe('the lease of a part', () => {
	test('is renewed for as long as the work takes and no longer, ever less often up to a minute', async () => {
		const { clock, work, renewals } = partWorld(['ada@x.test']);
		await work(() => clock.sleep(250_000));
		expect(renewals).toEqual([5_000, 25_000, 85_000, 145_000, 205_000]);
		await clock.run(clock.sleep(120_000));
		expect(renewals).toHaveLength(5);
	});

	test('that cannot be renewed stops nothing: what is found is stored all the same', async () => {
		const renew = () => Promise.reject(new Error('the account is away'));
		const { clock, work, rows } = partWorld(['ada@x.test'], { renew });
		await work(() => clock.sleep(7_000));
		expect(rows().map((row) => row.slice(0, 3))).toEqual([[0, 'ada@x.test', 'accepted_email']]);
	});

	test('that another consumer has now ends the work: no further address is asked, and nothing is stored', async () => {
		const emails = Array.from({ length: 12 }, (_, index) => `ada@x${index}.test`);
		const lost = partWorld(emails, { renew: () => Promise.resolve(false) });
		const asked: string[] = [];
		await lost.work((email) => {
			asked.push(email);
			return lost.clock.sleep(7_000);
		});
		expect(asked).toEqual(emails.slice(0, 6));
		expect([lost.renewals, lost.stored.size, lost.settlements]).toEqual([[5_000], 0, []]);
	});
});

test.each([
	['its first turn', {}, [null, 'no_capacity', 0]],
	['its last turn', { 1: `[6,"ada@x6.test",null,"greylisted",2,0]` }, [null, 'greylisted', 2]],
])(
	'an address that was not reached before the deadline of its part has %s still before it, and its server is not called slow',
	async (_, others, row) => {
		const emails = Array.from({ length: 7 }, (__, index) => `ada@x${index}.test`);
		const attempt = Object.keys(others).length + 1;
		const { clock, work, rows } = partWorld(emails, { claim: { attempt }, others });
		const asked: string[] = [];
		await work((email) => {
			asked.push(email);
			return clock.sleep(301_000);
		});
		expect(asked).toEqual(emails.slice(0, 6));
		expect(rows()).toHaveLength(7);
		expect(rows()[6]).toEqual([6, 'ada@x6.test', ...row, 301_000]);
	},
);

test('what was answered is stored once where nothing new came, and not at all before the first answer', async () => {
	const { clock, work, settlements } = partWorld(['slow@x.test', 'slower@x2.test']);
	await work((email) => clock.sleep(email.startsWith('slower') ? 70_000 : 35_000));
	expect(settlements.map(({ now }) => now)).toEqual([45_000, 70_000]);
});

describe('a server that cannot be reached', () => {
	/** What comes of each address, whose local part is what is found of it, when the part was worked on. */
	async function workOn(emails: readonly string[], more: PartWorldOptions = {}) {
		const world = partWorld(emails, more);
		const answers = (email: string): Promise<SubStatus> => {
			const [found = ''] = email.split('@');
			if (found !== 'outage') return Promise.resolve(found as SubStatus);
			return Promise.reject(new ServiceError('upstream_unavailable', 'No way out leads anywhere'));
		};
		await world.work(answers);
		return world;
	}
	const dead = Array.from({ length: 20 }, (_, n) => `no_connect@dead${n}.test`);
	const out = Array.from({ length: 20 }, (_, n) => `outage@x${n}.test`);

	test('is dead, and that is final, however many there are', async () => {
		const { rows } = await workOn(dead);
		expect(new Set(told(rows()))).toEqual(new Set(['no_connect']));
	});

	test('and replied about another address a moment ago is asked as often as the job asks', async () => {
		const emails = ['accepted_email@x.test', 'no_connect@x.test', 'no_connect@y.test'];
		const { rows } = await workOn(emails);
		expect(told(rows())).toEqual(['accepted_email', null, 'no_connect']);
		expect(rows()[1]?.slice(3)).toEqual(['no_connect', 1, 60_000]);
	});

	test('by a way out that is out is put off with all the others, and nothing is stored: the part waits', async () => {
		const { stored, postponed } = await workOn(out);
		expect(stored.size).toBe(0);
		expect(postponed).toMatchObject([{ token: 'lease_1', now: 0, until: 60_000 }]);
	});

	test('by a way out that is out is waited for until the horizon of the job, and no longer', async () => {
		expect((await workOn(out, { claim: { horizon: 1 } })).postponed).toMatchObject([{ until: 1 }]);
		const { postponed, rows } = await workOn(out, { claim: { horizon: 0 } });
		expect(postponed).toEqual([]);
		expect(told(rows())).toEqual(out.map(() => 'no_capacity'));
	});
});

describe('a name whose servers fail (SERVFAIL)', () => {
	const answers = async (email: string) => (email === 'ada@x.test' ? 'name_servers_fail' : 'accepted_email');
	const ofAda = async (more: PartWorldOptions = {}) => {
		const world = partWorld(['ada@x.test', 'bob@y.test'], more);
		await world.work(answers);
		return world.rows();
	};
	// RFC 2308 §7.1: such a failure may be over in minutes.
	test('is asked again after the first pause of its job, and delays no other', async () => {
		const rows = await ofAda();
		expect(rows[0]).toEqual([0, 'ada@x.test', null, 'dns_error', 1, 60_000]);
		expect(told(rows)).toEqual([null, 'accepted_email']);
	});

	test.each([
		[0, [60_000, 300_000, 900_000], null],
		[1, [60_000, 300_000, 900_000], 'dns_error'],
		[0, [], 'dns_error'],
	])(
		'that was asked again %i times, of the pauses %j, is %j: most stay broken, and nearly every list has one',
		async (asked, retryDelaysMs, end) => {
			const row = [0, 'ada@x.test', null, 'dns_error', asked, 0];
			const others = { 1: JSON.stringify(row) };
			expect(told(await ofAda({ others, claim: { attempt: 2, retryDelaysMs } }))[0]).toBe(end);
		},
	);
});

const final = { operator: 'other', stage: 'smtp', class: 'list' };

test('a part notes its answers by operator, sub_status and stage, who is asked again, and how long answers waited', async () => {
	const { clock, work, points } = partWorld(['ada@x.test', 'bob@x.test', 'cy@grey.test']);
	await work(async (email) => {
		await clock.sleep(4_000);
		return email === 'cy@grey.test' ? 'greylisted' : 'accepted_email';
	});
	expect(points).toEqual([
		['outcome', { ...final, subStatus: 'accepted_email', count: 2 }],
		['deferral', { operator: 'other', subStatus: 'greylisted', kind: 'again', count: 1 }],
		['settle_lag', { class: 'list', ms: 0 }],
	]);
});

test('an answer counts once, however often its part is stored meanwhile', async () => {
	const { clock, work, points } = partWorld(['ada@x.test', 'bob@slow.test']);
	await work((email) => clock.sleep(email === 'bob@slow.test' ? 40_000 : 1_000));
	const outcomes = points.filter(([metric]) => metric === 'outcome');
	expect(outcomes).toEqual([['outcome', { ...final, subStatus: 'accepted_email', count: 2 }]]);
	const [, lag] = points.find(([metric]) => metric === 'settle_lag') ?? [];
	// Stored every fifteen seconds: an answer of the first second waits for the rest.
	expect(lag).toEqual({ class: 'list', ms: 14_000 });
});

test('a part of 250 addresses at as many kinds of hosts writes no more points than an invocation may', async () => {
	const kinds = Object.keys(SUB_STATUSES) as SubStatus[];
	const { work, points } = partWorld(Array.from({ length: 250 }, (_, index) => `ada@x${index}.test`));
	await work(async (email) => kinds[Number(/\d+/.exec(email)?.[0]) % kinds.length] ?? 'timeout');
	expect(points.length).toBeLessThanOrEqual(20);
	const counted = points.flatMap(([, point]) => ('count' in point ? [Number(point.count)] : []));
	expect(counted.reduce((sum, count) => sum + count, 0)).toBe(250);
});
