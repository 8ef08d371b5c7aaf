import { expect, test } from 'vitest';
import { examineAddress } from '../../../src/engine/examine.ts';
import type { Prober } from '../../../src/engine/ports.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { NO_DOUBT } from '../../support/unit/no-doubt.ts';
import { addressOf, fakeRandomness } from '../../support/unit/mail-servers.ts';

test.each([
	['it shows itself as a catch-all', true, ['x.test']],
	['it does not', false, []],
])('while the mail host is asked, the domain is looked up if %s', async (_, isCatchAll, lookedUp) => {
	const lookups = fakeLookups();
	let early: readonly string[] = [];
	const prober: Prober = {
		ask: async (_question, foundCatchAll) => {
			if (isCatchAll) foundCatchAll?.();
			early = [...lookups.asked];
			return {
				answers: [{ kind: 'no_connect', tried: 1 }],
				evidence: [],
				recipients: 0,
			};
		},
	};
	const ports = {
		...lookups,
		clock: fakeClock(),
		resolver: fakeResolver({ 'x.test': { mx: ['10 mx1.x.test'] }, 'mx1.x.test': { a: ['8.8.8.1'] } }),
		prober,
		randomness: fakeRandomness(),
		domainDoubt: NO_DOUBT,
		addressPolicy: PUBLIC_ONLY,
	};
	const settings = { budgetMs: 15_000 };
	await examineAddress(ports, settings, addressOf('ada@x.test'), 'acc_1');
	expect(early).toEqual(lookedUp);
	expect(lookups.asked).toEqual(lookedUp);
});
