import { describe, expect, test } from 'vitest';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { ServiceError } from '../../../../src/errors.ts';
import { verifyPart } from '../../../../src/operations/jobs/verify-part.ts';
import { partWorld, told } from '../../../support/unit/part-world.ts';
import type { PartWorldOptions } from '../../../support/unit/part-world.ts';

const ACCOUNT = { accountId: 'acc_1' };
const REQUEST = { jobId: 'job_1', part: 0 };

describe('the lease of a part', () => {
	test('is renewed for as long as the work takes and no longer, ever less often up to a minute', async () => {
		const { clock, services, renewals } = partWorld(['ada@x.test']);
		const working = verifyPart(
			services(() => clock.sleep(250_000)),
			ACCOUNT,
			REQUEST,
		);
		await clock.advance(260_000);
		await working;
		expect(renewals).toEqual([5_000, 25_000, 85_000, 145_000, 205_000]);
		await clock.advance(120_000);
		expect(renewals).toHaveLength(5);
	});

	test('that cannot be renewed stops nothing: what is found is stored all the same', async () => {
		const lost = partWorld(['ada@x.test'], { renew: () => Promise.reject(new Error('the account is away')) });
		const working = verifyPart(
			lost.services(() => lost.clock.sleep(7_000)),
			ACCOUNT,
			REQUEST,
		);
		await lost.clock.advance(10_000);
		await working;
		expect(lost.rows().map((row) => row.slice(0, 3))).toEqual([[0, 'ada@x.test', 'accepted_email']]);
	});

	test('that another consumer has now ends the work: no further address is asked, and nothing is stored', async () => {
		const emails = Array.from({ length: 12 }, (_, index) => `ada@x${index}.test`);
		const lost = partWorld(emails, { renew: () => Promise.resolve(false) });
		const asked: string[] = [];
		const working = verifyPart(
			lost.services((email) => {
				asked.push(email);
				return lost.clock.sleep(7_000);
			}),
			ACCOUNT,
			REQUEST,
		);
		await lost.clock.advance(60_000);
		await working;
		expect(asked).toEqual(emails.slice(0, 6));
		expect([lost.renewals, lost.stored.size, lost.settlements]).toEqual([[5_000], 0, []]);
	});
});

describe('an address that was not reached before the deadline of its part', () => {
	const emails = Array.from({ length: 7 }, (_, index) => `ada@x${index}.test`);

	test.each([
		['its first turn', {}, [null, 'no_capacity', 0]],
		['its last turn', { 1: `[6,"ada@x6.test",null,"greylisted",2,0]` }, [null, 'greylisted', 2]],
	])('has %s still before it, and its server is not called slow', async (_, others, row) => {
		const attempt = Object.keys(others).length + 1;
		const { clock, services, rows } = partWorld(emails, { claim: { attempt }, others });
		const asked: string[] = [];
		const examineEmail = (email: string): Promise<void> => {
			asked.push(email);
			if (asked.length === 6) clock.jump(300_000);
			return Promise.resolve();
		};
		await verifyPart(services(examineEmail), ACCOUNT, REQUEST);
		expect(asked).toEqual(emails.slice(0, 6));
		expect(rows()).toHaveLength(7);
		expect(rows()[6]).toEqual([6, 'ada@x6.test', ...row, 300_000]);
	});
});

test('what was answered is stored once where nothing new came, and not at all before the first answer', async () => {
	const world = partWorld(['slow@x.test', 'slower@x2.test']);
	const working = verifyPart(
		world.services((email) => world.clock.sleep(email.startsWith('slower') ? 70_000 : 35_000)),
		ACCOUNT,
		REQUEST,
	);
	await world.clock.advance(30_000);
	expect(world.stored.size).toBe(0);
	await world.clock.advance(35_000);
	expect(world.stored.size).toBe(1);
	await world.clock.advance(20_000);
	await working;
	expect(world.stored.size).toBe(2);
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
		await verifyPart(world.services(answers), ACCOUNT, REQUEST);
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
		await verifyPart(world.services(answers), ACCOUNT, REQUEST);
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
	const { clock, services, points } = partWorld(['ada@x.test', 'bob@x.test', 'cy@grey.test']);
	const working = verifyPart(
		services(async (email) => {
			await clock.sleep(4_000);
			return email === 'cy@grey.test' ? 'greylisted' : 'accepted_email';
		}),
		ACCOUNT,
		REQUEST,
	);
	await clock.advance(6_000);
	await working;
	expect(points).toEqual([
		['outcome', { ...final, subStatus: 'accepted_email', count: 2 }],
		['deferral', { operator: 'other', subStatus: 'greylisted', kind: 'again', count: 1 }],
		['settle_lag', { class: 'list', ms: 0 }],
	]);
});

test('an answer counts once, however often its part is stored meanwhile', async () => {
	const { clock, services, points } = partWorld(['ada@x.test', 'bob@slow.test']);
	const working = verifyPart(
		services((email) => clock.sleep(email === 'bob@slow.test' ? 40_000 : 1_000)),
		ACCOUNT,
		REQUEST,
	);
	await clock.advance(45_000);
	await working;
	const outcomes = points.filter(([metric]) => metric === 'outcome');
	expect(outcomes).toEqual([['outcome', { ...final, subStatus: 'accepted_email', count: 2 }]]);
	const [, lag] = points.find(([metric]) => metric === 'settle_lag') ?? [];
	// Stored every fifteen seconds: an answer of the first second waits for the rest.
	expect(lag).toEqual({ class: 'list', ms: 14_000 });
});

test('a part of 250 addresses at as many kinds of hosts writes no more points than an invocation may', async () => {
	const emails = Array.from({ length: 250 }, (_, index) => `ada@x${index}.test`);
	const kinds = [
		'timeout',
		'no_connect',
		'rejected_email',
		'mailbox_full',
		'disposable',
		'antispam_system',
		'opted_out',
		'catch_all',
		'no_mx_records',
		'dns_error',
		'tls_required',
		'mailbox_disabled',
		'gateway_protected',
		'invalid_domain',
		'probe_blocked',
		'smtputf8_unsupported',
	] as const;
	const { services, points } = partWorld(emails);
	await verifyPart(
		services((email) => Promise.resolve(kinds[Number(/\d+/.exec(email)?.[0]) % kinds.length] ?? 'timeout')),
		ACCOUNT,
		REQUEST,
	);
	expect(points.length).toBeLessThanOrEqual(20);
	const counted = points.flatMap(([metric, point]) =>
		metric === 'outcome' || metric === 'deferral' ? [(point as { count: number }).count] : [],
	);
	expect(counted.reduce((sum, count) => sum + count, 0)).toBe(250);
});
