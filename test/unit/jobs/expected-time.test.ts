import { expect, test } from 'vitest';
import { ExpectedTime, LONG_MS } from '../../../src/core/jobs/estimate.ts';
import { budgetOf } from '../../../src/core/politeness/budgets.ts';

function expected(count: number, domain: string): number {
	const time = new ExpectedTime();
	for (let n = 0; n < count; n += 1) time.add(domain);
	return time.result();
}

test('the provider with the most to answer decides, by its rate a minute', () => {
	const { recipientsPerMinute } = budgetOf('google');
	expect(expected(5 * recipientsPerMinute, 'gmail.com')).toBe(LONG_MS);
	expect(expected(5 * recipientsPerMinute + 1, 'gmail.com')).toBeGreaterThan(LONG_MS);
	const both = new ExpectedTime();
	for (let n = 0; n < recipientsPerMinute; n += 1) both.add('gmail.com');
	both.add('outlook.com');
	expect(both.result()).toBe(60_000);
});

test('domains of no large provider need no time of their own', () => {
	expect(expected(10_000, 'shop.example')).toBe(0);
	expect(new ExpectedTime().result()).toBe(0);
});
