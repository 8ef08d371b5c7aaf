import { describe, expect, test } from 'vitest';
import type { DomainFacts } from '../../../../src/core/catchall/domain-facts.ts';
import { ExpiringMap } from '../../../../src/lib/expiring-map.ts';
import { EXAMINATION_MS_MAX } from '../../../../src/engine/domain/examine-domain.ts';
import { shareExaminations } from '../../../../src/engine/domain/share-examinations.ts';
import type { RunningExaminations } from '../../../../src/engine/domain/share-examinations.ts';
import { makeFacts } from '../../../support/unit/domain-facts.ts';
import { virtualClock } from '../../../support/unit/virtual-clock.ts';
import type { VirtualClock } from '../../../support/unit/virtual-clock.ts';

const BUDGET_MS = 15_000;
const HOSTS = ['mx.acme.com'];

/** A shared examination whose nth run takes `tookMs[n]`, for ever where that is null; `examined` lists the runs. */
function world(tookMs: readonly (number | null)[]) {
	const clock: VirtualClock = virtualClock();
	const examined: string[] = [];
	const running: RunningExaminations = new ExpiringMap(10);
	const examine = shareExaminations(clock, running, async (domain) => {
		const took = tookMs[examined.length] ?? null;
		examined.push(domain);
		const nth = examined.length;
		if (took === null) return new Promise<DomainFacts>(() => {});
		await clock.sleep(took);
		return makeFacts({ domain: `${nth}.${domain}` });
	});
	const ask = (domain = 'acme.com', withinMs = BUDGET_MS, mailHosts = HOSTS): Promise<string> =>
		examine(domain, { mailHosts, asker: 'acc_1', deadline: clock.now() + withinMs }).then(
			(facts) => facts.domain,
		);
	return { clock, examined, ask };
}

describe('examinations of the same domain at the same time', () => {
	test('are one examination', async () => {
		const { clock, examined, ask } = world([2_000]);
		const answers = await clock.run(Promise.all([ask(), ask(), ask()]));
		expect([answers, examined]).toEqual([['1.acme.com', '1.acme.com', '1.acme.com'], ['acme.com']]);
	});

	test('at different domains, or by way of different mail hosts, are several', async () => {
		const { clock, examined, ask } = world([1, 1, 1]);
		await clock.run(Promise.all([ask(), ask('other.com'), ask('acme.com', BUDGET_MS, ['mx2.acme.com'])]));
		expect(examined).toEqual(['acme.com', 'other.com', 'acme.com']);
	});

	test('one after the other are several, since remembering is the cache’s task', async () => {
		const { clock, ask } = world([1, 1]);
		expect([await clock.run(ask()), await clock.run(ask())]).toEqual(['1.acme.com', '2.acme.com']);
	});

	test('whose first one died are started anew, and end within their time', async () => {
		const { clock, examined, ask } = world([null, 1_000]);
		void ask();
		const begun = clock.now();
		expect(await clock.run(ask())).toBe('2.acme.com');
		expect(examined).toHaveLength(2);
		expect(clock.now() - begun).toBeLessThan(BUDGET_MS);
	});

	test.each([
		['short of time is not shared: it will not see everything', EXAMINATION_MS_MAX - 1, 2],
		['with all the time it takes is', EXAMINATION_MS_MAX, 1],
	])('one that is %s', async (_, withinMs, runs) => {
		const { clock, examined, ask } = world([1_000, 1_000]);
		await clock.run(Promise.all([ask('acme.com', withinMs), ask()]));
		expect(examined).toHaveLength(runs);
	});

	test('with little time left do not wait for the end of another one', async () => {
		const { clock, examined, ask } = world([3_000, 1]);
		const [, hasty] = await clock.run(Promise.all([ask(), ask('acme.com', 500)]));
		expect([hasty, examined.length]).toEqual(['2.acme.com', 2]);
	});
});
