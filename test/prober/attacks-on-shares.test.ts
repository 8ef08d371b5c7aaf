import { describe, expect, test } from 'vitest';
import { budgetOf, partOf, warmth } from '../../src/core/turns/budget.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { KNOWS_ADA, startAttackedWorld, times } from './attacked.ts';
import type { AskedQuestion, AttackedWorld, RecipientReply } from './attacked.ts';

// What visitors and accounts that never paid may use of an operator's minute and day, on the first day of a source address.

type Asker = Pick<AskedQuestion, 'asker'> & Partial<AskedQuestion>;
/** Asks about mailboxes of the domain at once, and returns the kind of result for each. */
type Ask = (names: readonly string[], asker: Asker) => Promise<readonly string[]>;

/** A mail server of gmail.com. */
async function googleIn(world: AttackedWorld): Promise<Ask> {
	const { address } = await world.server('198.18.2.1', KNOWS_ADA);
	const host = 'gmail-smtp-in.l.google.com';
	return (names, asker) =>
		world.ask({
			domain: 'gmail.com',
			host,
			targets: names.map((name) => `${name}@gmail.com`),
			at: [address],
			...asker,
		});
}

// The day is production's. Its minute holds more than all of it, so that none of these tests waits for the minute instead.
const BUDGETS = { other: { recipientsPerMinute: 100_000, connectionsPerMinute: 1_000 } };

/** A small company's mail server, whose day is scarce. */
async function startCompany(says: RecipientReply = KNOWS_ADA) {
	const vars = { PROBER_BUDGETS: JSON.stringify(BUDGETS) };
	const world = await startAttackedWorld({ isWarm: false, vars });
	const server = await world.server('198.18.2.1', says);
	const ask: Ask = (names, asker) => {
		const targets = names.map((name) => `${name}@company.test`);
		return world.ask({ domain: 'company.test', targets, at: [server.address], ...asker });
	};
	return { server, ask, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

const HEARD = ['heard'];
const DAY = partOf(budgetOf(null), warmth(0)).recipientsPerDay;

describe.concurrent('on the first day of a source address', () => {
	test('visitors leave room at Google for customers who call after them', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const ask = await googleIn(world);
		for (let n = 0; n < 5; n += 1) {
			const invented = { first: `qzxwv${n}@gmail.com`, further: [] };
			await ask([`ada.visited${n}`], { asker: null, invented, budgetMs: 3_000 });
		}
		const calls = ['ada.one', 'ada.two'].map((name) => ask([name], { asker: `acc_${name}` }));
		expect(await Promise.all(calls)).toEqual([HEARD, HEARD]);
	});

	test('a list leaves room at Google for another customer’s call', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const ask = await googleIn(world);
		await ask(
			times(100, (n) => `ada.listed${n}`),
			{ asker: 'acc_list', class: 'list' },
		);
		expect(await ask(['ada.caller'], { asker: 'acc_caller' })).toEqual(HEARD);
	});

	test('thirty calls of one account leave the next turn at Google to another one’s call', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const ask = await googleIn(world);
		const greedy = times(30, (n) => `ada.greedy${n}`).map((name) => ask([name], { asker: 'acc_greedy' }));
		await Promise.race(greedy);
		const begun = performance.now();
		expect(await ask(['ada.caller'], { asker: 'acc_caller' })).toEqual(HEARD);
		expect(performance.now() - begun).toBeLessThan(5_000);
		await Promise.all(greedy);
	});

	test('thirty calls of one account at a time leave another one’s list a turn within a minute', async () => {
		await using world = await startAttackedWorld({ isWarm: false });
		const ask = await googleIn(world);
		const invented = { first: 'qzxwv@gmail.com', further: [] };
		const begun = performance.now();
		for (let round = 0, told: readonly string[] = []; told[0] !== 'heard'; round += 1) {
			const names = times(30, (n) => `ada.greedy${round}.${n}`);
			const greedy = names.map((name) => ask([name], { asker: 'acc_greedy' }));
			await Promise.race(greedy);
			told = await ask(['ada.listed'], { asker: 'acc_list', invented, class: 'list', budgetMs: 60_000 });
			await Promise.all(greedy);
			expect(performance.now() - begun).toBeLessThan(60_000);
		}
	}, 90_000);

	test.each<[string, Asker, () => number]>([
		['visitors', { asker: null }, () => 0.05],
		['accounts on trial', { asker: 'acc_trial', isTrial: true }, () => 0.1],
		// An account has its part at once, and the rest as the day passes.
		[
			'another account’s list',
			{ asker: 'acc_greedy', class: 'list' },
			() => 0.25 + (0.75 * (Date.now() % DAY_MS)) / DAY_MS,
		],
	])('%s leave a mail server’s day to a customer who asks again', async (_, greedy, partNow) => {
		await using company = await startCompany();
		const { ask, server } = company;
		const customer = { asker: 'acc_customer' };
		expect(await ask(['ada'], customer)).toEqual(HEARD);
		for (let n = 0; n < 30; n += 1)
			await ask(
				times(5, (m) => `ada.${n}.${m}`),
				{ ...greedy, budgetMs: 3_000 },
			);
		const asked = server.recipients.length - 1;
		const names = times(8, (n) => `ada.again${n}`);
		expect(new Set(await ask(names, customer))).toEqual(new Set(HEARD));
		expect(asked).toBeLessThanOrEqual(Math.ceil(DAY * partNow()) + 1);
	});

	test.each<[string, Asker, Asker]>([
		['an account on trial', { asker: 'acc_greedy', isTrial: true }, { asker: 'acc_other', isTrial: true }],
		['a visitor', { asker: null, owner: '3f' }, { asker: null, owner: 'a0' }],
	])('%s leaves a part of a mail server’s day to another one', async (_, greedy, other) => {
		await using company = await startCompany();
		const ask = (name: string, asker: Asker) => company.ask([name], { ...asker, budgetMs: 3_000 });
		await ask('ada.customer', { asker: 'acc_customer' });
		for (let n = 0; n < 20; n += 1) await ask(`ada.greedy${n}`, greedy);
		expect(await ask('ada.other', other)).toEqual(HEARD);
	});

	describe('an account that pays for no answer', () => {
		/** One question after the other, about a mailbox each. */
		async function callsOf(ask: Ask, count: number, asker: Asker): Promise<ReadonlySet<string>> {
			const kinds = new Set<string>();
			for (let n = 0; n < count; n += 1)
				for (const kind of await ask([`ada.${asker.asker}${n}`], asker)) kinds.add(kind);
			return kinds;
		}

		test.each([
			['a tenth of a mail server’s day', 0.1, []],
			['a twentieth of it beside others', 0.05, ['acc_customer']],
		])('uses up %s', async (_, part, before) => {
			await using company = await startCompany();
			const { ask, server } = company;
			for (const asker of before) expect(await callsOf(ask, 1, { asker })).toEqual(new Set(HEARD));
			// Its time is up before the first reply, and no credit is spent.
			await callsOf(ask, 110, { asker: 'acc_free', paysMs: 0 });
			expect(server.recipients.length - before.length).toBeLessThanOrEqual(DAY * part);
			expect(await callsOf(ask, 20, { asker: 'acc_other' })).toEqual(new Set(HEARD));
		});

		test('is not one whose answers come in time', async () => {
			await using company = await startCompany();
			const kinds = await callsOf(company.ask, 40, { asker: 'acc_form', paysMs: 10_000 });
			expect(kinds).toEqual(new Set(HEARD));
		});

		test('pays for none that does not decide', async () => {
			await using company = await startCompany(() => '451 4.3.0 Try again later');
			const { ask, server } = company;
			await callsOf(ask, 40, { asker: 'acc_free', paysMs: 3_000, budgetMs: 3_000 });
			expect(server.recipients.length).toBeLessThanOrEqual(DAY * 0.1);
			server.says = KNOWS_ADA;
			expect(await callsOf(ask, 20, { asker: 'acc_other' })).toEqual(new Set(HEARD));
		});
	});
});
