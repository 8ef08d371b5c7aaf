import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../../src/core/politeness/fair-queue.ts';
import type { Waiter } from '../../../src/core/politeness/fair-queue.ts';
import { shareNameOf, weightOf } from '../../../src/core/politeness/shares.ts';
import type { Party, Urgency } from '../../../src/core/politeness/shares.ts';

const ofParty = (party: Party, urgency: Urgency = 'list', cost = 1): Waiter => {
	const share = shareNameOf(party);
	return { share, weight: weightOf(share, urgency), flow: `${party.asker} ${urgency}`, cost };
};
const of = (asker: string, urgency: Urgency = 'list', cost = 1): Waiter => ofParty({ asker }, urgency, cost);

/** Serves so many in their turn; who is served comes again. Counts the turns by share. */
function serve(queue: FairQueue<Waiter>, times: number): Map<string, number> {
	const served = new Map<string, number>();
	for (let n = 0; n < times; n += 1) {
		const [next] = queue.inTurn();
		if (next === undefined) break;
		queue.serve(next, next.cost);
		queue.add({ ...next });
		served.set(next.share, (served.get(next.share) ?? 0) + 1);
	}
	return served;
}

function queueOf(...waiters: readonly Waiter[]): FairQueue<Waiter> {
	const queue = new FairQueue<Waiter>();
	waiters.forEach((waiter) => queue.add(waiter));
	return queue;
}

describe('the next turn', () => {
	test('goes to the account that was served least, however many questions another one has', () => {
		const queue = queueOf(...Array.from({ length: 100 }, () => of('acc_1')), of('acc_2'));
		const served = serve(queue, 40);
		expect([served.get('acc_1'), served.get('acc_2')]).toEqual([20, 20]);
	});

	test('goes to an account that comes anew, and not for longer than its part', () => {
		const queue = queueOf(of('acc_1'));
		serve(queue, 1_000);
		queue.add(of('acc_2'));
		const served = serve(queue, 100);
		expect(served.get('acc_2')).toBeLessThanOrEqual(51);
	});

	test('goes to callers and short jobs long before lists, and never to them alone', () => {
		const queue = queueOf(of('acc_1'), of('acc_2', 'small'));
		const served = serve(queue, 340);
		expect(served.get('acc_2')).toBeGreaterThan(300);
		expect(served.get('acc_1')).toBeGreaterThan(10);
	});

	test('goes to visitors one time in six beside one account, and to all trial accounts together two in seven', () => {
		const visitors = queueOf(ofParty({ asker: null }, 'list'), of('acc_1'));
		expect(serve(visitors, 600).get('visitors')).toBe(100);
		const trials = Array.from({ length: 20 }, (_, n) => ofParty({ asker: `acc_t${n}`, isTrial: true }));
		expect(serve(queueOf(...trials, of('acc_1')), 700).get('trials')).toBe(200);
	});

	test('goes round among accounts that share', () => {
		const trial = (asker: string): Waiter => ofParty({ asker, isTrial: true });
		const queue = queueOf(...Array.from({ length: 50 }, () => trial('acc_t1')), trial('acc_t2'));
		const [first, second] = [queue.inTurn()[0], queue.inTurn()[1]];
		queue.serve(first!, 1);
		expect([first?.flow, second?.flow, queue.inTurn()[0]?.flow]).toEqual([
			'acc_t1 list',
			'acc_t1 list',
			'acc_t2 list',
		]);
	});
});

describe('what comes before a question', () => {
	test('is its own account’s, and of another no more than its part', () => {
		const mine = of('acc_1', 'list', 5);
		const queue = queueOf(
			...Array.from({ length: 100 }, () => of('acc_2', 'list', 5)),
			of('acc_1', 'list', 5),
			mine,
		);
		expect(queue.before(mine)).toBe(5 + 10);
		expect(queue.before(of('acc_3', 'list', 5))).toBe(5 + 5);
	});

	test('is next to nothing for a caller', () => {
		const queue = queueOf(...Array.from({ length: 100 }, () => of('acc_2', 'list', 5)));
		expect(queue.before(of('acc_1', 'single', 1))).toBeLessThan(1);
	});
});

test('who waits no longer is not served', () => {
	const waiter = of('acc_1');
	const queue = queueOf(waiter);
	queue.remove(waiter);
	expect([queue.size, queue.inTurn()]).toEqual([0, []]);
});
