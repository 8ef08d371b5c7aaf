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

const wantMail = ({ stub }: World) => stub.setCreditsLow({ below: 9, mails: true });

async function openLow(): Promise<World> {
	const world = await openWithWebhooks(10, 0);
	await wantMail(world);
	return world;
}

/** Settles a call of one credit. */
async function spend({ stub, start }: World, outcome: 'risky' | 'unknown' = 'risky'): Promise<void> {
	changes += 1;
	await (await admitCall(stub, `vfy_${changes}`, start)).settle(outcome);
}

test('owner and endpoint are told once of each fall below the threshold, the endpoint also where it is set above the balance', async () => {
	const world = await openWithWebhooks(10);
	const { accountId, stub, start, toldLow } = world;
	await stub.setCreditsLow({ below: 9, mails: true });
	await spend(world);
	await world.ring(start);
	expect([toldLow, await world.deliveries()]).toEqual([[], []]);
	await spend(world);
	await world.ringUntil(start, 1);
	await change(world, -3);
	await world.ringUntil(start + 1, 1);
	expect(toldLow).toEqual([{ accountId, balance: 8, below: 9 }]);
	await change(world, 4);
	await change(world, -9);
	await world.ringUntil(start + 2, 2);
	expect(toldLow.slice(1)).toEqual([{ accountId, balance: 0, below: 9 }]);
	expect(await stub.creditsLow()).toEqual({ below: 9, isLow: true, mails: true });
	await stub.setCreditsLow({ below: null, mails: false });
	for (const below of [50, 100]) await stub.setCreditsLow({ below });
	await world.ringUntil(start + 3, 3);
	expect(bodiesOf(world)).toMatchObject([
		{ type: 'credits.low', data: { balance: 8, availableCredits: 8, creditsLowBelow: 9 } },
		{ type: 'credits.low', data: { balance: 0 } },
		{ type: 'credits.low', data: { creditsLowBelow: 50 } },
	]);
	expect((await stub.listWebhooks()).creditsLowBelow).toBe(100);
});

test('an endpoint is not told of what is reserved and given back, nor without a threshold; until then no row is written', async () => {
	const world = await openWithWebhooks(10);
	const before = await world.rowsOf(() => spend(world));
	await world.stub.setCreditsLow({ below: 9 });
	for (let n = 0; n < 3; n += 1) await spend(world, 'unknown');
	expect(await world.deliveries()).toEqual([]);
	await world.stub.setCreditsLow({ below: 5 });
	expect(await world.rowsOf(() => spend(world))).toBe(before);
});

describe('the owner of an account', () => {
	test('is told of a fall that comes while the mail about another is on its way', async () => {
		const world = await openLow();
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

	test.each<[string, (world: World) => Promise<unknown>, ((world: World) => Promise<unknown>)?]>([
		['wants no mail', ({ stub }) => stub.setCreditsLow({ below: 9, mails: false })],
		['set no threshold', ({ stub }) => stub.setCreditsLow({ below: null, mails: true })],
		['adds credits before the mail is sent', wantMail, (world) => change(world, 10)],
		['wants to be told of less by then', wantMail, ({ stub }) => stub.setCreditsLow({ below: 1 })],
		['wants no mail by then', wantMail, ({ stub }) => stub.setCreditsLow({ below: 9, mails: false })],
		['deletes the account by then', wantMail, ({ stub, start }) => stub.close({ now: start })],
	])('who %s gets none', async (_, set, act = () => Promise.resolve()) => {
		const world = await openWithWebhooks(10, 0);
		await set(world);
		await change(world, -5);
		await act(world);
		await world.ring(world.start);
		expect(world.toldLow).toEqual([]);
	});

	test('keeps the choice when a program changes the threshold by the API', async () => {
		const world = await openLow();
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
