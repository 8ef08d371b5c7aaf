import { describe, expect, test } from 'vitest';
import { budgetOf, partOf, warmth } from '../../src/core/turns/budget.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { KNOWS_ADA, startAttackedWorld, times } from './attacked.ts';
import type { AskedQuestion, AttackedWorld } from './attacked.ts';

// What visitors and accounts that never paid may use of an operator's minute and day, on the first day of a source address.

const GOOGLE = 'gmail-smtp-in.l.google.com';

/** Tries of visitors about mailboxes of gmail.com, one after the other. */
async function visit(world: AttackedWorld, at: string, count: number) {
	for (let n = 0; n < count; n += 1)
		await world.ask({
			domain: 'gmail.com',
			host: GOOGLE,
			targets: [`ada.visited${n}@gmail.com`],
			invented: { first: `qzxwv${n}@gmail.com`, further: [] },
			asker: null,
			budgetMs: 3_000,
			at: [at],
		});
}

function call(world: AttackedWorld, at: string, asker: string, name: string) {
	return world.ask({ domain: 'gmail.com', host: GOOGLE, targets: [`${name}@gmail.com`], asker, at: [at] });
}

// The day is production's. Its minute holds more than all of it, so that none of these tests waits for the minute instead.
const LONG_MINUTES = {
	PROBER_BUDGETS: JSON.stringify({ other: { recipientsPerMinute: 100_000, connectionsPerMinute: 1_000 } }),
};

describe.concurrent('on the first day of a source address', () => {
	test('visitors leave room at Google for customers who call after them', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const google = await world.server('198.18.2.1', KNOWS_ADA);
		await visit(world, google.address, 5);
		const calls = await Promise.all(
			['ada.one', 'ada.two'].map((name) => call(world, google.address, `acc_${name}`, name)),
		);
		expect(calls).toEqual([['heard'], ['heard']]);
	});

	test('a list leaves room at Google for another customer’s call', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const google = await world.server('198.18.2.1', KNOWS_ADA);
		await world.ask({
			domain: 'gmail.com',
			host: GOOGLE,
			targets: times(100, (n) => `ada.listed${n}@gmail.com`),
			asker: 'acc_list',
			class: 'list',
			at: [google.address],
		});
		expect(await call(world, google.address, 'acc_caller', 'ada.caller')).toEqual(['heard']);
	});

	test('thirty calls of one account leave the next turn at Google to another one’s call', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const google = await world.server('198.18.2.1', KNOWS_ADA);
		const greedy = times(30, (n) => `ada.greedy${n}`).map((name) =>
			call(world, google.address, 'acc_greedy', name),
		);
		await Promise.race(greedy);
		const begun = performance.now();
		expect(await call(world, google.address, 'acc_caller', 'ada.caller')).toEqual(['heard']);
		expect(performance.now() - begun).toBeLessThan(5_000);
		await Promise.all(greedy);
	});

	test('thirty calls of one account at a time leave another one’s list a turn within a minute', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const google = await world.server('198.18.2.1', KNOWS_ADA);
		const list = () =>
			world.ask({
				domain: 'gmail.com',
				host: GOOGLE,
				targets: ['ada.listed@gmail.com'],
				invented: { first: 'qzxwv@gmail.com', further: [] },
				asker: 'acc_list',
				class: 'list',
				budgetMs: 60_000,
				at: [google.address],
			});
		const begun = performance.now();
		for (let round = 0, told: readonly string[] = []; told[0] !== 'heard'; round += 1) {
			const greedy = times(30, (n) => `ada.greedy${round}.${n}`).map((name) =>
				call(world, google.address, 'acc_greedy', name),
			);
			await Promise.race(greedy);
			told = await list();
			await Promise.all(greedy);
			expect(performance.now() - begun).toBeLessThan(60_000);
		}
	}, 90_000);

	test.each<[string, string | null, 'single' | 'list', () => number]>([
		['visitors', null, 'single', () => 0.05],
		['accounts on trial', 'acc_trial', 'single', () => 0.1],
		// An account has its part at once, and the rest as the day passes.
		['another account’s list', 'acc_greedy', 'list', () => 0.25 + (0.75 * (Date.now() % DAY_MS)) / DAY_MS],
	])('%s leave a mail server’s day to a customer who asks again', async (_, asker, urgency, partNow) => {
		await using world = await startAttackedWorld({ isWarm: false, vars: LONG_MINUTES });
		const server = await world.server('198.18.2.1', KNOWS_ADA);
		const ask = (targets: readonly string[], more: Pick<AskedQuestion, 'asker' | 'class' | 'isTrial'>) =>
			world.ask({
				domain: 'company.test',
				targets: targets.map((name) => `${name}@company.test`),
				budgetMs: 3_000,
				at: [server.address],
				...more,
			});
		expect(await ask(['ada'], { asker: 'acc_customer', class: 'single' })).toEqual(['heard']);
		for (let n = 0; n < 30; n += 1)
			await ask(
				times(5, (m) => `ada.${n}.${m}`),
				{ asker, isTrial: asker === 'acc_trial', class: urgency },
			);
		const greedy = server.recipients.length - 1;
		const again = await ask(
			times(8, (n) => `ada.again${n}`),
			{ asker: 'acc_customer', class: 'single' },
		);
		expect(new Set(again)).toEqual(new Set(['heard']));
		const day = partOf(budgetOf(null), warmth(0)).recipientsPerDay;
		expect(greedy).toBeLessThanOrEqual(Math.ceil(day * partNow()) + 1);
	});

	test.each<
		[
			string,
			Pick<AskedQuestion, 'asker' | 'isTrial' | 'owner'>,
			Pick<AskedQuestion, 'asker' | 'isTrial' | 'owner'>,
		]
	>([
		['an account on trial', { asker: 'acc_greedy', isTrial: true }, { asker: 'acc_other', isTrial: true }],
		['a visitor', { asker: null, owner: '3f' }, { asker: null, owner: 'a0' }],
	])('%s leaves a part of a mail server’s day to another one', async (_, greedy, other) => {
		await using world = await startAttackedWorld({ isWarm: false, vars: LONG_MINUTES });
		const server = await world.server('198.18.2.1', KNOWS_ADA);
		const ask = (name: string, more: Pick<AskedQuestion, 'asker'>) =>
			world.ask({
				domain: 'company.test',
				targets: [`${name}@company.test`],
				budgetMs: 3_000,
				at: [server.address],
				...more,
			});
		await ask('ada.customer', { asker: 'acc_customer' });
		for (let n = 0; n < 20; n += 1) await ask(`ada.greedy${n}`, greedy);
		expect(await ask('ada.other', other)).toEqual(['heard']);
	});

	describe('an account that pays for no answer', () => {
		const DAY = partOf(budgetOf(null), warmth(0)).recipientsPerDay;
		/** One question after the other, about a mailbox each. */
		async function calls(
			world: AttackedWorld,
			at: string,
			asker: string,
			count: number,
			more: Partial<AskedQuestion> = {},
		) {
			const kinds: string[] = [];
			for (let n = 0; n < count; n += 1) {
				const question = {
					domain: 'company.test',
					targets: [`ada.${asker}${n}@company.test`],
					asker,
					at: [at],
				};
				kinds.push(...(await world.ask({ ...question, ...more })));
			}
			return kinds;
		}

		test.each([
			['a tenth of a mail server’s day', 0.1, []],
			['a twentieth of it beside others', 0.05, ['acc_customer']],
		])('uses up %s', async (_, part, before) => {
			await using world = await startAttackedWorld({ isWarm: false, vars: LONG_MINUTES });
			const { address, recipients } = await world.server('198.18.2.1', KNOWS_ADA);
			for (const asker of before) expect(await calls(world, address, asker, 1)).toEqual(['heard']);
			// Its time is up before the first reply, and no credit is spent.
			await calls(world, address, 'acc_free', 110, { paysMs: 0 });
			expect(recipients.length - before.length).toBeLessThanOrEqual(DAY * part);
			expect(new Set(await calls(world, address, 'acc_other', 20))).toEqual(new Set(['heard']));
		});

		test('is not one whose answers come in time', async () => {
			await using world = await startAttackedWorld({ isWarm: false, vars: LONG_MINUTES });
			const { address } = await world.server('198.18.2.1', KNOWS_ADA);
			expect(new Set(await calls(world, address, 'acc_form', 40, { paysMs: 10_000 }))).toEqual(
				new Set(['heard']),
			);
		});

		test('pays for none that does not decide', async () => {
			await using world = await startAttackedWorld({ isWarm: false, vars: LONG_MINUTES });
			const busy = await world.server('198.18.2.1', () => '451 4.3.0 Try again later');
			await calls(world, busy.address, 'acc_free', 40, { paysMs: 3_000, budgetMs: 3_000 });
			expect(busy.recipients.length).toBeLessThanOrEqual(DAY * 0.1);
			busy.says = KNOWS_ADA;
			expect(new Set(await calls(world, busy.address, 'acc_other', 20))).toEqual(new Set(['heard']));
		});
	});
});
