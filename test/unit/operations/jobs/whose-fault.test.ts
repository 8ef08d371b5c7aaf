import { describe, expect, test } from 'vitest';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { ServiceError } from '../../../../src/errors.ts';
import { verifyPart } from '../../../../src/operations/jobs/verify-part.ts';
import { partWorld, told } from '../../../support/unit/part-world.ts';
import type { PartWorldOptions } from '../../../support/unit/part-world.ts';

const ACCOUNT = { accountId: 'acc_1' };
const REQUEST = { jobId: 'job_1', part: 0, giveUp: false };

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
