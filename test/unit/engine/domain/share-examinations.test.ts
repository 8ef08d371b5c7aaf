import { expect, test } from 'vitest';
import type { DomainFacts } from '../../../../src/core/catchall/domain.ts';
import { EXAMINATION_MS_MAX } from '../../../../src/engine/domain/port.ts';
import { shareExaminations } from '../../../../src/engine/domain/share-examinations.ts';
import { ExpiringMap } from '../../../../src/lib/expiring-map.ts';
import { makeFacts } from '../../../support/unit/domain-facts.ts';
import { virtualClock } from '../../../support/unit/virtual-clock.ts';

test.each<[string, readonly string[], number, boolean, readonly string[]]>([
	['are one', ['a.test', 'a.test', 'a.test'], 10_000, true, ['a.test']],
	['at two domains are two', ['a.test', 'b.test', 'a.test'], 10_000, true, ['a.test', 'b.test']],
	['that are short of time are each their own', ['a.test', 'a.test'], 1_000, true, ['a.test', 'a.test']],
	['do not wait for one that never ends', ['a.test', 'a.test'], 20_000, false, ['a.test', 'a.test']],
])('examinations that come together %s', async (_, domains, withinMs, firstEnds, examined) => {
	const clock = virtualClock();
	const asked: string[] = [];
	const examine = shareExaminations(clock, new ExpiringMap(10), async (domain) => {
		asked.push(domain);
		// A request that was cancelled runs no more code.
		if (!firstEnds && asked.length === 1) return new Promise<DomainFacts>(() => {});
		await clock.sleep(1_000);
		return makeFacts({ domain });
	});
	const begun = clock.now();
	const found = domains.map((domain) => examine(domain, begun + withinMs));
	const ended = await clock.run(Promise.all(firstEnds ? found : found.slice(1)));
	expect(asked).toEqual(examined);
	expect(ended.map(({ domain }) => domain)).toEqual(firstEnds ? domains : domains.slice(1));
	expect(clock.now() - begun).toBeLessThanOrEqual(EXAMINATION_MS_MAX + 1_600);
});
