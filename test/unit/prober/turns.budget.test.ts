import { describe, expect, test } from 'vitest';
import type { Budget } from '../../../src/core/mail-operators/operator-row.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import { makeTurns } from '../../support/unit/turns-world.ts';

// What one operator sees of us in any minute, and who of ours is served.

const MINUTE = 60_000;
const TO_GOOGLE = { hostName: 'mx.google.com', operator: 'google' } as const;
const BUDGET = budgetOf('google');
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `good${at}`);

/** A Google with its real budget. */
function makeGoogle(budget: Partial<Budget> = BUDGET) {
	const world = makeTurns({}, budget);
	const { clock, request, turns } = world;
	/** A list that asks until all have an answer, and comes back when it is told to. */
	const ofList = async (
		asker: string,
		names: readonly string[],
		until: number,
		urgency: 'list' | 'small' = 'list',
	): Promise<number> => {
		let left = names.map((name) => `${name}@x.test`);
		while (left.length > 0 && clock.now() < until) {
			const plan = { ...request('').plan, targets: left.slice(0, 250) };
			const deadline = clock.now() + (urgency === 'list' ? 30_000 : 15_000);
			const of = { ...TO_GOOGLE, asker, class: urgency, deadline };
			const conversed = await turns.hold(request('', { ...of, plan }));
			if (conversed.kind === 'busy') await clock.sleep(Math.max(1, conversed.until - clock.now()));
			if (conversed.kind !== 'held') continue;
			const answered = new Set(
				conversed.report.targets.flatMap(({ recipient, reply }) => (reply === null ? [] : [recipient])),
			);
			left = left.filter((target) => !answered.has(target));
		}
		return clock.now();
	};
	return { ...world, ofList };
}

describe('who can’t be served in time', () => {
	test('is told so at once, each another moment', async () => {
		const { clock, request, turns } = makeGoogle();
		const targets = many(108).map((name) => `${name}@x.test`);
		const ask = () => {
			const plan = { ...request('').plan, targets };
			return turns.hold(request('', { ...TO_GOOGLE, class: 'small', deadline: clock.now() + 30_000, plan }));
		};
		const all = await clock.run(Promise.all(many(100).map(ask)));
		const moments = all.flatMap((one) => (one.kind === 'busy' ? [one.until] : []));
		expect(moments.length).toBeGreaterThan(50);
		expect(new Set(moments).size).toBe(moments.length);
		// More is promised than there is: some come late, or with less.
		expect(Math.max(...moments) - Math.min(...moments)).toBeGreaterThan(5 * MINUTE);
	});
});

test('a connection sees no more recipients than the operator bears', async () => {
	const { clock, connections, ofList } = makeGoogle({ ...BUDGET, recipientsPerConnection: 20 });
	await clock.run(ofList('acc_1', many(200), clock.now() + 5 * MINUTE));
	const recipients = connections.map(({ writes }) => writes.join(' ').match(/RCPT TO/g)?.length ?? 0);
	expect(Math.max(...recipients)).toBeLessThanOrEqual(20);
});

test('one account keeps a place free for others, also where nobody answers', async () => {
	const silent = makeTurns({ answers: (line) => (line.includes('<good') ? undefined : '') });
	const { clock, ask } = silent;
	const stuck = Array.from({ length: 10 }, (_, at) => ask(`bad${at}`, { asker: 'acc_1', class: 'list' }));
	const begun = clock.now();
	void Promise.allSettled(stuck);
	await clock.run(clock.sleep(1));
	expect(silent.turns.open).toBe(2);
	await clock.run(Promise.race([ask('good', { asker: 'acc_2' }), clock.sleep(14_000)]));
	expect(clock.now() - begun).toBeLessThan(15_000);
	await clock.run(Promise.all(stuck));
});
