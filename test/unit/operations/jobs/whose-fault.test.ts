import { describe, expect, test } from 'vitest';
import { UnreadableAnswer } from '../../../../src/core/dns/resolver.ts';
import type { Contact } from '../../../../src/core/outages/history.ts';
import { verifyPart } from '../../../../src/operations/jobs/verify-part.ts';
import { IsolateWaysOut } from '../../../../src/storage/memory.ts';
import { partWorld, told } from '../../../support/unit/part-world.ts';
import type { PartWorldOptions } from '../../../support/unit/part-world.ts';

const ACCOUNT = { accountId: 'acc_1' };
const REQUEST = { jobId: 'job_1', part: 0, giveUp: false };

describe('servers that cannot be reached', () => {
	const dead = Array.from({ length: 20 }, (_, index) => `ada@dead${index}.test`);
	const living = Array.from({ length: 20 }, (_, index) => `ada@living${index}.test`);

	/** A part whose dead servers the egress tells of, and what comes of it at once. */
	async function workOn(emails: readonly string[], isGiant = false, more: PartWorldOptions = {}) {
		const world = partWorld(emails, more);
		const waysOut = new IsolateWaysOut();
		const services = world.services((email) => {
			const worked = email.includes('living');
			const now = world.clock.now();
			waysOut.tried('egress', { parties: [email], isGiant, begun: now, at: now, worked });
			world.clock.jump(100);
			return Promise.resolve(worked ? 'accepted_email' : 'no_connect');
		}, waysOut);
		await verifyPart(services, ACCOUNT, REQUEST);
		return world;
	}

	test('among others that can are not reachable, and that is final', async () => {
		const mixed = dead.flatMap((email, n) => [email, living[n] ?? '']);
		const { rows } = await workOn(mixed);
		expect(new Set(told(rows()))).toEqual(new Set(['no_connect', 'accepted_email']));
	});

	/** What befell the way out before, and how often the one server that it fails at is asked. */
	const seen = (worked: boolean, party: string, unexplained = false): Contact => ({
		parties: [party],
		isGiant: false,
		begun: 0,
		at: 0,
		worked,
		unexplained,
	});
	test.each<[string, readonly Contact[], boolean]>([
		['that could be a moment ago may be again', [seen(true, 'x.test')], true],
		['are dead where the way out says so', [seen(false, 'x.test')], false],
		['may live where the way out says nothing and led nowhere else', [seen(false, 'x.test', true)], true],
		[
			'are dead where it says nothing and leads others somewhere',
			[seen(true, 'other.test'), seen(false, 'x.test', true)],
			false,
		],
	])('%s: these are asked as often as the job asks, and no others', async (_, contacts, again) => {
		const world = partWorld(['ada@x.test', 'bob@y.test']);
		const waysOut = new IsolateWaysOut();
		for (const contact of contacts) waysOut.tried('egress', contact);
		await verifyPart(
			world.services(() => Promise.resolve('no_connect'), waysOut),
			ACCOUNT,
			REQUEST,
		);
		expect(told(world.rows())).toEqual([again ? null : 'no_connect', 'no_connect']);
		if (again) expect(world.rows()[0]?.slice(3)).toEqual(['no_connect', 1, 60_000, null]);
	});

	test('one after the other are put off: perhaps our way out is out', async () => {
		const { rows } = await workOn([...living, ...dead]);
		expect(told(rows())).toEqual([...living.map(() => 'accepted_email'), ...dead.map(() => null)]);
		// Nobody counts what was not their fault, and they are asked in a minute.
		const now = 100 * (living.length + dead.length);
		for (const row of rows().slice(living.length)) expect(row.slice(4)).toEqual([0, now + 60_000, now]);
	});

	test('and were all that was met leave nothing to store: the part waits', async () => {
		const { stored, postponed } = await workOn(dead);
		expect(stored.size).toBe(0);
		expect(postponed).toMatchObject([{ token: 'lease_1', now: 2_000, until: 62_000 }]);
	});

	test.each([
		['only suspected', false, 15 * 60_000, 'no_connect'],
		['beyond doubt', true, 6 * 3_600_000, 'unexpected_error'],
	])('for as long as an outage that is %s may last, and no longer', async (_, isGiant, mostMs, end) => {
		// Where there is no doubt, the part gives up after a dozen.
		const tookMs = 100 * (isGiant ? 12 : dead.length);
		const since = (ago: number) => workOn(dead, isGiant, { claim: { postponedSince: tookMs - ago } });
		expect((await since(mostMs - 1)).postponed).toHaveLength(1);
		const { postponed, rows } = await since(mostMs);
		expect(postponed).toEqual([]);
		expect(told(rows())).toEqual(dead.map(() => end));
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
		expect(rows[0]).toEqual([0, 'ada@x.test', null, 'dns_error', 1, 60_000, null]);
		expect(told(rows)).toEqual([null, 'accepted_email']);
	});

	test.each([
		[0, [60_000, 300_000, 900_000], null],
		[1, [60_000, 300_000, 900_000], 'dns_error'],
		[0, [], 'dns_error'],
	])(
		'that was asked again %i times, of the pauses %j, is %j: most stay broken, and nearly every list has one',
		async (asked, retryDelaysMs, end) => {
			const row = [0, 'ada@x.test', null, 'dns_error', asked, 0, null];
			const others = { 1: JSON.stringify(row) };
			expect(told(await ofAda({ others, claim: { attempt: 2, retryDelaysMs } }))[0]).toBe(end);
		},
	);
});

describe('a name of which the resolver says nothing readable', () => {
	const emails = ['ada@odd.test', 'bob@y.test'];
	const toldOf = async (resolverWorked: boolean): Promise<unknown> => {
		const world = partWorld(emails);
		const waysOut = new IsolateWaysOut();
		if (resolverWorked)
			waysOut.tried('resolver', { parties: ['y.test'], isGiant: false, begun: 0, at: 0, worked: true });
		const services = world.services(
			(email) => (email === 'ada@odd.test' ? Promise.reject(new UnreadableAnswer()) : Promise.resolve()),
			waysOut,
		);
		await verifyPart(services, ACCOUNT, REQUEST);
		return told(world.rows());
	};

	test('is the one at fault where others are read', async () => {
		expect(await toldOf(true)).toEqual(['dns_error', 'accepted_email']);
	});

	test('waits where that is not known yet, without delaying other addresses', async () => {
		expect(await toldOf(false)).toEqual([null, 'accepted_email']);
	});
});
