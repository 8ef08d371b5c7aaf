import { expect, test } from 'vitest';
import { faultsInBooks } from '../../soak/books.ts';
import type { Balance, EndedWork, Told } from '../../soak/books.ts';

const told: Told = { purchased: 100, calls: [1, 0, 1], unanswered: 0, accepted: new Set(['job_1']) };
const job: EndedWork = {
	id: 'job_1',
	status: 'completed',
	credits: 10,
	creditsReserved: 0,
	creditsUsed: 8,
	creditsRefunded: 2,
};
const credits: Balance = {
	balance: 90,
	availableCredits: 90,
	reservedCredits: 0,
	totalPurchased: 100,
	totalConsumed: 10,
};

test('what the answers said is what the books say', () => {
	expect(faultsInBooks(told, [job], credits)).toEqual([]);
});

test('a call that got no answer may have cost a credit, and no more', () => {
	const unsure = { ...told, unanswered: 1 };
	const consumed = (totalConsumed: number): Balance => ({
		...credits,
		totalConsumed,
		balance: 100 - totalConsumed,
		availableCredits: 100 - totalConsumed,
	});
	expect(faultsInBooks(unsure, [job], consumed(10))).toEqual([]);
	expect(faultsInBooks(unsure, [job], consumed(11))).toEqual([]);
	expect(faultsInBooks(unsure, [job], consumed(12))).toEqual([
		'12 credits are consumed; the answers say 10 to 11',
	]);
	expect(faultsInBooks(unsure, [job], consumed(9))).toHaveLength(1);
});

test.each<[string, Partial<EndedWork>, Partial<Balance>, string]>([
	['a charge twice', {}, { totalConsumed: 11, balance: 89, availableCredits: 89 }, 'the answers say 10'],
	['a job that is not finished', { status: 'processing' }, {}, 'job_1 is processing'],
	['a refund too much', { creditsRefunded: 3 }, {}, 'of 10'],
	['a job that nobody was told of', { id: 'job_2' }, {}, 'nobody was told'],
	['a job that is gone', { id: 'job_2' }, {}, 'job_1 was accepted and is not there'],
	['credits that stay reserved', {}, { reservedCredits: 1, availableCredits: 89 }, 'still reserved'],
	['a grant that is lost', {}, { totalPurchased: 99, balance: 89, availableCredits: 89 }, '100 were given'],
	['a balance that does not add up', {}, { availableCredits: 91 }, 'does not add up'],
])('%s is a fault', (_, ofJob, ofBalance, said) => {
	const faults = faultsInBooks(told, [{ ...job, ...ofJob }], { ...credits, ...ofBalance });
	expect(faults.join('; ')).toContain(said);
});
