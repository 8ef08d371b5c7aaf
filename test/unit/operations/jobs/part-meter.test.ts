import { expect, test } from 'vitest';
import { verifyPart } from '../../../../src/operations/jobs/verify-part.ts';
import { partWorld } from '../../../support/unit/part-world.ts';

const ACCOUNT = { accountId: 'acc_1' };
const REQUEST = { jobId: 'job_1', part: 0, giveUp: false };

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
