import { describe, expect, test } from 'vitest';
import { tallyRows } from '../../../../src/core/jobs/stored-row.ts';
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

describe('what was answered', () => {
	const emails = ['slow@x.test', 'ada@y.test', 'bob@z.test'];
	/** The first takes 40 seconds, the others none. */
	const answering = ({ clock }: ReturnType<typeof partWorld>) => {
		return (email: string) => (email.startsWith('slow') ? clock.sleep(40_000) : Promise.resolve());
	};

	test('is stored and settled while others are waited for, in absolute figures', async () => {
		const world = partWorld(emails);
		const working = verifyPart(world.services(answering(world)), ACCOUNT, REQUEST);
		await world.clock.advance(20_000);
		expect(told(world.rows(1))).toEqual([null, 'accepted_email', 'accepted_email']);
		await world.clock.advance(30_000);
		await working;
		expect(told(world.rows(2))).toEqual(['accepted_email', 'accepted_email', 'accepted_email']);
		expect(
			world.settlements.map(({ attempt, tally, holder }) => [
				attempt,
				tally.counts.deliverable,
				tally.deferred,
				holder?.token,
			]),
		).toEqual([
			[1, 2, 1, 'lease_1'],
			[2, 3, 0, undefined],
		]);
	});

	test('is stored once where nothing new came, and not at all before the first answer', async () => {
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

	test.each<[string, PartWorldOptions]>([
		['somebody else has the part', { held: () => false }],
		['somebody else has stored the attempt', { others: { 1: '[0,"slow@x.test",null,"greylisted",1,9]' } }],
	])('is the last thing that a consumer stores once %s', async (_, more) => {
		const world = partWorld(emails, more);
		const asked: string[] = [];
		const working = verifyPart(
			world.services((email) => {
				asked.push(email);
				return answering(world)(email);
			}),
			ACCOUNT,
			REQUEST,
		);
		await world.clock.advance(60_000);
		await working;
		expect([...world.stored.keys()]).toEqual([1]);
		expect(world.settlements.at(-1)?.tally).toEqual(tallyRows(world.rows(1)));
		expect(asked).toHaveLength(3);
	});
});
