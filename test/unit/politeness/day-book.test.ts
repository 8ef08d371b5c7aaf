import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DayBook } from '../../../src/core/politeness/day-book.ts';
import { TRIALS, VISITORS } from '../../../src/core/politeness/shares.ts';

const DAY = 86_400_000;
const PER_DAY = 1_000;
const MORNING = 20_000 * DAY;
const NOON = MORNING + DAY / 2;

function bookOf(...used: readonly (readonly [share: string, recipients: number])[]): DayBook {
	const book = new DayBook(null);
	for (const [share, recipients] of used) book.add(share, recipients, MORNING);
	return book;
}

describe('the day of an operator', () => {
	test('belongs to the account that is alone', () => {
		expect(bookOf(['acc_1', 400]).left('acc_1', PER_DAY, false, MORNING)).toBe(600);
	});

	test('leaves a tenth to single calls', () => {
		const book = bookOf(['acc_1', 400]);
		expect(book.left('acc_1', PER_DAY, true, MORNING)).toBe(500);
	});

	test('gives visitors together a twentieth of it beside accounts, and accounts on trial together a tenth', () => {
		const book = bookOf(['acc_1', 1], [VISITORS, 20], [TRIALS, 20]);
		expect(book.left(VISITORS, PER_DAY, false, NOON)).toBe(30);
		expect(book.left(TRIALS, PER_DAY, false, NOON)).toBe(80);
	});

	test('gives an account a quarter at once beside others, and the rest as the day passes', () => {
		const book = bookOf(['acc_1', 200], ['acc_2', 1]);
		expect(book.left('acc_1', PER_DAY, false, MORNING)).toBe(50);
		expect(book.left('acc_1', PER_DAY, false, NOON)).toBe(625 - 200);
		expect(book.left('acc_1', PER_DAY, false, MORNING + DAY - 1)).toBe(999 - 200);
	});

	test.each([TRIALS, VISITORS])('gives one of the %s half of what the others leave', (share) => {
		const book = bookOf(['acc_1', 1]);
		const takes = ['first', 'second', 'third'].map((member) => {
			const left = book.left(`${share}/${member}`, 16 * PER_DAY, false, MORNING);
			book.add(`${share}/${member}`, left, MORNING);
			return left;
		});
		const all = share === TRIALS ? 1_600 : 800;
		expect(takes).toEqual([all / 2, all / 4, all / 8]);
		expect(book.left(`${share}/first`, 16 * PER_DAY, false, MORNING)).toBe(0);
	});

	test('gives an account on trial that stays alone all of its share as the day passes', () => {
		const book = bookOf(['acc_1', 1], ['trials/acc_2', 50]);
		expect(book.left('trials/acc_2', PER_DAY, false, MORNING)).toBe(0);
		const at = book.nextAt('trials/acc_2', PER_DAY, false, 25, MORNING);
		expect(at).toBe(NOON);
		expect(book.left('trials/acc_2', PER_DAY, false, at)).toBe(25);
		expect(book.left('trials/acc_2', PER_DAY, false, MORNING + DAY - 1)).toBe(49);
	});

	test('is not used up by visitors who are alone before an account comes', () => {
		const book = bookOf();
		const six = MORNING + DAY / 4;
		book.add(VISITORS, book.left(VISITORS, PER_DAY, false, six), six);
		expect(book.left('acc_1', PER_DAY, false, six)).toBeGreaterThan(200);
	});

	test('remembers who asked yesterday: they are still there', () => {
		const book = bookOf(['acc_1', 900], ['acc_2', 10]);
		expect(book.left('acc_1', PER_DAY, false, MORNING + DAY)).toBe(250);
		expect(book.left('acc_1', PER_DAY, false, MORNING + 3 * DAY)).toBe(1_000);
	});

	test('gives what is asked for nothing a tenth of it, a twentieth beside others, and no more as it passes', () => {
		const night = MORNING + DAY - 1;
		const alone = bookOf(['acc_1', 1], ['unpaid/acc_1', 60]);
		expect(alone.left('unpaid/acc_1', PER_DAY, false, night)).toBe(39);
		const beside = bookOf(['acc_2', 1], ['unpaid/acc_1', 30]);
		expect(beside.left('unpaid/acc_1', PER_DAY, false, night)).toBe(19);
		// Half of what the others leave.
		expect(beside.left('unpaid/acc_3', PER_DAY, false, MORNING)).toBe(10);
		expect(beside.nextAt('unpaid/acc_1', PER_DAY, false, 25, NOON)).toBe(MORNING + DAY);
		// It makes no account one beside others.
		expect(bookOf(['unpaid/acc_1', 60]).left('acc_2', PER_DAY, false, MORNING)).toBe(940);
	});

	test('lets an account have as much for nothing as it paid for, and only then counts it with the others', () => {
		const book = bookOf(['acc_1', 3], ['trials/3f', 3]);
		const names = (recipients: number) =>
			['acc_1', 'trials/3f'].map((member) => book.nameOfDoubtful(member, recipients, MORNING));
		expect(names(3)).toEqual(['acc_1', 'trials/3f']);
		expect(names(4)).toEqual(['unpaid/acc_1', 'unpaid/3f']);
		book.add('unpaid/acc_1', 1, MORNING);
		book.add('unpaid/3f', 1, MORNING);
		expect(names(3)).toEqual(['unpaid/acc_1', 'unpaid/3f']);
		expect(book.most(3, MORNING)).toEqual([
			['acc_1', 3],
			['trials/3f', 3],
			['unpaid/acc_1', 1],
		]);
	});

	test('survives a restart', () => {
		const book = bookOf(['acc_1', 200], [VISITORS, 4], [`${VISITORS}/3f`, 3]);
		const again = new DayBook(book.spent);
		expect(again.left(VISITORS, PER_DAY, false, MORNING)).toBe(43);
		expect(again.usedByKind(MORNING)).toEqual({ visitors: 7, trials: 0, unpaid: 0, accounts: 200 });
	});

	test('tells when there is something left again', () => {
		const book = bookOf(['acc_1', 250], ['acc_2', 1], [VISITORS, 50]);
		const at = book.nextAt('acc_1', PER_DAY, false, 10, MORNING);
		expect(book.left('acc_1', PER_DAY, false, at)).toBeGreaterThanOrEqual(10);
		expect(at - MORNING).toBeLessThan(DAY / 50);
		expect(book.nextAt(VISITORS, PER_DAY, false, 1, MORNING)).toBe(MORNING + DAY);
	});

	test('names few shares, however many ask, and never counts less than was asked', () => {
		const asks = fc.array(fc.record({ share: fc.nat(500), recipients: fc.nat(5) }), { maxLength: 600 });
		fc.assert(
			fc.property(asks, (all) => {
				const book = new DayBook(null);
				for (const { share, recipients } of all) book.add(`acc_${share}`, recipients, MORNING);
				expect(book.used(MORNING)).toBe(all.reduce((sum, { recipients }) => sum + recipients, 0));
				expect(Object.keys(book.spent.shares).length).toBeLessThanOrEqual(51);
			}),
		);
	});
});
