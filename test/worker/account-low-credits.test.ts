import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { admitCall } from '../support/account-jobs.ts';
import { GONE, bodiesOf, complete, openWithWebhooks } from '../support/webhooks.ts';
import type { World } from '../support/webhooks.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// Low credits are told once for each fall below the threshold, by mail and to endpoints; and how mails to the owner are sent.

failsOnPurpose();

let changes = 0;

/** Adds credits, or takes them. */
async function change({ stub, start }: World, credits: number): Promise<void> {
	changes += 1;
	await stub.grant({ id: `change ${changes}`, credits, now: start });
}

async function openLow(below: number | null, mails: boolean): Promise<World> {
	const world = await openWithWebhooks(10, 0);
	await world.stub.setCreditsLow({ below, mails });
	return world;
}

describe('the owner of an account', () => {
	test('is told once when the balance falls below the threshold, and again after it was reached again', async () => {
		const world = await openLow(9, true);
		await change(world, -1);
		await world.ring(world.start);
		expect(world.toldLow).toEqual([]);
		await change(world, -1);
		await world.ring(world.start);
		await change(world, -3);
		await world.ring(world.start + 1);
		const { accountId } = world;
		expect(world.toldLow).toEqual([{ accountId, balance: 8, below: 9 }]);
		await change(world, 4);
		await change(world, -9);
		await world.ring(world.start + 2);
		expect(world.toldLow.slice(1)).toEqual([{ accountId, balance: 0, below: 9 }]);
		expect(await world.stub.creditsLow()).toEqual({ below: 9, isLow: true, mails: true });
	});

	test('is told of a fall that comes while the mail about another is on its way', async () => {
		const world = await openLow(9, true);
		await change(world, -5);
		world.answers.meanwhile = async (object) => {
			world.answers.meanwhile = () => Promise.resolve();
			await object.grant({ id: 'meanwhile more', credits: 10, now: world.start + 1 });
			await object.grant({ id: 'meanwhile less', credits: -12, now: world.start + 2 });
		};
		await world.ring(world.start);
		await world.ring(world.start);
		await world.ring(world.start + 2 * HOUR_MS);
		expect(world.toldLow.map(({ balance }) => balance)).toEqual([5, 3]);
	});

	test.each([
		['wants no mail', 9, false],
		['set no threshold', null, true],
	])('who %s gets none', async (_, below, mails) => {
		const world = await openLow(below, mails);
		await change(world, -10);
		await world.ring(world.start);
		expect(world.toldLow).toEqual([]);
		expect((await world.stub.creditsLow()).isLow).toBe(below !== null);
	});

	test.each<[string, (world: World) => Promise<void>]>([
		['adds credits', (world) => change(world, 10)],
		['wants to be told of less', ({ stub }) => stub.setCreditsLow({ below: 1 })],
		['wants no mail any more', ({ stub }) => stub.setCreditsLow({ below: 9, mails: false })],
		['deletes the account', ({ stub, start }) => stub.close({ now: start })],
	])('who %s before the mail is sent gets none', async (_, act) => {
		const world = await openLow(9, true);
		await change(world, -5);
		await act(world);
		await world.ring(world.start);
		expect(world.toldLow).toEqual([]);
	});

	test('keeps the choice when a program changes the threshold by the API', async () => {
		const world = await openLow(9, true);
		await world.stub.setCreditsLow({ below: 5 });
		expect(await world.stub.creditsLow()).toEqual({ below: 5, isLow: false, mails: true });
	});
});

type Mails = 'done' | 'told' | 'toldLow';

describe('a mail that can not be sent', () => {
	test.each<[string, Mails, number, number, (world: World) => Promise<unknown>]>([
		[
			'a list that is done',
			'done',
			5 * MINUTE_MS,
			DAY_MS,
			(world) => complete(world, 'job_1', world.start, { mailWhenDone: true }),
		],
		[
			'an endpoint that is disabled',
			'told',
			HOUR_MS,
			DAY_MS + HOUR_MS,
			async (world) => {
				world.answers.answer = () => Promise.resolve(GONE);
				await complete(world);
				await world.ringUntil(world.start, 1);
			},
		],
		[
			'credits that are low',
			'toldLow',
			HOUR_MS,
			DAY_MS + HOUR_MS,
			async (world) => {
				await world.stub.setCreditsLow({ below: 9, mails: true });
				await change(world, -5);
			},
		],
	])(
		'about %s is tried again until it is, once, and for a day',
		async (_, mails, pauseMs, newsMs, happen) => {
			const failed = async (times: number) => {
				const world = await openWithWebhooks(10);
				world.answers.mailFails = true;
				await happen(world);
				for (let n = 0; n < times; n += 1) await world.ring(world.start + n * pauseMs);
				world.answers.mailFails = false;
				return world;
			};
			const world = await failed(9);
			const next = world.start + 9 * pauseMs;
			await world.ring(next - 1);
			expect(world[mails]).toEqual([]);
			expect(await world.nextAlarm()).toBeLessThanOrEqual(next);
			for (const after of [0, pauseMs]) await world.ring(next + after);
			expect(world[mails]).toHaveLength(1);
			for (const early of [1, 0]) {
				const late = await failed(1);
				await late.ring(late.start + newsMs - early);
				expect(late[mails]).toHaveLength(early);
			}
		},
	);
});

describe('an endpoint', () => {
	const spend = async ({ stub, start }: World, outcome: 'risky' | 'unknown' = 'risky') => {
		changes += 1;
		await (await admitCall(stub, `vfy_${changes}`, start)).settle(outcome);
	};

	test('is told of each fall once, and of a threshold that is set above the balance', async () => {
		const world = await openWithWebhooks(10);
		await world.stub.setCreditsLow({ below: 9 });
		await spend(world);
		expect(await world.deliveries()).toEqual([]);
		for (let n = 0; n < 2; n += 1) await spend(world);
		await world.ringUntil(world.start, 1);
		await change(world, 2);
		await spend(world);
		await world.ringUntil(world.start, 2);
		await world.stub.setCreditsLow({ below: null });
		for (const below of [50, 100]) await world.stub.setCreditsLow({ below });
		await world.ringUntil(world.start, 3);
		expect(bodiesOf(world)).toMatchObject([
			{ type: 'credits.low', data: { balance: 8, availableCredits: 8, creditsLowBelow: 9 } },
			{ type: 'credits.low', data: { balance: 8 } },
			{ type: 'credits.low', data: { creditsLowBelow: 50 } },
		]);
		expect((await world.stub.listWebhooks()).creditsLowBelow).toBe(100);
	});

	test('is not told of what is reserved and given back, nor without a threshold; until then no row is written', async () => {
		const world = await openWithWebhooks(10);
		const before = await world.rowsOf(() => spend(world));
		await world.stub.setCreditsLow({ below: 9 });
		for (let n = 0; n < 3; n += 1) await spend(world, 'unknown');
		expect(await world.deliveries()).toEqual([]);
		await world.stub.setCreditsLow({ below: 5 });
		expect(await world.rowsOf(() => spend(world))).toBe(before);
	});
});
