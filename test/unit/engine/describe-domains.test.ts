import { expect, test } from 'vitest';
import type { Resolver } from '../../../src/core/dns/resolver.ts';
import { describeDomains } from '../../../src/engine/describe-domains.ts';
import { ServiceError } from '../../../src/errors.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeResolver } from '../../support/unit/fake-resolver.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';

// How up to a thousand domains are looked up: none waits for the slow ones, and whose fault it is stays clear.

const BUDGET = { budgetMs: 15_000 };
const GOOD: Zone = { mx: ['10 mx.good.test'] };
const outage = () => Promise.reject(new ServiceError('upstream_unavailable', 'no resolver'));

function world(hasty: Resolver, patient: Resolver, clock = fakeClock()) {
	const ports = { clock, resolver: { ...patient, hasty } };
	return async (names: readonly string[]) => describeDomains(ports, BUDGET, names);
}

test('a slow domain is looked up again after all others, and each of the others once', async () => {
	const [hasty, patient] = [
		{ 'good.test': GOOD, 'slow.test': { mx: 'timeout' } },
		{ 'slow.test': GOOD },
	] as const;
	const [first, second] = [fakeResolver(hasty), fakeResolver(patient)];
	const reports = await world(first, second)(['slow.test', 'good.test', 'SLOW.test', 'none.test']);
	expect(reports.map(({ domain, exists }) => [domain, exists])).toEqual([
		['slow.test', true],
		['good.test', true],
		['slow.test', true],
		['none.test', false],
	]);
	expect([first.asked, second.asked]).toEqual([
		['MX slow.test', 'MX good.test', 'MX none.test'],
		['MX slow.test'],
	]);
});

test('failing name servers are believed at once, and fail no other domain', async () => {
	const zones = fakeResolver({ 'good.test': GOOD, 'broken.test': { mx: 'server_failure' } });
	const reports = await world(zones, fakeResolver({}))(['broken.test', 'good.test']);
	expect(reports.map(({ exists, accepts_mail }) => [exists, accepts_mail])).toEqual([
		[null, null],
		[true, true],
	]);
});

test('what is not reached in time stays unknown', async () => {
	const clock = fakeClock();
	const slow = fakeResolver({ 'good.test': GOOD });
	const resolver = {
		...slow,
		mx: (domain: string) => {
			clock.advance(BUDGET.budgetMs);
			return slow.mx(domain);
		},
	};
	const reports = await world(resolver, resolver, clock)(['good.test', 'late.test']);
	expect(reports.map(({ exists }) => exists)).toEqual([true, null]);
});

test('a resolver that is out for a moment is asked again; one that stays out is our fault, and is left alone', async () => {
	const good = fakeResolver({ 'good.test': GOOD });
	expect(await world({ ...good, mx: outage }, good)(['good.test'])).toMatchObject([{ exists: true }]);
	let asked = 0;
	const out = {
		...good,
		mx: () => {
			asked += 1;
			return outage();
		},
	};
	const names = Array.from({ length: 1_000 }, (_, n) => `d${n}.test`);
	await expect(world(out, out)(names)).rejects.toMatchObject({ code: 'upstream_unavailable' });
	expect(asked).toBeLessThan(30);
});
