import { describe, expect, test } from 'vitest';
import type { DomainFacts } from '../../../../src/core/catchall/domain-facts.ts';
import { ExpiringMap } from '../../../../src/lib/expiring-map.ts';
import { LOOK_MS_MAX } from '../../../../src/engine/domain/examine-domain.ts';
import { shareLooks } from '../../../../src/engine/domain/share-examinations.ts';
import type { RunningLooks } from '../../../../src/engine/domain/share-examinations.ts';
import { makeFacts } from '../../../support/unit/domain-facts.ts';
import { virtualClock } from '../../../support/unit/virtual-clock.ts';
import type { VirtualClock } from '../../../support/unit/virtual-clock.ts';

const BUDGET_MS = 15_000;
const HOSTS = ['mx.acme.com'];

/** A shared look whose nth look takes `tookMs[n]`, for ever where that is null; `looked` lists them. */
function world(tookMs: readonly (number | null)[]) {
	const clock: VirtualClock = virtualClock();
	const looked: string[] = [];
	const running: RunningLooks = new ExpiringMap(10);
	const look = shareLooks(clock, running, async (domain) => {
		const took = tookMs[looked.length] ?? null;
		looked.push(domain);
		const nth = looked.length;
		if (took === null) return new Promise<DomainFacts>(() => {});
		await clock.sleep(took);
		return makeFacts({ domain: `${nth}.${domain}` });
	});
	const ask = (domain = 'acme.com', withinMs = BUDGET_MS, mailHosts = HOSTS): Promise<string> =>
		look(domain, { mailHosts, deadline: clock.now() + withinMs }).then((facts) => facts.domain);
	return { clock, looked, ask };
}

describe('looks at the same domain at the same time', () => {
	test('are one look', async () => {
		const { clock, looked, ask } = world([2_000]);
		const answers = await clock.run(Promise.all([ask(), ask(), ask()]));
		expect([answers, looked]).toEqual([['1.acme.com', '1.acme.com', '1.acme.com'], ['acme.com']]);
	});

	test('at different domains, or by way of different mail hosts, are several', async () => {
		const { clock, looked, ask } = world([1, 1, 1]);
		await clock.run(Promise.all([ask(), ask('other.com'), ask('acme.com', BUDGET_MS, ['mx2.acme.com'])]));
		expect(looked).toEqual(['acme.com', 'other.com', 'acme.com']);
	});

	test('one after the other are several: remembering is the business of the cache', async () => {
		const { clock, ask } = world([1, 1]);
		expect([await clock.run(ask()), await clock.run(ask())]).toEqual(['1.acme.com', '2.acme.com']);
	});

	test('of which the first died: the others look for themselves, and are done within their time', async () => {
		const { clock, looked, ask } = world([null, 1_000]);
		void ask();
		const begun = clock.now();
		expect(await clock.run(ask())).toBe('2.acme.com');
		expect(looked).toHaveLength(2);
		expect(clock.now() - begun).toBeLessThan(BUDGET_MS);
	});

	test.each([
		['short of time is not shared: it will not see everything', LOOK_MS_MAX - 1, 2],
		['with all the time it takes is', LOOK_MS_MAX, 1],
	])('one that is %s', async (_, withinMs, looks) => {
		const { clock, looked, ask } = world([1_000, 1_000]);
		await clock.run(Promise.all([ask('acme.com', withinMs), ask()]));
		expect(looked).toHaveLength(looks);
	});

	test('for somebody short of time: who can’t wait for the end looks for what is left', async () => {
		const { clock, looked, ask } = world([3_000, 1]);
		const [, hasty] = await clock.run(Promise.all([ask(), ask('acme.com', 500)]));
		expect([hasty, looked.length]).toEqual(['2.acme.com', 2]);
	});
});
